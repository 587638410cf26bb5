#pragma once
// How much work a reader did, in steps of its inner loops. Tests check this, because a clock can tell a quadratic
// reader from one that is merely slow only on a quiet machine. Counted per thread; nothing else reads it.

#include <cstdint>

namespace attn {

inline thread_local std::uint64_t reader_steps = 0;

inline void count_steps(std::uint64_t steps) { reader_steps += steps; }
inline void count_step() { ++reader_steps; }

}  // namespace attn
