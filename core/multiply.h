#pragma once
// The matrix product of the engine.

#include "core/matrix.h"

namespace attn {

/// A (n×f) times B (f×m). Every cell is the chain fma(a_f, b_f, … fma(a₁, b₁, fma(a₀, b₀, 0))) in float32, each step
/// rounded once, in the order of f, wherever the cell stands: equal rows and equal columns give equal numbers to the last
/// bit (a word that stands twice gets the same score twice), and the numbers are the same on every processor, whatever
/// its vectors' width and however many threads share the work. Eigen's own product orders the sums by the place of the
/// cell in its blocks and by the processor, and does not give that.
Matrix multiply(const Matrix& a, const Matrix& b);
/// Some columns of a matrix.
struct Columns {
    Eigen::Index first, count;
};
/// A (n×f) times the first f rows of some columns of B, which is read where it stands: n×count.
Matrix multiply_part(const Matrix& a, const Matrix& b, Columns of_b);

}  // namespace attn
