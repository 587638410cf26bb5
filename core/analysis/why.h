#pragma once
// Why a query and a key match: their score as a sum over pairs of features of the two vectors before projection.

#include <optional>
#include <vector>

#include "core/trace/trace.h"

namespace attn {

/// The contribution of one feature of the query's vector and one of the key's to the score: x_i[a] (W_Q W_Kᵀ)[a, b]
/// x_j[b].
struct ScoreReason {
    static constexpr int kBias = -1;  ///< instead of a feature: the projection's bias
    int query_feature = 0, key_feature = 0;
    double value = 0;
};

struct ScoreReasons {
    StepId queries_of = kNoStep, keys_of = kNoStep;  ///< the vectors before projection; their columns are the features
    std::vector<ScoreReason> largest;                ///< by absolute value
    double rest = 0;                                 ///< of all other pairs
    double score = 0;                                ///< q·k: the largest and the rest add up to it
};

/// At most `most` reasons for a cell of a step of scores Q Kᵀ. Nothing if Q or K is not a projection of vectors (raw or
/// rotated vectors, additive scores). [Vaswani et al. 2017, 3.2.1; the bilinear form of W_Q W_Kᵀ: Elhage et al. 2021]
std::optional<ScoreReasons> reasons_of_score(const Trace& trace, Cell score, int most);

}  // namespace attn
