// What is told of a row: nothing was looked at, or its numbers are none that float32 has.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "core/ops.h"
#include "core/parallel.h"
#include "core/vectors/widths.h"

namespace attn {
namespace {

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

/// True where no number is NaN or infinite.
bool all_finite(const Matrix& values) {
    std::atomic<bool> sound = true;
    share_rows(values.rows(), static_cast<double>(values.cols()), [&](Eigen::Index first, Eigen::Index past) {
        if (!vectors::kernels().all_finite(values.data() + first * values.cols(), (past - first) * values.cols()))
            sound = false;
    });
    return sound;
}

/// −∞ that is meant: masked, or not among those kept.
bool hidden_on_purpose(const Trace& t, const Step& step, Eigen::Index row, Eigen::Index col) {
    if (step.op != Op::Mask && step.op != Op::TopK && step.op != Op::TopP) return false;
    if (step.op == Op::Mask && t[step.inputs[1]].value(row, col) == 0.0f) return true;
    const Step& before = t[step.inputs[0]];
    return hidden_on_purpose(t, before, row, col) || (step.op != Op::Mask && std::isfinite(before.value(row, col)));
}

/// Whether a row holds what no float32 can: an infinity or NaN. Where a mask stands, −∞ is meant; so is the running
/// maximum of nothing.
bool overflowed(const Trace& t, const Step& step, Eigen::Index row) {
    const auto values = step.value.row(row);
    for (Eigen::Index j = 0; j < values.cols(); ++j) {
        if (std::isfinite(values[j])) continue;
        const bool meant = values[j] == kMinusInfinity && (step.op == Op::RowMax || hidden_on_purpose(t, step, row, j));
        if (!meant) return true;
    }
    return false;
}

/// ln 0 of a whole row's likelihood: nothing was looked at.
bool log_of_nothing(const Trace& t, const Step& step, Eigen::Index row) {
    return step.op == Op::Activate && step.params.activation == Activation::Log && step.value.cols() == 1 &&
           t[step.inputs[0]].value(row, 0) == 0;
}

/// −∞ throughout, or nothing at all.
bool all_hidden(const Matrix& scores, Eigen::Index row) {
    const float* const first = scores.data() + row * scores.cols();
    return std::all_of(first, first + scores.cols(), [](float score) { return score == kMinusInfinity; });
}

}  // namespace

bool makes_shares(Op op) { return op == Op::Softmax || op == Op::Sparsemax; }

bool counts_rows(Op op) { return op == Op::Rotate || op == Op::Spread; }

bool can_overflow(Op op) { return op != Op::Input && !carries_cells(op); }

void note_rows(Trace& t, StepId id) {
    const Step& step = t[id];
    if (!can_overflow(step.op)) return;
    // What a mask hides of finite scores is meant.
    if (step.op == Op::Mask && all_finite(t[step.inputs[0]].value)) return;
    const bool weights = makes_shares(step.op);
    // A quotient by the sum of a row's weights: nothing was looked at where that is 0.
    const bool shares = step.op == Op::Divide && t[step.inputs[1]].value.cols() == 1;
    const bool sound = all_finite(step.value);
    if (sound && !weights && !shares) return;
    for (Eigen::Index row = 0, rows = step.value.rows(); row < rows; ++row) {
        const auto r = static_cast<int>(row);
        if (!sound && overflowed(t, step, row))
            t.notes.push_back({id, r, log_of_nothing(t, step, row) ? RowState::AllMasked : RowState::Overflow});
        else if (weights && all_hidden(t[step.inputs[0]].value, row))
            t.notes.push_back({id, r, RowState::AllMasked});
        else if (shares && t[step.inputs[1]].value(row, 0) == 0)
            t.notes.push_back({id, r, RowState::AllMasked});
    }
}

}  // namespace attn
