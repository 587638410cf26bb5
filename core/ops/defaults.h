#pragma once
// Default parameters of operations, for what a document leaves out.

namespace attn {

/// ε of both norms, and the base of rotary angles.
inline constexpr float kNormEpsilon = 1e-5f;
inline constexpr float kRopeBase = 10000;

}  // namespace attn
