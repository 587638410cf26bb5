#pragma once
// The operations of ops.h, writing to existing memory, as training uses them: single-threaded, and in float32
// throughout, whereas the trace sums in float64. Training does not need the last digit.

#include <span>

#include "core/trace/trace.h"

namespace attn::buffers {

struct View {
    const float* data = nullptr;
    int rows = 0, cols = 0;
    const float* row(int r) const { return data + static_cast<std::ptrdiff_t>(r) * cols; }
    float operator()(int r, int c) const { return row(r)[c]; }
};

struct Call {
    const Params* params;
    std::span<const View> inputs;
    float* out;
    int rows, cols;  ///< of the output
    float* room;     ///< scratch for one row of the output

    template <class Own>
    const Own& as() const {
        return std::get<Own>(*params);
    }
};

using Array = Eigen::Map<Eigen::ArrayXf>;
using ConstArray = Eigen::Map<const Eigen::ArrayXf>;

inline ConstArray whole(const View& v) { return {v.data, static_cast<Eigen::Index>(v.rows) * v.cols}; }
inline Array whole(const Call& c) { return {c.out, static_cast<Eigen::Index>(c.rows) * c.cols}; }
inline ConstArray row_of(const View& v, int r) { return {v.row(r), v.cols}; }
inline Array row_of(const Call& c, int r) { return {c.out + static_cast<std::ptrdiff_t>(r) * c.cols, c.cols}; }

/// make(y, x, z) on the numbers of the output and both inputs; a right operand of one column is broadcast to all
/// columns.
template <class Make>
void number_by_number(const Call& c, const Make& make) {
    const View &a = c.inputs[0], &b = c.inputs[1];
    if (a.cols == b.cols) return make(whole(c), whole(a), whole(b));
    for (int r = 0; r < c.rows; ++r) make(row_of(c, r), row_of(a, r), Eigen::ArrayXf::Constant(a.cols, b(r, 0)));
}

/// out[c] = Σ_r in[r, c], r in order.
inline void sum_of_rows(const float* in, int rows, int cols, float* out) {
    Array sum(out, cols);
    sum.setZero();
    for (int r = 0; r < rows; ++r) sum += ConstArray(in + static_cast<std::ptrdiff_t>(r) * cols, cols);
}

}  // namespace attn::buffers
