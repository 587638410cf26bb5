// Selecting columns of a row: the largest, the most likely, those in sparsemax's support, those that were sampled.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/cancel.h"
#include "core/base/random.h"
#include "core/base/reused_matrices.h"
#include "core/kernels/kernels.h"

namespace attn {

std::vector<int> draws_of(const Matrix& weights, int row, int draws, std::uint64_t seed, int first) {
    std::vector<int> out;
    const auto shares = weights.row(row);
    const double total = shares.cast<double>().sum();
    if (!(total > 0)) return out;
    // The cumulative share at each column with a positive weight; a draw is looked up there.
    std::vector<double> ends;
    std::vector<int> columns;
    for (int j = 0; j < static_cast<int>(shares.size()); ++j) {
        if (!(shares[j] > 0)) continue;
        ends.push_back((ends.empty() ? 0 : ends.back()) + static_cast<double>(shares[j]));
        columns.push_back(j);
    }
    Random random(seed * 0x9E3779B97F4A7C15ull + static_cast<std::uint64_t>(row));
    out.reserve(static_cast<std::size_t>(draws));
    for (int s = 0; s < first; ++s) static_cast<void>(random.uniform());
    for (int s = 0; s < draws; ++s) {
        const auto end = std::upper_bound(ends.begin(), ends.end(), random.uniform() * total);
        // The last column with a positive weight, in case rounding leaves a remainder.
        out.push_back(columns[std::min(static_cast<std::size_t>(end - ends.begin()), columns.size() - 1)]);
    }
    return out;
}

namespace kernel {
namespace {

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// (x − max) / temperature in float64, with the limits: 0 at the largest and −∞ elsewhere (0), or 0 wherever allowed
/// (+∞).
double exponent(float x, float maximum, float temperature) {
    if (x == maximum) return 0;
    if (temperature == 0) return -std::numeric_limits<double>::infinity();
    return (static_cast<double>(x) - static_cast<double>(maximum)) / static_cast<double>(temperature);
}

float largest_of(const float* row, Eigen::Index count) {
    float most = kMinusInfinity;
    for (Eigen::Index j = 0; j < count; ++j) most = std::max(most, row[j]);
    return most;
}

std::vector<float> descending(const float* row, Eigen::Index count) {
    std::vector<float> sorted(row, row + count);
    std::sort(sorted.begin(), sorted.end(), std::greater<>());
    return sorted;
}

template <class Threshold>
Matrix above_threshold(const Matrix& x, const Threshold& threshold) {
    Matrix out = unwritten(x.rows(), x.cols());
    for (Eigen::Index r = 0; r < x.rows(); ++r) {
        if (!(x.row(r).array() == x.row(r).array()).all()) {  // NaN has no order
            out.row(r).setConstant(kNan);
            continue;
        }
        const float least = threshold(x.row(r).data(), x.cols());
        for (Eigen::Index j = 0; j < x.cols(); ++j) out(r, j) = x(r, j) >= least ? x(r, j) : kMinusInfinity;
    }
    return out;
}

}  // namespace

float top_k_threshold(const float* row, Eigen::Index count, int k) {
    const std::vector<float> sorted = descending(row, count);
    return sorted[static_cast<std::size_t>(std::min<Eigen::Index>(k, count) - 1)];
}

float nucleus_threshold(const float* row, Eigen::Index count, float p, float temperature) {
    std::vector<float> sorted = descending(row, count);
    if (sorted.front() == kMinusInfinity) return kMinusInfinity;
    while (sorted.back() == kMinusInfinity) sorted.pop_back();
    if (std::isinf(temperature)) return sorted.back();  // uniform: all tie, and ties are kept together
    double total = 0, sum = 0;
    for (const float v : sorted) total += std::exp(exponent(v, sorted.front(), temperature));
    for (const float v : sorted) {
        sum += std::exp(exponent(v, sorted.front(), temperature)) / total;
        if (sum >= static_cast<double>(p) - 1e-9) return v;
    }
    return sorted.back();
}

Matrix top_k(const Matrix& x, int k) {
    return above_threshold(x, [&](const float* row, Eigen::Index count) { return top_k_threshold(row, count, k); });
}

Matrix top_p(const Matrix& x, float p, float temperature) {
    return above_threshold(x, [&](const float* row, Eigen::Index count) { return nucleus_threshold(row, count, p, temperature); });
}

double sparsemax_threshold(const float* row, Eigen::Index count, float temperature) {
    const float maximum = largest_of(row, count);
    std::vector<double> z;
    for (Eigen::Index j = 0; j < count; ++j)
        if (row[j] != kMinusInfinity) z.push_back(exponent(row[j], maximum, temperature));
    std::sort(z.begin(), z.end(), std::greater<>());
    double sum = 0, threshold = -1;
    for (std::size_t k = 0; k < z.size(); ++k) {
        if (std::isinf(z[k])) break;  // at temperature 0 only the largest remain
        sum += z[k];
        const double size = static_cast<double>(k + 1);
        if (1 + size * z[k] > sum) threshold = (sum - 1) / size;
    }
    return threshold;
}

Matrix sparsemax(const Matrix& x, float temperature, const std::vector<bool>& overflowed) {
    Matrix out = unwritten(x.rows(), x.cols());
    for (Eigen::Index r = 0; r < x.rows(); ++r) {
        const float* row = x.row(r).data();
        const float maximum = largest_of(row, x.cols());
        const bool bad = (!overflowed.empty() && overflowed[static_cast<std::size_t>(r)]) || maximum > std::numeric_limits<float>::max() ||
                         !(x.row(r).array() == x.row(r).array()).all();
        if (bad || maximum == kMinusInfinity) {
            out.row(r).setConstant(bad ? kNan : 0.0f);
            continue;
        }
        const double threshold = sparsemax_threshold(row, x.cols(), temperature);
        for (Eigen::Index j = 0; j < x.cols(); ++j)
            out(r, j) = row[j] == kMinusInfinity
                            ? 0.0f
                            : static_cast<float>(std::max(0.0, exponent(row[j], maximum, temperature) - threshold));
    }
    return out;
}

Matrix drawn(const Matrix& weights, int draws, std::uint64_t seed, const std::stop_token& stop, int first) {
    Matrix out = Matrix::Zero(weights.rows(), weights.cols());
    for (int r = 0; r < static_cast<int>(weights.rows()); ++r) {
        check(stop);
        if (!weights.row(r).allFinite()) {
            out.row(r).setConstant(kNan);
            continue;
        }
        for (const int column : draws_of(weights, r, draws, seed, first)) out(r, column) += 1;
        out.row(r) /= static_cast<float>(draws);
    }
    return out;
}

}  // namespace kernel
}  // namespace attn
