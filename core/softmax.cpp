#include "core/softmax.h"

#include <algorithm>
#include <limits>

#include "core/parallel.h"
#include "core/vectors/paths.h"

namespace attn {
namespace {

constexpr float kLargest = std::numeric_limits<float>::max();
constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
/// An exponential below the smallest normal float32 is exactly 0.
constexpr double kSmallestExponential = static_cast<double>(std::numeric_limits<float>::min());

/// True where a number is +∞ or NaN.
bool has_overflow(const float* row, int count) {
    int bad = 0;
    for (int j = 0; j < count; ++j) bad |= static_cast<int>(!(row[j] <= kLargest));
    return bad != 0;
}

/// exp((x − maximum) / temperature) of every number, with the limits at 0 and at +∞; 0 where x is −∞. Returns the sum.
/// The quotient is made in float64, where neither the difference nor the quotient of two floats overflows.
double take_exponentials(const float* row, int count, float maximum, float temperature, float* out) {
    if (temperature != 0.0f)
        return vectors::kernels().exponentials(row, count, maximum, 1.0 / static_cast<double>(temperature),
                                               kSmallestExponential, out);
    int largest = 0;
    for (int j = 0; j < count; ++j) {
        out[j] = row[j] == maximum ? 1.0f : 0.0f;
        largest += row[j] == maximum;
    }
    return largest;
}

}  // namespace

std::optional<RowState> softmax_row(const float* row, int count, float temperature, float* out) {
    const vectors::Kernels& k = vectors::kernels();
    if (has_overflow(row, count)) {
        std::fill(out, out + count, kNan);
        return RowState::Overflow;
    }
    const float maximum = count == 0 ? kMinusInfinity : k.largest(row, count);
    if (maximum == kMinusInfinity) {
        std::fill(out, out + count, 0.0f);
        return RowState::AllMasked;
    }
    k.times(out, count, 1.0 / take_exponentials(row, count, maximum, temperature, out), out);
    return std::nullopt;
}

Matrix softmax_rows(const Matrix& scores, float temperature, const std::vector<bool>& overflowed) {
    constexpr double kCost = 8;  // of a number, in simple operations
    const auto count = static_cast<int>(scores.cols());
    Matrix out(scores.rows(), scores.cols());
    share_rows(scores.rows(), kCost * count, [&](Eigen::Index first, Eigen::Index past) {
        for (Eigen::Index row = first; row < past; ++row)
            if (!overflowed.empty() && overflowed[static_cast<std::size_t>(row)])
                out.row(row).setConstant(kNan);
            else
                softmax_row(scores.row(row).data(), count, temperature, out.row(row).data());
    });
    return out;
}

}  // namespace attn
