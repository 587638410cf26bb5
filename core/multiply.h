#pragma once
// The matrix product of the engine.

#include "core/matrix.h"

namespace attn {

/// A (n×f) times B (f×m). Every cell is the sum ((a₀b₀ + a₁b₁) + a₂b₂) + … in that order and in float32, wherever it
/// stands: equal rows and equal columns give equal numbers to the last bit (a word that stands twice gets the same
/// score twice), and the numbers are the same on every processor. Eigen's own product orders the sums by the place of
/// the cell in its blocks, and does not give that.
Matrix multiply(const Matrix& a, const Matrix& b);

}  // namespace attn
