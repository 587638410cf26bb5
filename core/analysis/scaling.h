#pragma once
// A measurement of why the scores are divided by √d. Queries and keys are drawn with independent entries of mean 0 and
// variance 1; their products have variance d, and the gradient of the softmax of such scores vanishes. [Vaswani et al.
// 2017, 3.2.1, footnote 4]

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/matrix.h"

namespace attn {

/// Measurements over all drawn rows of scores.
struct ScoreSpread {
    double variance = 0;  ///< of the scores
    double entropy = 0;   ///< of a row of weights, in nats, on average; ln(keys) at most
    double largest = 0;   ///< largest weight of a row, on average
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

/// draws×keys: one query per row, new keys every twenty queries; deterministic by seed.
Matrix drawn_scores(std::uint64_t seed, int width, int keys, int draws);
/// Measures the scores times `factor`.
ScoreSpread spread_of(const Matrix& scores, float factor);
/// Every width, with and without the factor 1/√d, on the same draws.
ScalingRuns run_scaling(std::uint64_t seed, std::span<const int> widths, int keys, int draws);

/// The share of numbers in each of `bins` equal parts of low…high; numbers outside are not counted.
std::vector<double> histogram(const Matrix& values, float factor, double low, double high, int bins);

}  // namespace attn
