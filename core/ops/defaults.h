#pragma once
// Parameters of operations where a document says nothing.

namespace attn {

/// ε of both norms where a document says nothing, and the base of rotary angles.
inline constexpr float kNormEpsilon = 1e-5f;
inline constexpr float kRopeBase = 10000;

}  // namespace attn
