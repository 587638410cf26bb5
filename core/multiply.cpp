#include "core/multiply.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace attn {
namespace {

/// A block of kRows × kLane results is kept in registers while f runs over the whole sum.
constexpr int kRows = 4;
constexpr int kLane = 8;
using Lane = Eigen::Array<float, 1, kLane>;
using LaneView = Eigen::Map<const Lane>;

/// Row-major blocks inside larger matrices: the first number, and how far apart rows are.
struct View {
    const float* data;
    Eigen::Index stride;
};

template <int Rows>
void lane_block(View a, View b, Eigen::Index inner, float* out, Eigen::Index stride) {
    std::array<Lane, Rows> sums;
    sums.fill(Lane::Zero());
    for (Eigen::Index f = 0; f < inner; ++f) {
        const Lane column = LaneView(b.data + f * b.stride);
        for (int r = 0; r < Rows; ++r) sums[static_cast<std::size_t>(r)] += column * a.data[r * a.stride + f];
    }
    for (int r = 0; r < Rows; ++r) Eigen::Map<Lane>(out + r * stride) = sums[static_cast<std::size_t>(r)];
}

void row_blocks(const Matrix& a, View b, float* out, Eigen::Index stride) {
    const Eigen::Index whole = a.rows() / kRows * kRows;
    for (Eigen::Index i = 0; i < whole; i += kRows)
        lane_block<kRows>({a.data() + i * a.cols(), a.cols()}, b, a.cols(), out + i * stride, stride);
    for (Eigen::Index i = whole; i < a.rows(); ++i)
        lane_block<1>({a.data() + i * a.cols(), a.cols()}, b, a.cols(), out + i * stride, stride);
}

/// The columns of B past the last whole lane, filled up with zeros: they go through the same instructions.
void last_columns(const Matrix& a, const Matrix& b, Eigen::Index first, Matrix& out) {
    const Eigen::Index left = b.cols() - first;
    Eigen::Matrix<float, Eigen::Dynamic, kLane, Eigen::RowMajor> padded(b.rows(), kLane), sums(a.rows(), kLane);
    padded.setZero();
    padded.leftCols(left) = b.middleCols(first, left);
    row_blocks(a, {padded.data(), kLane}, sums.data(), kLane);
    out.middleCols(first, left) = sums.leftCols(left);
}

}  // namespace

Matrix multiply(const Matrix& a, const Matrix& b) {
    assert(a.cols() == b.rows());
    Matrix out(a.rows(), b.cols());
    const Eigen::Index whole = b.cols() / kLane * kLane;
    for (Eigen::Index j = 0; j < whole; j += kLane) row_blocks(a, {b.data() + j, b.cols()}, out.data() + j, out.cols());
    if (whole < b.cols()) last_columns(a, b, whole, out);
    return out;
}

}  // namespace attn
