// What is told of a row: nothing was looked at, or its numbers are none that float32 has.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "core/base/parallel.h"
#include "core/kernels/widths.h"
#include "core/ops/ops.h"

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

/// Its rows were looked through, and there was nothing to be told of.
bool was_found_finite(const Trace& t, StepId id, const std::vector<Note>& notes) {
    if (!makes_numbers(t[id].op) || t[id].value.recipe()) return false;
    return std::none_of(notes.begin(), notes.end(), [id](const Note& note) { return note.step == id; });
}

/// Whether a norm makes finite numbers of finite ones: what it multiplies by its gain is no larger than the root of their
/// count.
bool norm_stays_finite(const Trace& t, const Step& step) {
    if ((step.op != Op::LayerNorm && step.op != Op::RmsNorm) || !(step.params.factor > 0)) return false;
    const Columns all{0, step.value.cols()};
    const double gain = length_of(t[step.inputs[1]].value, all), bias = step.op == Op::LayerNorm ? length_of(t[step.inputs[2]].value, all) : 0;
    return gain * std::sqrt(static_cast<double>(step.value.cols())) + bias < kSurelyFinite;
}

/// True where no number of the step is NaN or infinite. Not all need be looked at: a softmax makes a row of shares or of NaN
/// alone, and where numbers were looked through and found finite, some operations leave them so.
bool all_finite(const Trace& t, const Step& step, const std::vector<Note>& notes) {
    const Matrix& values = step.value;
    if (!step.replaced.empty()) return all_finite(values);
    if (step.op == Op::Softmax && step.params.temperature >= 0 && values.cols() > 0) return values.col(0).allFinite();
    return (was_found_finite(t, step.inputs[0], notes) && (stays_finite(step) || norm_stays_finite(t, step))) || all_finite(values);
}

/// ln 0 of a whole row's likelihood: nothing was looked at.
bool log_of_nothing(const Trace& t, const Step& step, Eigen::Index row) {
    return step.op == Op::Activate && step.params.activation == Activation::Log && step.value.cols() == 1 &&
           t[step.inputs[0]].value(row, 0) == 0;
}

/// Nothing was looked at: the row's scores are −∞ throughout, or there are none. Then its shares are 0, which else none
/// but those typed over are.
bool all_hidden(const Trace& t, const Step& step, Eigen::Index row) {
    const bool by_scores = !step.replaced.empty();
    const Matrix& read = by_scores ? t[step.inputs[0]].value : step.value;
    const float* const first = read.data() + row * read.cols();
    return std::all_of(first, first + read.cols(), [&](float x) { return x == (by_scores ? kMinusInfinity : 0.0f); });
}

}  // namespace

double length_of(const MatrixPart& part) {
    const Eigen::Index cols = part.of.cols(), count = part.columns.count;
    if (part.rows == 0 || count == 0) return 0;
    const vectors::Kernels& k = vectors::kernels();
    const float* const first = part.of.data() + part.first * cols + part.columns.first;
    if (count == cols) return std::sqrt(k.sum_of_squares(first, part.rows * cols, 0));
    double sum = 0;
    for (Eigen::Index row = 0; row < part.rows; ++row) sum += k.sum_of_squares(first + row * cols, count, 0);
    return std::sqrt(sum);
}

bool makes_shares(Op op) { return op == Op::Softmax || op == Op::Sparsemax; }

bool stays_finite(const Step& step) {
    if (step.op == Op::Scale) return std::abs(step.params.factor) <= 1;
    if (step.op != Op::Activate) return false;
    switch (step.params.activation) {
        case Activation::Tanh:
        case Activation::Sigmoid:
        case Activation::Relu:
        case Activation::LeakyRelu:
        case Activation::Gelu:
        case Activation::GeluTanh:
        case Activation::Silu:
            return true;
        default:
            return false;
    }
}

bool makes_numbers(Op op) {
    return op == Op::MatMul || op == Op::Scale || op == Op::Add || op == Op::AddRow || op == Op::Activate;
}

bool counts_rows(Op op) { return op == Op::Rotate || op == Op::Spread; }

bool can_overflow(Op op) { return op != Op::Input && !carries_cells(op); }

void note_rows(const Trace& t, StepId id, std::vector<Note>& notes) {
    const Step& step = t[id];
    if (!can_overflow(step.op)) return;
    // What a mask hides of finite scores is meant.
    if (step.op == Op::Mask && all_finite(t[step.inputs[0]].value)) return;
    const bool weights = makes_shares(step.op);
    // A quotient by the sum of a row's weights: nothing was looked at where that is 0.
    const bool shares = step.op == Op::Divide && t[step.inputs[1]].value.cols() == 1;
    const bool sound = all_finite(t, step, notes);
    if (sound && !weights && !shares) return;
    for (Eigen::Index row = 0, rows = step.value.rows(); row < rows; ++row) {
        const auto r = static_cast<int>(row);
        if (!sound && overflowed(t, step, row))
            notes.push_back({id, r, log_of_nothing(t, step, row) ? RowState::AllMasked : RowState::Overflow});
        else if (weights && all_hidden(t, step, row))
            notes.push_back({id, r, RowState::AllMasked});
        else if (shares && t[step.inputs[1]].value(row, 0) == 0)
            notes.push_back({id, r, RowState::AllMasked});
    }
}

}  // namespace attn
