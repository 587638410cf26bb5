#pragma once
// How much work a reader did, in steps of its inner loops: what tests look at, because a clock tells a reader that is
// quadratic from one that is slow only on a quiet machine. A thread counts for itself; nothing else reads it.

#include <cstdint>

namespace attn {

inline thread_local std::uint64_t reader_steps = 0;

inline void count_steps(std::uint64_t steps) { reader_steps += steps; }
inline void count_step() { ++reader_steps; }

}  // namespace attn
