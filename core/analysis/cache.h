#pragma once
// The saving by the key/value cache: a pass over the new token alone, compared with a pass over all tokens so far.

#include <vector>

#include "core/trace/trace.h"

namespace attn {

/// One time of a decoding run.
struct CachedPass {
    int time = 0;
    int tokens = 0;            ///< seen up to this time: rows of the cache
    double multiply_adds = 0;  ///< performed, with the cache
    double without_cache = 0;  ///< the same time's cost if every token so far were computed again
    double cache_bytes = 0;    ///< cached keys and values of all layers, float32
};

/// Every time of a trace of the form generate, in order; empty for any other form. Without a cache, each step that
/// computes a row for the new token would compute one for every token so far; only the last token is used for the
/// prediction either way.
std::vector<CachedPass> cached_passes(const Trace& trace);

}  // namespace attn
