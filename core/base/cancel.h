#pragma once
// Cancelling work whose result is no longer needed. Whoever began it holds the std::stop_source; the engine checks the
// token before every step and, in slow kernels, at every row.

#include <stop_token>

namespace attn {

/// Unwinds the work. It never leaves the engine: run() returns an Error instead.
struct Cancelled {};

inline void check(const std::stop_token& stop) {
    if (stop.stop_requested()) throw Cancelled{};
}

}  // namespace attn
