#pragma once
// The forms of attention, declared: one constant a file.

#include "core/attention.h"

namespace attn::variant {

#define ATTN_DECLARE_VARIANT(name)                                               \
    void run_##name(Trace& t, const Inputs& in, const AttentionConfig& config);  \
    std::string name##_formula(const AttentionConfig& config, Convention shown); \
    std::string name##_where(const AttentionConfig& config, Convention shown);   \
    Estimate name##_estimate(const Sizes& sizes, const AttentionConfig& config);
ATTN_DECLARE_VARIANT(raw)
ATTN_DECLARE_VARIANT(multi_head)
ATTN_DECLARE_VARIANT(sliced_input)
ATTN_DECLARE_VARIANT(cross)

/// softmax(X Xᵀ) X: self-attention with no parameters.
inline constexpr Variant raw = {
    "raw", "dot", raw_formula, raw_where, "", Uses::Attend | Uses::Order, run_raw, raw_estimate,
};

/// Concat(head_1 … head_h) W_O, head_i = softmax(Q_i K_iᵀ / √d_k) V_i [Vaswani et al. 2017, 3.2.2]; with fewer key
/// heads than heads: grouped-query [Ainslie et al. 2023], with one: multi-query [Shazeer 2019].
inline constexpr Variant multi_head = {
    "multi_head",
    "scaled_dot",
    multi_head_formula,
    multi_head_where,
    "Vaswani et al. 2017",
    Uses::Heads | Uses::KeyHeads | Uses::Projections | Uses::Weights | Uses::Attend | Uses::Order,
    run_multi_head,
    multi_head_estimate,
};

/// What many first take multi-head attention for: each head projects its own segment of the input's columns, and never
/// sees the others.
inline constexpr Variant sliced_input = {
    "sliced_input",
    "scaled_dot",
    sliced_input_formula,
    sliced_input_where,
    "",
    Uses::Heads | Uses::Weights | Uses::Attend | Uses::Order,
    run_sliced_input,
    sliced_input_estimate,
};

/// Queries from one text, keys and values from another [Vaswani et al. 2017, 3.2.3]
inline constexpr Variant cross = {
    "cross",
    "scaled_dot",
    cross_formula,
    cross_where,
    "Vaswani et al. 2017",
    Uses::Heads | Uses::KeyHeads | Uses::Projections | Uses::Weights | Uses::Attend | Uses::Source,
    run_cross,
    cross_estimate,
};

}  // namespace attn::variant
