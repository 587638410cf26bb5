#include "core/softmax.h"

#include <algorithm>
#include <array>
#include <limits>

#include "core/parallel.h"
#include "core/reused_matrices.h"
#include "core/vectors/widths.h"

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

/// exp((x − maximum) / temperature) of every number, with the limits at 0 and at +∞; 0 where x is −∞. Returns the sum,
/// which is NaN where a number is. The quotient is made in float64, where neither the difference nor the quotient of two
/// floats overflows.
double take_exponentials(const vectors::Kernels& k, const float* row, int count, float maximum, float temperature, float* out) {
    if (temperature != 0.0f)
        return k.exponentials(row, count, maximum, 1.0 / static_cast<double>(temperature), kSmallestExponential, out);
    if (has_nan(row, count)) return std::numeric_limits<double>::quiet_NaN();
    int largest = 0;
    for (int j = 0; j < count; ++j) {
        const bool among = row[j] == maximum;  // asked before it is written: `out` may be `row`
        out[j] = among ? 1.0f : 0.0f;
        largest += among;
    }
    return largest;
}

/// A row's exponentials and their sum, by which they are then divided. Where a state is returned the row is done.
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

/// Rows by their number are begun together and then divided together: no division waits for a sum.
template <class Skips>
void softmax_together(const vectors::Kernels& k, const Matrix& scores, Eigen::Index first, Eigen::Index past, float temperature, const Skips& skips, Matrix& out) {
    std::array<double, kMostTogether> sums;
    std::array<bool, kMostTogether> done;
    const auto count = static_cast<int>(scores.cols());
    const float* const from = scores.data() + first * scores.cols();
    float* const to = out.data() + first * scores.cols();
    for (Eigen::Index row = first; row < past; ++row) {
        const auto i = static_cast<std::size_t>(row - first);
        float* const here = to + (row - first) * count;
        done[i] = skips(row);
        if (done[i])
            std::fill(here, here + count, kNan);
        else
            done[i] = begin_row(k, from + (row - first) * count, count, temperature, here, sums[i]).has_value();
    }
    for (Eigen::Index i = 0; i < past - first; ++i)
        if (!done[static_cast<std::size_t>(i)]) k.times(to + i * count, count, 1.0 / sums[static_cast<std::size_t>(i)], to + i * count);
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
    constexpr double kCost = 8;            // of a number, in simple operations
    constexpr Eigen::Index kNear = 4096;   // numbers that are still in the innermost cache when they are divided
    const vectors::Kernels& k = vectors::kernels();
    const auto skips = [&](Eigen::Index row) { return !overflowed.empty() && overflowed[static_cast<std::size_t>(row)]; };
    const Eigen::Index together = std::clamp<Eigen::Index>(kNear / std::max<Eigen::Index>(scores.cols(), 1), 1, kMostTogether);
    Matrix out = unwritten(scores.rows(), scores.cols());
    share_rows(scores.rows(), kCost * static_cast<double>(scores.cols()), [&](Eigen::Index first, Eigen::Index past) {
        for (Eigen::Index row = first; row < past; row += together)
            softmax_together(k, scores, row, std::min(row + together, past), temperature, skips, out);
    });
    return out;
}

}  // namespace attn
