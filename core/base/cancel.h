#pragma once
// Work that nobody wants any more. Who began it holds the std::stop_source; the engine asks the token before every step
// and, in kernels that take long, at every row.

#include <stop_token>

namespace attn {

/// Ends the work from within. It never leaves the engine: run() gives an Error back.
struct Cancelled {};

inline void check(const std::stop_token& stop) {
    if (stop.stop_requested()) throw Cancelled{};
}

}  // namespace attn
