#pragma once
// The forms of attention, declared: one constant a file.

#include "core/attention.h"

namespace attn::variant {

/// softmax(…) of a score product, with the configured scale, mask and temperature: shared by the variants' formulas.
std::string softmax_formula(const AttentionConfig& config, std::string_view left, std::string_view right);

void run_raw(Trace& t, const Inputs& in, const AttentionConfig& config);
std::string raw_formula(const AttentionConfig& config);
std::string raw_where(const AttentionConfig& config);
void run_multi_head(Trace& t, const Inputs& in, const AttentionConfig& config);
std::string multi_head_formula(const AttentionConfig& config);
std::string multi_head_where(const AttentionConfig& config);

/// softmax(X Xᵀ) X: self-attention with no parameters.
inline constexpr Variant raw = {
    "raw", "dot", raw_formula, raw_where, "", Uses::Nothing, run_raw,
};

/// Concat(head_1 … head_h) W_O, head_i = softmax(Q_i K_iᵀ / √d_k) V_i [Vaswani et al. 2017, 3.2.2]
inline constexpr Variant multi_head = {
    "multi_head",     "scaled_dot",          multi_head_formula,
    multi_head_where, "Vaswani et al. 2017", Uses::Heads | Uses::Projections,
    run_multi_head,
};

}  // namespace attn::variant
