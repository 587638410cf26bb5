#pragma once
// The engine's matrix product.

#include <memory>

#include "core/base/matrix.h"

namespace attn {

/// A (n×f) times B (f×m). Every cell is the chain fma(a_f, b_f, … fma(a₁, b₁, fma(a₀, b₀, 0))) in float32, each step
/// rounded once, in the order of f, wherever the cell is: equal rows and equal columns give bit-identical numbers (a
/// word that occurs twice gets the same score twice), and the numbers are the same on every processor, whatever its
/// vector width and the number of threads. Eigen's own product orders the sums by the cell's place in its blocks and by
/// the processor, and does not give that.
Matrix multiply(const Matrix& a, const Matrix& b);
/// The same; `finite`: whether no number of it is NaN or infinite, checked while the numbers are in the caches.
Matrix multiply(const Matrix& a, const Matrix& b, bool& finite);
/// Some columns of a matrix.
struct Columns {
    Eigen::Index first, count;
};
/// Whether none of these numbers is NaN or infinite.
bool all_finite(const Matrix& values, Eigen::Index first_row, Eigen::Index past_row, Columns of);
/// Some rows and columns of a matrix, read in place.
struct MatrixPart {
    const Matrix& of;
    Eigen::Index first, rows;
    Columns columns;
};
inline MatrixPart whole_of(const Matrix& x) { return {x, 0, x.rows(), {0, x.cols()}}; }
/// A part A (n×f) times the first f rows of some columns of B: n×count.
Matrix multiply_part(const MatrixPart& a, const Matrix& b, Columns of_b);

/// A reference to a callable that receives the rows and columns of each part of a product as soon as it is complete, on
/// the thread that computed it and has it in its caches. Does not own the callable, which must outlive the call.
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
/// The same into `out` (n×count), calling then(first, past, columns) on disjoint parts that cover it. Several threads
/// call it; it must not throw.
void multiply_into(const MatrixPart& a, const Matrix& b, Columns of_b, float* out, ProductWork then);

}  // namespace attn
