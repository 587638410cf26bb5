#pragma once
// What the key/value cache saves: a pass over the new token alone against a pass over all tokens so far.

#include <vector>

#include "core/trace/trace.h"

namespace attn {

/// One time of a decoding run.
struct CachedPass {
    int time = 0;
    int tokens = 0;            ///< seen up to this time: rows of the cache
    double multiply_adds = 0;  ///< done, with the cache
    double without_cache = 0;  ///< what the same time would take if every token so far were computed again
    double cache_bytes = 0;    ///< keys and values of all layers that are kept, float32
};

/// Every time of a trace of the form generate, in order; empty for any other. Without a cache each step that made a
/// row for the new token would make one for every token so far; the prediction is of the last token either way.
std::vector<CachedPass> cached_passes(const Trace& trace);

}  // namespace attn
