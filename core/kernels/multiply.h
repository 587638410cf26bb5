#pragma once
// The matrix product of the engine.

#include <memory>

#include "core/base/matrix.h"

namespace attn {

/// A (n×f) times B (f×m). Every cell is the chain fma(a_f, b_f, … fma(a₁, b₁, fma(a₀, b₀, 0))) in float32, each step
/// rounded once, in the order of f, wherever the cell stands: equal rows and equal columns give equal numbers to the last
/// bit (a word that stands twice gets the same score twice), and the numbers are the same on every processor, whatever
/// its vectors' width and however many threads share the work. Eigen's own product orders the sums by the place of the
/// cell in its blocks and by the processor, and does not give that.
Matrix multiply(const Matrix& a, const Matrix& b);
/// The same; `finite`: whether no number of it is NaN or infinite, which is looked at while they are in the caches.
Matrix multiply(const Matrix& a, const Matrix& b, bool& finite);
/// Some columns of a matrix.
struct Columns {
    Eigen::Index first, count;
};
/// Whether none of these numbers is NaN or infinite.
bool all_finite(const Matrix& values, Eigen::Index first_row, Eigen::Index past_row, Columns of);
/// Some rows and columns of a matrix, which are read where they stand.
struct MatrixPart {
    const Matrix& of;
    Eigen::Index first, rows;
    Columns columns;
};
inline MatrixPart whole_of(const Matrix& x) { return {x, 0, x.rows(), {0, x.cols()}}; }
/// A part A (n×f) times the first f rows of some columns of B: n×count.
Matrix multiply_part(const MatrixPart& a, const Matrix& b, Columns of_b);

/// A reference to something that is called with rows and columns of a product as soon as they are whole, by the thread that
/// made them, whose caches hold them: what is handed over lives longer than the call.
class ProductWork {
public:
    template <class Work>
    explicit ProductWork(const Work& work)
        : work_(std::addressof(work)), call_([](const void* w, Eigen::Index first, Eigen::Index past, Columns columns) {
              (*static_cast<const Work*>(w))(first, past, columns);
          }) {}
    void operator()(Eigen::Index first, Eigen::Index past, Columns columns) const { call_(work_, first, past, columns); }

private:
    const void* work_;
    void (*call_)(const void*, Eigen::Index, Eigen::Index, Columns);
};
/// The same into `out` (n×count), and then(first, past, columns) for every part of it: each number is in one of them. Several
/// threads call it; it must not throw.
void multiply_into(const MatrixPart& a, const Matrix& b, Columns of_b, float* out, ProductWork then);

}  // namespace attn
