#include "core/ops.h"

#include <cassert>
#include <cmath>
#include <limits>

namespace attn {
namespace {

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();
/// exp() of less is below the smallest normal float: taken as exactly 0 (Eigen's vectorised exp would give 3e-39).
constexpr float kExpUnderflow = -87.0f;
/// Rows are padded to this, so that every element goes through the same vectorised exp and equal scores stay equal.
constexpr int kLanes = 8;

Matrix softmax_value(const Trace& t, const Step& step) {
    const Matrix& from = t[step.inputs[0]].value;
    Matrix out(from.rows(), from.cols());
    for (Eigen::Index row = 0; row < from.rows(); ++row)
        softmax_row(from.row(row).data(), static_cast<int>(from.cols()), step.params.temperature, out.row(row).data());
    return out;
}

Matrix masked_value(const Matrix& scores, const Matrix& pattern) {
    return (pattern.array() != 0.0f).select(scores, Matrix::Constant(scores.rows(), scores.cols(), kMinusInfinity));
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

/// Rows that a reader must be told of: wholly masked (softmax), or beyond float32.
void note_rows(Trace& t, StepId id) {
    const Step& step = t[id];
    const bool weights = step.op == Op::Softmax;
    if (!weights && step.op != Op::MatMul && step.op != Op::Scale && step.op != Op::Add && step.op != Op::AddRow)
        return;
    for (Eigen::Index row = 0; row < step.value.rows(); ++row) {
        const auto r = static_cast<int>(row);
        if (!step.value.row(row).allFinite())
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

std::optional<RowState> softmax_row(const float* row, int count, float temperature, float* out) {
    float maximum = kMinusInfinity;
    bool finite = true;
    for (int i = 0; i < count; ++i) {
        finite = finite && !std::isnan(row[i]) && row[i] != std::numeric_limits<float>::infinity();
        maximum = std::max(maximum, row[i]);
    }
    if (!finite) {
        std::fill(out, out + count, std::numeric_limits<float>::quiet_NaN());
        return RowState::Overflow;
    }
    if (maximum == kMinusInfinity) {
        std::fill(out, out + count, 0.0f);
        return RowState::AllMasked;
    }
    const int padded = (count + kLanes - 1) / kLanes * kLanes;
    Eigen::ArrayXf z = Eigen::ArrayXf::Constant(padded, kMinusInfinity);
    for (int i = 0; i < count; ++i) {
        const float below = row[i] - maximum;  // <= 0; -inf where masked
        if (below == kMinusInfinity && row[i] == kMinusInfinity) continue;
        z[i] = below == 0.0f ? 0.0f : temperature == 0.0f ? kMinusInfinity : below / temperature;
    }
    const auto gone = (z < kExpUnderflow).eval();
    const Eigen::ArrayXf e = gone.select(0.0f, z.max(kExpUnderflow).exp());
    const double sum = e.cast<double>().sum();
    for (int i = 0; i < count; ++i) out[i] = static_cast<float>(e[i] / sum);
    return std::nullopt;
}

Matrix compute(const Trace& t, const Step& step) {
    const auto in = [&](std::size_t i) -> const Matrix& { return t[step.inputs[i]].value; };
    switch (step.op) {
        case Op::Input:
            return step.value;
        case Op::MatMul:
            return in(0) * in(1);
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
            return softmax_value(t, step);
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
