#include "core/analysis/scaling.h"

#include <cmath>

#include "core/base/random.h"
#include "core/kernels/softmax.h"
#include "core/ops/measure.h"

namespace attn {
namespace {

/// Number of queries that use the same keys before new ones are drawn.
constexpr int kQueriesPerKeys = 20;

/// ‖diag(p) − p pᵀ‖_F: on the diagonal p(1 − p), elsewhere −p_i p_j.
double gradient_size(const float* p, Eigen::Index count) {
    double squares = 0, fourths = 0, diagonal = 0;
    for (Eigen::Index j = 0; j < count; ++j) {
        const double share = static_cast<double>(p[j]);
        squares += share * share;
        fourths += share * share * share * share;
        diagonal += share * share * (1 - share) * (1 - share);
    }
    return std::sqrt(diagonal + squares * squares - fourths);
}

}  // namespace

Matrix drawn_scores(std::uint64_t seed, int width, int keys, int draws) {
    Random random(hash_bytes("scaling") ^ (seed * 0x9E3779B97F4A7C15ull + static_cast<std::uint64_t>(width)));
    Matrix scores(draws, keys), keys_above(width, keys);
    RowVector query(width);
    for (int r = 0; r < draws; ++r) {
        if (r % kQueriesPerKeys == 0)
            for (Eigen::Index i = 0; i < keys_above.size(); ++i) keys_above.data()[i] = random.normal();
        for (float& q : query) q = random.normal();
        scores.row(r) = query * keys_above;
    }
    return scores;
}

ScoreSpread spread_of(const Matrix& scores, float factor) {
    const Matrix used = scores * factor;
    const auto values = used.cast<double>().array();
    const Matrix weights = softmax_rows(used, 1, std::vector<bool>(static_cast<std::size_t>(used.rows()), false));
    ScoreSpread s;
    s.variance = (values - values.mean()).square().mean();
    for (int r = 0; r < static_cast<int>(weights.rows()); ++r) {
        s.entropy += entropy(weights, r);
        s.largest += static_cast<double>(weights.row(r).maxCoeff());
        s.gradient += gradient_size(weights.row(r).data(), weights.cols());
    }
    const auto rows = static_cast<double>(weights.rows());
    s.entropy /= rows;
    s.largest /= rows;
    s.gradient /= rows;
    return s;
}

ScalingRuns run_scaling(std::uint64_t seed, std::span<const int> widths, int keys, int draws) {
    ScalingRuns out{keys, draws, {}};
    for (const int width : widths) {
        const Matrix scores = drawn_scores(seed, width, keys, draws);
        out.rows.push_back(
            {width, spread_of(scores, 1), spread_of(scores, 1.0f / std::sqrt(static_cast<float>(width)))});
    }
    return out;
}

std::vector<double> histogram(const Matrix& values, float factor, double low, double high, int bins) {
    std::vector<double> shares(static_cast<std::size_t>(bins), 0.0);
    for (Eigen::Index i = 0; i < values.size(); ++i) {
        const double at = (static_cast<double>(values.data()[i] * factor) - low) / (high - low) * bins;
        if (at >= 0 && at < bins) shares[static_cast<std::size_t>(at)] += 1.0 / static_cast<double>(values.size());
    }
    return shares;
}

}  // namespace attn
