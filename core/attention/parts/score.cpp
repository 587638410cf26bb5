#include "core/attention/parts/score.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "core/attention/parts/parameter.h"
#include "core/attention/parts/position.h"
#include "core/ops/ops.h"

namespace attn {
namespace {

int width(const Trace& t, StepId step) { return static_cast<int>(t[step].value.cols()); }
/// d_a or d′: as configured, or as wide as a key.
int own_width(const Trace& t, const Attend& a, StepId keys) {
    return a.config.score_width > 0 ? a.config.score_width : width(t, keys);
}
int height(const Trace& t, StepId step) { return static_cast<int>(t[step].value.rows()); }

StepId inner(Trace& t, const Attend& a, StepId queries, StepId keys) {
    const StepId transposed = transpose(t, keys, a.tag.as(Role::KeysTransposed));
    return matmul(t, queries, transposed, a.tag.as(Role::Scores));
}

/// Q Kᵀ [Luong et al. 2015]
StepId dot(Trace& t, const Attend& a, StepId queries, StepId keys) {
    return add_relative_scores(t, a, queries, inner(t, a, queries, keys));
}

float one(int) { return 1; }
float one_over_root(int width) { return 1.0f / std::sqrt(static_cast<float>(width)); }

/// Q Kᵀ / √d_k [Vaswani et al. 2017, eq. 1]; Gemma 2 divides by the root of another number
StepId scaled_dot(Trace& t, const Attend& a, StepId queries, StepId keys) {
    const StepId products = dot(t, a, queries, keys);
    const float root = a.config.score_root;
    return scale(t, products, root > 0 ? 1.0f / std::sqrt(root) : one_over_root(width(t, keys)), a.tag.as(Role::Scaled));
}

/// Q W_a Kᵀ [Luong et al. 2015]
StepId general(Trace& t, const Attend& a, StepId queries, StepId keys) {
    const StepId q = project_by(t, a.in, queries, a.tag, Role::ScoreWeight, width(t, keys), Role::ScoreQueries, Fill::Weight);
    return inner(t, a, q, keys);
}

/// Inner product of unit vectors: q·k / (|q||k|), 0 if a length is 0 [Graves et al. 2014]
StepId cosine(Trace& t, const Attend& a, StepId queries, StepId keys) {
    const StepId q = unit(t, queries, a.tag.as(Role::UnitQueries));
    const StepId k = unit(t, keys, a.tag.as(Role::UnitKeys));
    return inner(t, a, q, k);
}

StepId folded(Trace& t, const Attend& a, StepId pairs, StepId queries, StepId keys) {
    return fold(t, pairs, height(t, keys), t[queries].rows, t[keys].rows, a.tag.as(Role::Scores));
}

/// v_aᵀ tanh(·), with one row per pair.
StepId score_of_sums(Trace& t, const Attend& a, StepId sums, StepId queries, StepId keys) {
    const StepId tanh = activate(t, sums, Activation::Tanh, a.tag.as(Role::PairTanh));
    const StepId one = project_by(t, a.in, tanh, a.tag, Role::ScoreVector, 1, Role::PairScores, Fill::Vector);
    return folded(t, a, one, queries, keys);
}

/// v_aᵀ tanh(W_a [q; k]) [Luong et al. 2015]
StepId concat_score(Trace& t, const Attend& a, StepId queries, StepId keys) {
    const StepId pairs = pair_concat(t, queries, keys, a.tag.as(Role::Pairs));
    const StepId sums = project_by(t, a.in, pairs, a.tag, Role::ScoreWeight, own_width(t, a, keys), Role::PairSums, Fill::Weight);
    return score_of_sums(t, a, sums, queries, keys);
}

/// v_aᵀ tanh(W_a q + U_a k) [Bahdanau et al. 2014, A.1.2]
StepId additive(Trace& t, const Attend& a, StepId queries, StepId keys) {
    const int aligned = own_width(t, a, keys);
    const StepId q = project_by(t, a.in, queries, a.tag, Role::ScoreWeight, aligned, Role::ScoreQueries, Fill::Weight);
    const StepId k = project_by(t, a.in, keys, a.tag, Role::ScoreKeyWeight, aligned, Role::ScoreKeys, Fill::Weight);
    return score_of_sums(t, a, pair_sum(t, q, k, a.tag.as(Role::PairSums)), queries, keys);
}

/// Q W_a, W_a f×m: one score per position, whatever the token there is [Luong et al. 2015]
StepId location(Trace& t, const Attend& a, StepId queries, StepId keys) {
    const StepId w = parameter(t, a.in, a.tag.as(Role::ScoreWeight), width(t, queries), height(t, keys), t[queries].cols,
                               t[keys].rows, Fill::Weight);
    return matmul(t, queries, w, a.tag.as(Role::Scores));
}

/// LeakyReLU(aᵀ [W q; W k]) [Veličković et al. 2018, eq. 3]
StepId gat(Trace& t, const Attend& a, StepId queries, StepId keys) {
    const int made = own_width(t, a, keys);
    const StepId q = project_by(t, a.in, queries, a.tag, Role::ScoreWeight, made, Role::ScoreQueries, Fill::Weight);
    const StepId k = project_by(t, a.in, keys, a.tag, Role::ScoreWeight, made, Role::ScoreKeys, Fill::Weight);
    const StepId pairs = pair_concat(t, q, k, a.tag.as(Role::Pairs));
    const StepId one = project_by(t, a.in, pairs, a.tag, Role::ScoreVector, 1, Role::PairScores, Fill::Vector);
    return folded(t, a, activate(t, one, Activation::LeakyRelu, a.tag.as(Role::PairActive)), queries, keys);
}

constexpr std::array kScores = {
    Score{
        .id = "dot",
        .source = "Luong et al. 2015",
        .formula = {"$q$k^T", "$k^T$q"},
        .inner_product = true,
        .equal_widths = true,
        .factor = one,
        .run = dot,
    },
    Score{
        .id = "scaled_dot",
        .source = "Vaswani et al. 2017",
        .formula = {"$q$k^T", "$k^T$q"},
        .divisor = "\\sqrt{$d}",
        .inner_product = true,
        .equal_widths = true,
        .factor = one_over_root,
        .fields = {"score_root"},
        .run = scaled_dot,
    },
    Score{
        .id = "general",
        .source = "Luong et al. 2015",
        .formula = {"$q W_a $k^T", "$k^T W_a^T $q"},
        .inner_product = true,
        .weighted = true,
        .run = general,
    },
    Score{
        .id = "cosine",
        .source = "Graves et al. 2014",
        .formula = {"\\hat{$q} \\hat{$k}^T", "\\hat{$k}^T \\hat{$q}"},
        .inner_product = true,
        .equal_widths = true,
        .run = cosine,
    },
    Score{
        .id = "additive",
        .source = "Bahdanau et al. 2014",
        .formula = {"v_a^T \\word{tanh}(W_a $q + U_a $k)"},
        .symbol = {"v_a^T \\word{tanh}"},
        .says = "scores_pairs",
        .weighted = true,
        .fields = {"score_width"},
        .run = additive,
    },
    Score{
        .id = "concat",
        .source = "Luong et al. 2015",
        .formula = {"v_a^T \\word{tanh}(W_a [$q; $k])"},
        .symbol = {"v_a^T \\word{tanh}"},
        .says = "scores_pairs",
        .weighted = true,
        .fields = {"score_width"},
        .run = concat_score,
    },
    Score{
        .id = "location",
        .source = "Luong et al. 2015",
        .formula = {"$q W_a", "W_a^T $q"},
        .says = "scores_places",
        .weighted = true,
        .by_place = true,
        .run = location,
    },
    Score{
        .id = "gat",
        .source = "Veličković et al. 2018",
        .formula = {"\\word{LeakyReLU}(a^T [W $q; W $k])"},
        .symbol = {"\\word{LeakyReLU}"},
        .says = "scores_pairs",
        .equal_widths = true,
        .weighted = true,
        .fields = {"score_width"},
        .run = gat,
    },
};

}  // namespace

Catalogue<Score>& score_catalogue() {
    static Catalogue<Score> table(kScores);
    return table;
}

std::string divisor_formula(const Score& score, const AttentionConfig& config, const Letters& letters) {
    if (score.divisor.empty()) return {};
    const std::string root = fmt::format("{:g}", config.score_root);
    Letters own = letters;
    if (config.score_root > 0) own.width = root;
    return write(score.divisor, own);
}

std::span<const Score> scores() { return score_catalogue().rows(); }
const Score* find_score(std::string_view id) { return score_catalogue().find(id); }

}  // namespace attn
