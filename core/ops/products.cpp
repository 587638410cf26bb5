// The product of two matrices, and the transpose.
#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>

#include "core/base/memory.h"
#include "core/base/parallel.h"
#include "core/base/reused_matrices.h"
#include "core/kernels/multiply.h"
#include "core/ops/operation.h"
#include "core/ops/record.h"

namespace attn {

StepId matmul(Trace& t, StepId left, StepId right, Tag tag) {
    assert(t[left].value.cols() == t[right].value.rows());
    return record(t, Op::MatMul, tag, {left, right}, t[left].rows, t[right].cols);
}

StepId transpose(Trace& t, StepId from, Tag tag) {
    return record(t, Op::Transpose, tag, {from}, t[from].cols, t[from].rows);
}

namespace {

Shape matmul_shape(const Trace& t, const Step& step) { return {t[step.inputs[0]].value.rows(), t[step.inputs[1]].value.cols()}; }

Work matmul_work(const Trace& t, const Step& step) {
    return {static_cast<double>(step.value.size()) * static_cast<double>(t[step.inputs[0]].value.cols())};
}

Matrix matmul_value(const Reading& r) { return multiply(r.in(0), r.in(1)); }

Node derive_matmul(const Trace& t, const Step& step, Explanation& e) {
    float sum = 0;
    const auto inner = static_cast<int>(t[step.inputs[0]].value.cols());
    e.terms.reserve(static_cast<std::size_t>(inner));
    for (int f = 0; f < inner; ++f) {
        const Cell left{step.inputs[0], e.cell.row, f}, right{step.inputs[1], f, e.cell.col};
        product(t, e, left, right);
        sum = std::fma(number_in(t, left), number_in(t, right), sum);  // in the engine's order and rounding
    }
    return named(total(attn::left() * attn::right()), Name::Sum, static_cast<double>(sum));
}

void matmul_gradient(const Rule& r) {
    if (r.wants(0)) {
        const StepId right = r.pass.transposed(r.in(1));
        r.put(0, matmul(r.t(), r.g, right, r.use(0)));
    }
    if (r.wants(1)) {
        const StepId left = r.pass.transposed(r.in(0));
        r.put(1, matmul(r.t(), left, r.g, r.use(1)));
    }
}

Shape transpose_shape(const Trace& t, const Step& step) { return {t[step.inputs[0]].value.cols(), t[step.inputs[0]].value.rows()}; }

/// Transposes 4×4 numbers with 8 shuffles.
void turn_four(const float* from, Eigen::Index apart, float* to, Eigen::Index to_apart) {
    using Four [[gnu::vector_size(16)]] = float;
    Four rows[4];
    for (Eigen::Index i = 0; i < 4; ++i) std::memcpy(&rows[i], from + i * apart, sizeof(Four));
    const Four a = __builtin_shufflevector(rows[0], rows[1], 0, 4, 1, 5), b = __builtin_shufflevector(rows[2], rows[3], 0, 4, 1, 5),
               c = __builtin_shufflevector(rows[0], rows[1], 2, 6, 3, 7), d = __builtin_shufflevector(rows[2], rows[3], 2, 6, 3, 7);
    const Four turned[4] = {__builtin_shufflevector(a, b, 0, 1, 4, 5), __builtin_shufflevector(a, b, 2, 3, 6, 7),
                            __builtin_shufflevector(c, d, 0, 1, 4, 5), __builtin_shufflevector(c, d, 2, 3, 6, 7)};
    for (Eigen::Index i = 0; i < 4; ++i) std::memcpy(to + i * to_apart, &turned[i], sizeof(Four));
}

/// Transposes a block of x (`x_col`: the first column taken) into `out`: few rows of `out` at a time, because rows may
/// lie a power of 2 apart and then compete for the same sets of the innermost cache.
void turn_block(const Matrix& x, Eigen::Index x_col, Eigen::Index row, Eigen::Index past_row, Eigen::Index col, Eigen::Index past_col, Matrix& out) {
    for (Eigen::Index c = col; c < past_col; c += 4)
        for (Eigen::Index r = row; r < past_row; r += 4) {
            const float* from = x.data() + r * x.cols() + x_col + c;
            float* to = out.data() + c * x.rows() + r;
            if (r + 4 <= past_row && c + 4 <= past_col) {
                turn_four(from, x.cols(), to, x.rows());
                continue;
            }
            for (Eigen::Index i = 0; r + i < past_row && i < 4; ++i)
                for (Eigen::Index j = 0; c + j < past_col && j < 4; ++j) to[j * x.rows() + i] = from[i * x.cols() + j];
        }
}

Matrix transpose_value(const Reading& r) { return transposed(r.in(0), {0, r.in(0).cols()}); }

Node derive_transpose(const Trace& t, const Step& step, Explanation& e) { return carried(t, e, {step.inputs[0], e.cell.col, e.cell.row}); }

void transpose_gradient(const Rule& r) { r.put(0, transpose(r.t(), r.g, r.use(0))); }

void train_transpose(const buffers::Call& c) {
    for (int r = 0; r < c.rows; ++r)
        for (int k = 0; k < c.cols; ++k) c.out[static_cast<std::ptrdiff_t>(r) * c.cols + k] = c.inputs[0](k, r);
}

}  // namespace

/// In square tiles, so that a cache line and a page are fully used before they are evicted.
Matrix transposed(const Matrix& x, Columns of) {
    constexpr Eigen::Index kSide = 32;
    constexpr double kCost = 2;  // per number, in simple operations
    Matrix out = unwritten(of.count, x.rows());
    ask_large_pages(out.data(), static_cast<std::size_t>(out.size()) * sizeof(float));
    const Eigen::Index strips = (of.count + kSide - 1) / kSide;
    share_rows(strips, kCost * static_cast<double>(kSide * x.rows()), [&](Eigen::Index first_strip, Eigen::Index past_strip) {
        for (Eigen::Index strip = first_strip; strip < past_strip; ++strip)
            for (Eigen::Index first = 0; first < x.rows(); first += kSide) {
                const Eigen::Index past = std::min(first + kSide, x.rows()), end = std::min((strip + 1) * kSide, of.count);
                turn_block(x, of.first, first, past, strip * kSide, end, out);
            }
    });
    return out;
}

constexpr Operation operations::kMatMul = {
    .shape = matmul_shape, .work = matmul_work, .value = matmul_value, .derive = derive_matmul,
    .has_slope = slopes_everywhere, .gradient = matmul_gradient,
    .trained = kNotTrained,  // training plans handle it themselves: they know which examples the factors belong to
    .noted = kMakesNumbers, .remade = kRemadeByRows,
};

constexpr Operation operations::kTranspose = {
    .shape = transpose_shape, .work = no_work, .value = transpose_value, .derive = derive_transpose,
    .has_slope = slopes_everywhere, .gradient = transpose_gradient, .trained = Trained(train_transpose, true),
    .noted = kCarriesNumbers, .remade = kRemadeByRows,
};

}  // namespace attn
