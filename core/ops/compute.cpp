// The value of every operation from its inputs.
#include <algorithm>
#include <cstring>

#include "core/base/memory.h"
#include "core/base/parallel.h"
#include "core/base/reused_matrices.h"
#include "core/kernels/kernels.h"
#include "core/kernels/multiply.h"
#include "core/kernels/softmax.h"
#include "core/kernels/widths.h"
#include "core/ops/ops.h"

namespace attn {
namespace {

/// Rows of `step` that were noted as beyond float32; empty where there is none.
std::vector<bool> overflowed_rows(const Trace& t, StepId step, const std::vector<Note>& notes) {
    std::vector<bool> rows;
    for (const Note& note : notes)
        if (note.step == step && note.state == RowState::Overflow) {
            rows.resize(static_cast<std::size_t>(t[step].value.rows()), false);
            rows[static_cast<std::size_t>(note.row)] = true;
        }
    return rows;
}

/// Several threads share it where it is large.
Matrix simple_value(const Trace& t, const Step& step) {
    const Matrix& x = t[step.inputs[0]].value;
    Matrix out = unwritten(x.rows(), x.cols());
    if (step.op == Op::Activate)
        kernel::activate(x, step.params.activation, t.stop, out.data());
    else
        share_rows(x.rows(), static_cast<double>(x.cols()), [&](Eigen::Index first, Eigen::Index past) { compute_rows(t, step, first, past, {0, x.cols()}, out.data()); });
    return out;
}

/// Four rows of four numbers, turned: as many shuffles as numbers are half.
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

/// Some rows and columns of x, whose first is `x_col`, into those of `out`: few of its rows at a time, which may lie a power of 2
/// apart and then share their place in the innermost cache.
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

std::vector<Edit> edits_of(const Trace& t, Tag tag) {
    std::vector<Edit> edits;
    for (const Edit& edit : t.edits)
        if (edit.tag == tag) edits.push_back(edit);
    return edits;
}

Matrix penalty_value(const Matrix& coverage, float lambda) {
    const double sum = (1.0 - coverage.cast<double>().array()).square().sum();
    return Matrix::Constant(1, 1, static_cast<float>(static_cast<double>(lambda) * sum));
}

Matrix masked_value(const Matrix& scores, const Matrix& pattern) {
    Matrix out = unwritten(scores.rows(), scores.cols());
    share_rows(scores.rows(), static_cast<double>(scores.cols()), [&](Eigen::Index first, Eigen::Index past) {
        const Eigen::Index begin = first * scores.cols(), end = past * scores.cols();
        vectors::kernels().hide(scores.data() + begin, pattern.data() + begin, end - begin, out.data() + begin);
    });
    return out;
}

Matrix stacked_value(const Trace& t, const Step& step) {
    Eigen::Index rows = 0;
    for (const StepId part : step.inputs) rows += t[part].value.rows();
    Matrix out = unwritten(rows, t[step.inputs[0]].value.cols());
    Eigen::Index at = 0;
    for (const StepId part : step.inputs) {
        out.middleRows(at, t[part].value.rows()) = t[part].value.matrix();
        at += t[part].value.rows();
    }
    return out;
}

/// A few numbers, four at a time: for so few a call of the library takes longer than what it does.
void copy_few(const float* from, Eigen::Index count, float* to) {
    Eigen::Index i = 0;
    for (; i + 4 <= count; i += 4) std::memcpy(to + i, from + i, 4 * sizeof(float));
    for (; i < count; ++i) to[i] = from[i];
}

/// Columns of one matrix that become columns of another, row by row.
void copy_columns(const Matrix& from, Eigen::Index first, Eigen::Index count, Matrix& to, Eigen::Index at) {
    constexpr Eigen::Index kFew = 64;
    const float* source = from.data() + first;
    float* target = to.data() + at;
    for (Eigen::Index r = 0; r < from.rows(); ++r, source += from.cols(), target += to.cols())
        if (count <= kFew)
            copy_few(source, count, target);
        else
            std::copy_n(source, count, target);
}

Matrix sliced_value(const Matrix& x, Eigen::Index first, Eigen::Index count) {
    Matrix out = unwritten(x.rows(), count);
    copy_columns(x, first, count, out, 0);
    return out;
}

Matrix joined_value(const Trace& t, const Step& step) {
    Eigen::Index cols = 0;
    for (const StepId part : step.inputs) cols += t[part].value.cols();
    Matrix out = unwritten(t[step.inputs[0]].value.rows(), cols);
    Eigen::Index at = 0;
    for (const StepId part : step.inputs) {
        copy_columns(t[part].value, 0, t[part].value.cols(), out, at);
        at += t[part].value.cols();
    }
    return out;
}

}  // namespace

/// In squares, so that what was read of a cache line, and of a page, is used before it is gone.
Matrix transposed(const Matrix& x, Columns of) {
    constexpr Eigen::Index kSide = 32;
    constexpr double kCost = 2;  // of a number, in simple operations
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

bool works_in_place(const Step& step) {
    // What a logarithm was taken of tells why it is −∞.
    if (step.op == Op::Activate) return step.params.activation != Activation::Log;
    return step.op == Op::Scale || step.op == Op::Add || step.op == Op::AddRow;
}

void compute_rows(const Trace& t, const Step& step, Eigen::Index first, Eigen::Index past, Columns of, float* out) {
    const Matrix& x = t[step.inputs[0]].value;
    const float* const other = step.inputs.size() > 1 ? t[step.inputs[1]].value.data() : nullptr;
    const vectors::Kernels& k = vectors::kernels();
    const auto some = [&](Eigen::Index at, Eigen::Index count) {
        const float* const from = x.data() + at;
        if (step.op == Op::Activate) return kernel::activate_some(from, count, step.params.activation, out + at);
        if (step.op == Op::Scale) return k.scale(from, count, step.params.factor, out + at);
        k.add(from, step.op == Op::Add ? other + at : other + of.first, count, out + at);
    };
    if (of.count == x.cols() && step.op != Op::AddRow) return some(first * x.cols(), (past - first) * x.cols());
    for (Eigen::Index row = first; row < past; ++row) some(row * x.cols() + of.first, of.count);
}

Matrix compute(const Trace& t, const Step& step) { return compute(t, step, t.notes); }

Matrix compute(const Trace& t, const Step& step, const std::vector<Note>& notes) {
    const auto in = [&](std::size_t i) -> const Matrix& { return t[step.inputs[i]].value; };
    switch (step.op) {
        case Op::Input:
            return step.value.matrix();
        case Op::MatMul:
            return multiply(in(0), in(1));
        case Op::Transpose:
            return transposed(in(0), {0, in(0).cols()});
        case Op::Scale:
        case Op::Add:
        case Op::AddRow:
        case Op::Activate:
            return simple_value(t, step);
        case Op::Multiply:
            return kernel::multiplied(in(0), in(1));
        case Op::Divide:
            return kernel::divided(in(0), in(1));
        case Op::Unit:
            return kernel::unit_rows(in(0));
        case Op::LayerNorm:
            return kernel::layer_norm(in(0), in(1), in(2), step.params.factor);
        case Op::RmsNorm:
            return kernel::rms_norm(in(0), in(1), step.params.factor);
        case Op::Rotate:
            return kernel::rotated(in(0), step.params);
        case Op::PairSum:
            return kernel::pair_sums(in(0), in(1));
        case Op::PairConcat:
            return kernel::pair_rows(in(0), in(1));
        case Op::Fold:
            return Eigen::Map<const Matrix>(in(0).data(), in(0).size() / step.params.extent, step.params.extent);
        case Op::Spread:
            return kernel::spread(in(0), step.params.count, step.params.first, step.params.extent);
        case Op::Collect:
            return kernel::collected(in(0), step.params.count, step.params.first);
        case Op::Window:
            return kernel::window(in(0), step.params.factor, step.params.extent);
        case Op::Gaussian:
            return kernel::gaussian(in(0), step.params.factor, step.params.extent);
        case Op::Mask:
            return masked_value(in(0), in(1));
        case Op::TopK:
            return kernel::top_k(in(0), step.params.count);
        case Op::TopP:
            return kernel::top_p(in(0), step.params.factor, step.params.temperature);
        case Op::Softmax:
            return softmax_rows(in(0), step.params.temperature, overflowed_rows(t, step.inputs[0], notes));
        case Op::Sparsemax:
            return kernel::sparsemax(in(0), step.params.temperature, overflowed_rows(t, step.inputs[0], notes));
        case Op::Draw:
            return kernel::drawn(in(0), step.params.count, step.params.seed, t.stop, step.params.first);
        case Op::RowSum:
            return kernel::row_sums(in(0));
        case Op::RowMax:
            return kernel::row_maxima(in(0), step.inputs.size() > 1 ? &in(1) : nullptr);
        case Op::ColumnSum:
            return kernel::column_sums(in(0));
        case Op::ExpShift:
            return kernel::exp_shifted(in(0), in(1));
        case Op::Penalty:
            return penalty_value(in(0), step.params.factor);
        case Op::Recur:
            return kernel::recurred(in(0), in(1), step.params.backward, edits_of(t, step.tag));
        case Op::Slice:
            return sliced_value(in(0), step.params.first, step.params.extent);
        case Op::SliceRows:
            return t[step.inputs[0]].value.some_rows(step.params.first, step.params.extent);
        case Op::Concat:
            return joined_value(t, step);
        case Op::Stack:
            return stacked_value(t, step);
        case Op::SoftmaxGradient:
            return kernel::softmax_gradient(in(0), in(1), step.params.temperature);
        case Op::NormGradient:
            return kernel::norm_gradient(in(0), in(1), in(2), step.params.centred, step.params.factor);
    }
    return {};
}

}  // namespace attn
