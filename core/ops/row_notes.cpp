// Notes on rows: fully masked, or overflowed float32.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "core/base/parallel.h"
#include "core/kernels/widths.h"
#include "core/ops/operation.h"

namespace attn {
namespace {

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

/// Whether a row overflowed float32: it holds NaN or an infinity that is not intended.
bool overflowed(const Trace& t, const Step& step, Eigen::Index row) {
    const Noted& noted = operation_of(step.op).noted;
    const auto values = step.value.row(row);
    for (Eigen::Index j = 0; j < values.cols(); ++j) {
        if (std::isfinite(values[j])) continue;
        const bool meant = values[j] == kMinusInfinity && noted.means_infinity != nullptr && noted.means_infinity(t, step, row, j);
        if (!meant) return true;
    }
    return false;
}

/// Whether the step's rows were checked and none was noted.
bool was_found_finite(const Trace& t, StepId id, const std::vector<Note>& notes) {
    if (!makes_numbers(t[id].op) || t[id].value.recipe()) return false;
    return std::none_of(notes.begin(), notes.end(), [id](const Note& note) { return note.step == id; });
}

/// True where no number of the step is NaN or infinite.
bool is_finite(const Trace& t, const Step& step, const std::vector<Note>& notes) {
    const auto surely = operation_of(step.op).noted->surely_finite;
    if (step.replaced.empty() && surely != nullptr && surely(t, step, was_found_finite(t, step.inputs[0], notes))) return true;
    return is_finite_throughout(step.value);
}

}  // namespace

bool is_finite_throughout(const Matrix& values) {
    std::atomic<bool> sound = true;
    share_rows(values.rows(), static_cast<double>(values.cols()), [&](Eigen::Index first, Eigen::Index past) {
        if (!vectors::kernels().all_finite(values.data() + first * values.cols(), (past - first) * values.cols()))
            sound = false;
    });
    return sound;
}

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

void note_rows(const Trace& t, StepId id, std::vector<Note>& notes) {
    const Step& step = t[id];
    if (!can_overflow(step.op)) return;
    const auto saw_nothing = operation_of(step.op).noted->saw_nothing;
    const bool finite = is_finite(t, step, notes);
    if (finite && saw_nothing == nullptr) return;
    for (Eigen::Index row = 0, rows = step.value.rows(); row < rows; ++row) {
        const auto r = static_cast<int>(row);
        if (saw_nothing != nullptr && saw_nothing(t, step, row))
            notes.push_back({id, r, RowState::AllMasked});
        else if (!finite && overflowed(t, step, row))
            notes.push_back({id, r, RowState::Overflow});
    }
}

}  // namespace attn
