#include <algorithm>

#include "core/parts/mask.h"
#include "core/parts/position.h"
#include "core/variants/shared.h"

namespace attn::variant {
namespace {

/// Σ_j φ(k_j)ᵀ v_j and Σ_j φ(k_j), once for all queries [Katharopoulos et al. 2020, eq. 6]
StepId all_at_once(Trace& t, Tag tag, StepId q, StepId keys, StepId values) {
    const StepId sums = matmul(t, keys, values, tag.as(Role::KeyValueSum));
    const StepId total = row_sum(t, keys, tag.as(Role::KeySum));
    const StepId top = matmul(t, q, sums, tag.as(Role::Numerator));
    const StepId bottom = matmul(t, q, total, tag.as(Role::Denominator));
    return divide(t, top, bottom, tag.as(Role::HeadOutput));
}

/// The sums grow by one key and value a token, and each query reads them as they are then [ibid., eq. 9–12]. `keys` is
/// φ(K)ᵀ: one column a token.
StepId token_by_token(Trace& t, Tag tag, StepId q, StepId keys, StepId values) {
    const Tag head = tag;
    StepId sums = kNoStep, total = kNoStep;
    const auto read_token = [&](int i) {
        tag.time = i;
        const StepId key = slice(t, keys, i, 1, tag.as(Role::KeyRow));
        const StepId value = slice_rows(t, values, i, 1, tag.as(Role::ValueRow));
        const StepId step = matmul(t, key, value, tag.as(Role::KeyValueStep));
        sums = sums == kNoStep ? step : add(t, sums, step, tag.as(Role::KeyValueSum));
        total = total == kNoStep ? key : add(t, total, key, tag.as(Role::KeySum));
        const StepId query = slice_rows(t, q, i, 1, tag.as(Role::QueryRow));
        const StepId top = matmul(t, query, sums, tag.as(Role::Numerator));
        const StepId bottom = matmul(t, query, total, tag.as(Role::Denominator));
        return divide(t, top, bottom, tag.as(Role::HeadOutput));
    };
    const std::vector<StepId> outputs = rounds(t, static_cast<int>(t[q].value.rows()), read_token);
    return stack(t, outputs, head.as(Role::HeadOutput));
}

StepId linear_head(Trace& t, const AttentionConfig& config, Tag tag, StepId queries, StepId keys, StepId values) {
    const StepId q = activate(t, queries, Activation::EluPlusOne, tag.as(Role::FeatureQueries));
    const StepId k = activate(t, keys, Activation::EluPlusOne, tag.as(Role::FeatureKeys));
    const StepId above = transpose(t, k, tag.as(Role::FeatureKeysTransposed));
    const bool causal = find_mask(config.mask)->causal;
    const StepId out = causal ? token_by_token(t, tag, q, above, values) : all_at_once(t, tag, q, above, values);
    return config.is_off(std::max(tag.head, 0)) ? scale(t, out, 0, tag.as(Role::HeadSwitched)) : out;
}

void run_linear(Trace& t, const Inputs& in, const AttentionConfig& config) {
    const StepId x = embed(t, in, config);
    const HeadParts parts = cut_heads(t, in, config, x);
    const std::vector<StepId> outputs = rounds_of_heads(t, in, config, [&](int h) {
        const Tag tag{Role::HeadOutput, config.heads == 1 ? kNoHead : h};
        const auto at = static_cast<std::size_t>(h);
        return linear_head(t, config, tag, parts.queries[at], parts.keys[at], parts.values[at]);
    });
    join_heads(t, in, outputs);
}

std::string linear_formula(const AttentionConfig& config, Convention shown) {
    const bool columns = shown == Convention::Columns, causal = find_mask(config.mask)->causal;
    const std::string_view below = causal ? "j \\le i" : "j";
    const std::string pair = columns ? "{\\v v_j} \\phi({\\k k_j})^T" : "\\phi({\\k k_j})^T {\\v v_j}";
    const std::string sums = "\\sum_{" + std::string(below) + "} " + pair;
    const std::string top = columns ? "(" + sums + ") \\phi({\\q q_i})" : "\\phi({\\q q_i}) " + sums;
    const std::string bottom = "\\phi({\\q q_i}) \\cdot \\sum_{" + std::string(below) + "} \\phi({\\k k_j})";
    const std::string share = "\\part{mix}{\\frac{" + top + "}{" + bottom + "}}";
    const std::string joined = config.heads > 1 ? "\\word{Concat}_h(" + share + ")" : share;
    return "{\\o y_i} = \\part{output}{" + (columns ? "{\\o W^o}\\," + joined : joined + "\\,{\\o W_O}") + "}";
}

std::string linear_where(const AttentionConfig& config, Convention shown) {
    return "\\part{scores}{\\phi(x) = \\word{elu}(x) + 1}\\quad " + multi_head_where(config, shown);
}

Refusals linear_refuses(const AttentionConfig& config, const Variant&) {
    const Mask& mask = *find_mask(config.mask);
    if (mask.pattern && !mask.causal)
        return {{"mask",
                 "sums keys up before it knows the query, so it can leave out only later tokens; take none or causal"}};
    const PositionKind kind = find_position(config.position)->kind;
    if (kind != PositionKind::None && kind != PositionKind::Added)
        return {{"position", "has no scores that a position could act on; take none, sinusoidal or learned"}};
    return {};
}

}  // namespace

/// φ(q_i) Σ_j φ(k_j)ᵀ v_j over φ(q_i)·Σ_j φ(k_j), φ(x) = elu(x) + 1: no softmax, and no n×n. Causal, the sums grow
/// token by token, which is a recurrent network; time is the token. [Katharopoulos et al. 2020]
constexpr Variant linear = {
    .id = "linear",
    .score = "",
    .formula = linear_formula,
    .where = linear_where,
    .source = "Katharopoulos et al. 2020",
    .uses = Uses::Heads | Uses::KeyHeads | Uses::Projections | Uses::Weights | Uses::Mask | Uses::Position | Uses::Order,
    .run = run_linear,
    .refuses = linear_refuses,
    .scores = {"\\phi({\\q Q})\\,\\phi({\\k K})"},
};

}  // namespace attn::variant
