#include "core/kernels/softmax.h"

#include <algorithm>
#include <array>
#include <limits>

#include "core/base/parallel.h"
#include "core/base/reused_matrices.h"
#include "core/kernels/widths.h"

namespace attn {
namespace {

constexpr float kLargest = std::numeric_limits<float>::max();
constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
/// An exponential below the smallest normal float32 is exactly 0.
constexpr double kSmallestExponential = static_cast<double>(std::numeric_limits<float>::min());

bool has_nan(const float* row, int count) {
    bool found = false;
    for (int j = 0; j < count; ++j) found |= row[j] != row[j];
    return found;
}

/// exp((x − maximum) / temperature) for every number, with the limits at 0 and at +∞; 0 where x is −∞. Returns the sum,
/// which is NaN if a number is. The exponent is computed in float64, where neither difference nor quotient of two
/// floats overflows.
double take_exponentials(const vectors::Kernels& k, const float* row, int count, float maximum, float temperature, float* out) {
    if (temperature != 0.0f)
        return k.exponentials(row, count, maximum, 1.0 / static_cast<double>(temperature), kSmallestExponential, out);
    if (has_nan(row, count)) return std::numeric_limits<double>::quiet_NaN();
    int largest = 0;
    for (int j = 0; j < count; ++j) {
        const bool among = row[j] == maximum;  // compared before it is written: `out` may be `row`
        out[j] = among ? 1.0f : 0.0f;
        largest += among;
    }
    return largest;
}

/// Writes a row's exponentials and returns their sum, by which they are divided afterwards. If a state is returned, the
/// row is done.
std::optional<RowState> begin_row(const vectors::Kernels& k, const float* row, int count, float temperature, float* out, double& sum) {
    const float maximum = count == 0 ? kMinusInfinity : k.largest(row, count);
    if (maximum == kMinusInfinity && !has_nan(row, count)) {
        std::fill(out, out + count, 0.0f);
        return RowState::AllMasked;
    }
    const bool sound = kMinusInfinity < maximum && maximum <= kLargest;
    sum = sound ? take_exponentials(k, row, count, maximum, temperature, out) : 0;
    if (!(sum > 0)) {
        std::fill(out, out + count, kNan);
        return RowState::Overflow;
    }
    return std::nullopt;
}

constexpr Eigen::Index kMostTogether = 16;
constexpr Eigen::Index kNear = 4096;  ///< numbers that are still in the innermost cache when they are divided

/// How many rows of this width are begun together and then divided together, so that no division waits for its sum.
Eigen::Index rows_together(Eigen::Index cols) { return std::clamp<Eigen::Index>(kNear / std::max<Eigen::Index>(cols, 1), 1, kMostTogether); }

/// Softmax of consecutive rows in `from`; begin(i, row, out, sum) is begin_row(), but returns true if the row is done.
template <class Begin>
void softmax_together(const vectors::Kernels& k, const float* from, Eigen::Index rows, int count, const Begin& begin, float* to) {
    std::array<double, kMostTogether> sums;
    std::array<bool, kMostTogether> done;
    for (Eigen::Index row = 0; row < rows; ++row) {
        const auto i = static_cast<std::size_t>(row);
        done[i] = begin(row, from + row * count, to + row * count, sums[i]);
    }
    for (Eigen::Index row = 0; row < rows; ++row) {
        const auto i = static_cast<std::size_t>(row);
        if (!done[i]) k.times(to + row * count, count, 1.0 / sums[i], to + row * count);
    }
}

}  // namespace

std::optional<RowState> softmax_row(const float* row, int count, float temperature, float* out) {
    const vectors::Kernels& k = vectors::kernels();
    double sum = 0;
    if (const auto state = begin_row(k, row, count, temperature, out, sum)) return state;
    k.times(out, count, 1.0 / sum, out);
    return std::nullopt;
}

Matrix softmax_rows(const Matrix& scores, float temperature, const std::vector<bool>& overflowed) {
    constexpr double kCost = 8;  // per number, in simple operations
    const vectors::Kernels& k = vectors::kernels();
    const Eigen::Index together = rows_together(scores.cols());
    const auto count = static_cast<int>(scores.cols());
    Matrix out = unwritten(scores.rows(), scores.cols());
    share_rows(scores.rows(), kCost * static_cast<double>(count), [&](Eigen::Index first, Eigen::Index past) {
        for (Eigen::Index at = first; at < past; at += together) {
            const auto begin = [&](Eigen::Index row, const float* from, float* to, double& sum) {
                const bool skips = !overflowed.empty() && overflowed[static_cast<std::size_t>(at + row)];
                if (skips) std::fill(to, to + count, kNan);
                return skips || begin_row(k, from, count, temperature, to, sum).has_value();
            };
            softmax_together(k, scores.data() + at * count, std::min(together, past - at), count, begin, out.data() + at * count);
        }
    });
    return out;
}

bool softmax_in_place(float* numbers, Eigen::Index rows, int cols, float temperature, std::vector<int>& hidden) {
    const vectors::Kernels& k = vectors::kernels();
    const Eigen::Index together = rows_together(cols);
    bool sound = true;
    for (Eigen::Index at = 0; at < rows; at += together) {
        const auto begin = [&](Eigen::Index row, const float* from, float* to, double& sum) {
            const std::optional<RowState> state = begin_row(k, from, cols, temperature, to, sum);
            if (state == RowState::AllMasked) hidden.push_back(static_cast<int>(at + row));
            sound &= state != RowState::Overflow;
            return state.has_value();
        };
        float* const here = numbers + at * cols;
        softmax_together(k, here, std::min(together, rows - at), cols, begin, here);
    }
    return sound;
}

}  // namespace attn
