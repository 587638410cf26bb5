#pragma once
// Why a query and a key fit: their score as a sum over pairs of features of the two vectors that were projected.

#include <optional>
#include <vector>

#include "core/trace/trace.h"

namespace attn {

/// What a feature of the vector that asks and one of the vector that answers add to the score: x_i[a] (W_Q W_Kᵀ)[a, b] x_j[b].
struct ScoreReason {
    static constexpr int kBias = -1;  ///< in place of a feature: what a projection adds to every vector
    int query_feature = 0, key_feature = 0;
    double value = 0;
};

struct ScoreReasons {
    StepId queries_of = kNoStep, keys_of = kNoStep;  ///< the vectors that are projected: their columns are the features
    std::vector<ScoreReason> largest;                ///< by their absolute value
    double rest = 0;                                 ///< of all other pairs
    double score = 0;                                ///< q·k: the largest and the rest add up to it
};

/// Of a cell of a step of scores Q Kᵀ at most `most` reasons. Nothing where Q or K are no projections of vectors (raw
/// vectors, rotated ones, additive scores). [Vaswani et al. 2017, 3.2.1; the bilinear form of W_Q W_Kᵀ: Elhage et al. 2021]
std::optional<ScoreReasons> reasons_of_score(const Trace& trace, Cell score, int most);

}  // namespace attn
