#pragma once
// Why the scores are divided by √d: measured, not told. Queries and keys with independent entries of mean 0 and
// variance 1 are drawn; their products have variance d, and the softmax of such scores lets go of its gradient.
// [Vaswani et al. 2017, 3.2.1, footnote 4]

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/matrix.h"

namespace attn {

/// What was measured over all drawn rows of scores.
struct ScoreSpread {
    double variance = 0;  ///< of the scores
    double entropy = 0;   ///< of a row of weights, in nats, on average; ln(keys) at the most
    double largest = 0;   ///< weight of a row, on average
    double gradient = 0;  ///< Frobenius norm of the softmax's Jacobian diag(p) − p pᵀ, on average
};

struct ScalingRow {
    int width = 0;       ///< d
    ScoreSpread plain;   ///< q·k
    ScoreSpread scaled;  ///< q·k / √d
};

struct ScalingRuns {
    int keys = 0, draws = 0;
    std::vector<ScalingRow> rows;
};

/// draws×keys: one query a row, new keys every twenty queries; the same for the same seed.
Matrix drawn_scores(std::uint64_t seed, int width, int keys, int draws);
/// Of scores as they are; `factor` multiplies them before.
ScoreSpread spread_of(const Matrix& scores, float factor);
/// Every width, with and without the factor 1/√d, over the same draws.
ScalingRuns run_scaling(std::uint64_t seed, std::span<const int> widths, int keys, int draws);

/// How many numbers lie in each of `bins` equal parts of low…high, as shares; what lies outside is left out.
std::vector<double> histogram(const Matrix& values, float factor, double low, double high, int bins);

}  // namespace attn
