#include "core/softmax.h"

#include <algorithm>
#include <limits>

#include "core/parallel.h"
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

std::optional<RowState> softmax_of(const vectors::Kernels& k, const float* row, int count, float temperature, float* out) {
    const float maximum = count == 0 ? kMinusInfinity : k.largest(row, count);
    if (maximum == kMinusInfinity && !has_nan(row, count)) {
        std::fill(out, out + count, 0.0f);
        return RowState::AllMasked;
    }
    const bool sound = kMinusInfinity < maximum && maximum <= kLargest;
    const double sum = sound ? take_exponentials(k, row, count, maximum, temperature, out) : 0;
    if (!(sum > 0)) {
        std::fill(out, out + count, kNan);
        return RowState::Overflow;
    }
    k.times(out, count, 1.0 / sum, out);
    return std::nullopt;
}

}  // namespace

std::optional<RowState> softmax_row(const float* row, int count, float temperature, float* out) {
    return softmax_of(vectors::kernels(), row, count, temperature, out);
}

Matrix softmax_rows(const Matrix& scores, float temperature, const std::vector<bool>& overflowed) {
    constexpr double kCost = 8;  // of a number, in simple operations
    const auto count = static_cast<int>(scores.cols());
    const vectors::Kernels& k = vectors::kernels();
    Matrix out(scores.rows(), scores.cols());
    share_rows(scores.rows(), kCost * count, [&](Eigen::Index first, Eigen::Index past) {
        for (Eigen::Index row = first; row < past; ++row)
            if (!overflowed.empty() && overflowed[static_cast<std::size_t>(row)])
                out.row(row).setConstant(kNan);
            else
                softmax_of(k, scores.row(row).data(), count, temperature, out.row(row).data());
    });
    return out;
}

}  // namespace attn
