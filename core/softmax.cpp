#include "core/softmax.h"

#include <algorithm>
#include <limits>

namespace attn {
namespace {

constexpr float kLargest = std::numeric_limits<float>::max();
constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
/// exp() of less is about the smallest normal float (1.2e-38), below which Eigen's vectorised exp is not exact (it
/// gives 3e-39 for −∞): such exponents are clamped here, and what comes out below kSmallestShare is exactly 0.
constexpr float kExpUnderflow = -87.0f;
constexpr float kSmallestShare = 1.7e-38f;  // exp(-87) is 1.65e-38
/// Rows are padded to this, so that every element goes through the same vectorised exp and equal scores stay equal.
constexpr Eigen::Index kLanes = 8;
using Lane = Eigen::Array<float, kLanes, 1>;

/// Room for the exponentials of one row, a whole number of lanes.
Eigen::ArrayXf row_room(Eigen::Index count) { return Eigen::ArrayXf((count + kLanes - 1) / kLanes * kLanes); }

/// True where a number is +∞ or NaN.
bool has_overflow(const float* row, int count) {
    int bad = 0;
    for (int j = 0; j < count; ++j) bad |= static_cast<int>(!(row[j] <= kLargest));
    return bad != 0;
}

/// z[j] = (x[j] − maximum) / temperature, with the limits at 0 and at +∞; −∞ where x is.
void fill_exponents(const float* row, int count, float maximum, float temperature, float* z) {
    if (temperature == 1.0f) {
        for (int j = 0; j < count; ++j) z[j] = row[j] - maximum;
        return;
    }
    if (temperature == 0.0f) {
        for (int j = 0; j < count; ++j) z[j] = row[j] == maximum ? 0.0f : kMinusInfinity;
        return;
    }
    // In float64, where neither the difference nor the quotient of two floats overflows.
    const double top = static_cast<double>(maximum), by = 1.0 / static_cast<double>(temperature);
    for (int j = 0; j < count; ++j) {
        const double exponent = std::max((static_cast<double>(row[j]) - top) * by, -1000.0);
        z[j] = row[j] == kMinusInfinity ? kMinusInfinity : static_cast<float>(exponent);
    }
}

/// Every z becomes exp(z); the sum of all, in float64.
double take_exponentials(Eigen::ArrayXf& z) {
    Eigen::Array<double, kLanes, 1> sums = Eigen::Array<double, kLanes, 1>::Zero();
    for (Eigen::Index j = 0; j < z.size(); j += kLanes) {
        Lane lane = z.segment<kLanes>(j).max(kExpUnderflow).exp();
        for (Eigen::Index i = 0; i < kLanes; ++i) lane[i] = lane[i] < kSmallestShare ? 0.0f : lane[i];
        sums += lane.cast<double>();
        z.segment<kLanes>(j) = lane;
    }
    return sums.sum();
}

std::optional<RowState> softmax_into(const float* row, int count, float temperature, Eigen::ArrayXf& z, float* out) {
    if (has_overflow(row, count)) {
        std::fill(out, out + count, kNan);
        return RowState::Overflow;
    }
    const float maximum = count == 0 ? kMinusInfinity : Eigen::Map<const Eigen::ArrayXf>(row, count).maxCoeff();
    if (maximum == kMinusInfinity) {
        std::fill(out, out + count, 0.0f);
        return RowState::AllMasked;
    }
    z.tail(z.size() - count).setConstant(kMinusInfinity);
    fill_exponents(row, count, maximum, temperature, z.data());
    const double share = 1.0 / take_exponentials(z);
    for (int j = 0; j < count; ++j) out[j] = static_cast<float>(static_cast<double>(z[j]) * share);
    return std::nullopt;
}

}  // namespace

std::optional<RowState> softmax_row(const float* row, int count, float temperature, float* out) {
    Eigen::ArrayXf room = row_room(count);
    return softmax_into(row, count, temperature, room, out);
}

Matrix softmax_rows(const Matrix& scores, float temperature, const std::vector<bool>& overflowed) {
    const auto count = static_cast<int>(scores.cols());
    Matrix out(scores.rows(), scores.cols());
    Eigen::ArrayXf room = row_room(count);
    for (Eigen::Index row = 0; row < scores.rows(); ++row)
        if (overflowed[static_cast<std::size_t>(row)])
            out.row(row).setConstant(kNan);
        else
            softmax_into(scores.row(row).data(), count, temperature, room, out.row(row).data());
    return out;
}

}  // namespace attn
