#include "core/ops.h"

#include <cassert>
#include <cmath>
#include <limits>

#include "core/multiply.h"
#include "core/softmax.h"

namespace attn {
namespace {

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

/// True where no number is NaN or infinite: x·0 is 0 for all others, and one sum over it is fast.
template <class Values>
bool all_finite(const Eigen::DenseBase<Values>& values) {
    return (values.derived().array() * 0.0f).sum() == 0.0f;
}

/// Rows of `step` that were noted as beyond float32.
std::vector<bool> overflowed_rows(const Trace& t, StepId step) {
    std::vector<bool> rows(static_cast<std::size_t>(t[step].value.rows()), false);
    for (const Note& note : t.notes)
        if (note.step == step && note.state == RowState::Overflow) rows[static_cast<std::size_t>(note.row)] = true;
    return rows;
}

Matrix masked_value(const Matrix& scores, const Matrix& pattern) {
    Matrix out(scores.rows(), scores.cols());
    for (Eigen::Index i = 0; i < out.size(); ++i)
        out.data()[i] = pattern.data()[i] != 0.0f ? scores.data()[i] : kMinusInfinity;
    return out;
}

Matrix joined_value(const Trace& t, const Step& step) {
    Eigen::Index cols = 0;
    for (const StepId part : step.inputs) cols += t[part].value.cols();
    Matrix out(t[step.inputs[0]].value.rows(), cols);
    Eigen::Index at = 0;
    for (const StepId part : step.inputs) {
        out.middleCols(at, t[part].value.cols()) = t[part].value;
        at += t[part].value.cols();
    }
    return out;
}

/// Whether a row holds what no float32 can: an infinity or NaN. Where a mask stands, −∞ is meant.
bool overflowed(const Trace& t, const Step& step, Eigen::Index row) {
    const auto values = step.value.row(row);
    if (step.op != Op::Mask) return !all_finite(values);
    const auto pattern = t[step.inputs[1]].value.row(row);
    for (Eigen::Index j = 0; j < values.cols(); ++j)
        if (!std::isfinite(values[j]) && (pattern[j] != 0.0f || values[j] != kMinusInfinity)) return true;
    return false;
}

/// Operations that can make a number too large, rather than only move one.
bool can_overflow(Op op) {
    return op == Op::MatMul || op == Op::Scale || op == Op::Add || op == Op::AddRow || op == Op::Mask ||
           op == Op::Softmax;
}

/// Rows that a reader must be told of: wholly masked (softmax), or beyond float32.
void note_rows(Trace& t, StepId id) {
    const Step& step = t[id];
    if (!can_overflow(step.op)) return;
    const bool weights = step.op == Op::Softmax;
    const bool sound = step.op != Op::Mask && all_finite(step.value);
    if (sound && !weights) return;
    for (Eigen::Index row = 0; row < step.value.rows(); ++row) {
        const auto r = static_cast<int>(row);
        if (!sound && overflowed(t, step, row))
            t.notes.push_back({id, r, RowState::Overflow});
        else if (weights && (t[step.inputs[0]].value.row(row).array() == kMinusInfinity).all())
            t.notes.push_back({id, r, RowState::AllMasked});
    }
}

void apply_edits(const Trace& t, Step& step) {
    for (const Edit& edit : t.edits) {
        if (edit.tag != step.tag || edit.row >= step.value.rows() || edit.col >= step.value.cols()) continue;
        float& cell = step.value(edit.row, edit.col);
        step.replaced.push_back({edit.row, edit.col, cell});
        cell = edit.value;
    }
}

StepId record(Trace& t, Step step) {
    if (step.op != Op::Input) step.value = compute(t, step);
    apply_edits(t, step);
    t.steps.push_back(std::move(step));
    note_rows(t, t.size() - 1);
    return t.size() - 1;
}

Step make(Op op, Tag tag, std::vector<StepId> inputs, Axis rows, Axis cols) {
    Step step;
    step.op = op;
    step.tag = tag;
    step.inputs = std::move(inputs);
    step.rows = rows;
    step.cols = cols;
    return step;
}

}  // namespace

Matrix compute(const Trace& t, const Step& step) {
    const auto in = [&](std::size_t i) -> const Matrix& { return t[step.inputs[i]].value; };
    switch (step.op) {
        case Op::Input:
            return step.value;
        case Op::MatMul:
            return multiply(in(0), in(1));
        case Op::Transpose:
            return in(0).transpose();
        case Op::Scale:
            return in(0) * step.params.factor;
        case Op::Add:
            return in(0) + in(1);
        case Op::AddRow:
            return in(0).rowwise() + in(1).row(0);
        case Op::Mask:
            return masked_value(in(0), in(1));
        case Op::Softmax:
            return softmax_rows(in(0), step.params.temperature, overflowed_rows(t, step.inputs[0]));
        case Op::Slice:
            return in(0).middleCols(step.params.first_column, step.value.cols());
        case Op::Concat:
            return joined_value(t, step);
    }
    return {};
}

StepId input(Trace& t, Matrix value, Tag tag, Axis rows, Axis cols, std::vector<Source> sources) {
    Step step = make(Op::Input, tag, {}, rows, cols);
    step.params.sources = std::move(sources);
    step.value = std::move(value);
    return record(t, std::move(step));
}

StepId matmul(Trace& t, StepId left, StepId right, Tag tag) {
    assert(t[left].value.cols() == t[right].value.rows());
    return record(t, make(Op::MatMul, tag, {left, right}, t[left].rows, t[right].cols));
}

StepId transpose(Trace& t, StepId from, Tag tag) {
    return record(t, make(Op::Transpose, tag, {from}, t[from].cols, t[from].rows));
}

StepId scale(Trace& t, StepId from, float factor, Tag tag) {
    Step step = make(Op::Scale, tag, {from}, t[from].rows, t[from].cols);
    step.params.factor = factor;
    return record(t, std::move(step));
}

StepId add(Trace& t, StepId left, StepId right, Tag tag) {
    assert(t[left].value.rows() == t[right].value.rows() && t[left].value.cols() == t[right].value.cols());
    return record(t, make(Op::Add, tag, {left, right}, t[left].rows, t[left].cols));
}

StepId add_row(Trace& t, StepId left, StepId bias, Tag tag) {
    assert(t[bias].value.rows() == 1 && t[left].value.cols() == t[bias].value.cols());
    return record(t, make(Op::AddRow, tag, {left, bias}, t[left].rows, t[left].cols));
}

StepId mask(Trace& t, StepId scores, StepId pattern, Tag tag) {
    assert(t[scores].value.rows() == t[pattern].value.rows() && t[scores].value.cols() == t[pattern].value.cols());
    return record(t, make(Op::Mask, tag, {scores, pattern}, t[scores].rows, t[scores].cols));
}

StepId softmax(Trace& t, StepId from, float temperature, Tag tag) {
    Step step = make(Op::Softmax, tag, {from}, t[from].rows, t[from].cols);
    step.params.temperature = temperature;
    return record(t, std::move(step));
}

StepId slice(Trace& t, StepId from, int first, int count, Tag tag) {
    assert(first >= 0 && count >= 0 && first + count <= t[from].value.cols());
    Step step = make(Op::Slice, tag, {from}, t[from].rows, t[from].cols);
    step.cols.first += first;
    step.params.first_column = first;
    step.value.resize(t[from].value.rows(), count);  // its shape is its parameter
    return record(t, std::move(step));
}

StepId concat(Trace& t, const std::vector<StepId>& parts, Tag tag) {
    assert(!parts.empty());
    return record(t, make(Op::Concat, tag, parts, t[parts[0]].rows, Axis{Axis::Kind::Units, 0}));
}

}  // namespace attn
