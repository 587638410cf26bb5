#pragma once
// The forms of attention, declared: one constant a file.

#include "core/attention.h"

namespace attn::variant {

void run_raw(Trace& t, const Inputs& in, const AttentionConfig& config);
void run_multi_head(Trace& t, const Inputs& in, const AttentionConfig& config);

/// softmax(X Xᵀ) X: self-attention with no parameters.
inline constexpr Variant raw = {
    "raw", "dot", "", "", Uses::Nothing, run_raw,
};

/// Concat(head_1 … head_h) W_O, head_i = softmax(Q_i K_iᵀ / √d_k) V_i [Vaswani et al. 2017, 3.2.2]
inline constexpr Variant multi_head = {
    "multi_head", "scaled_dot", "", "Vaswani et al. 2017", Uses::Heads | Uses::Projections, run_multi_head,
};

}  // namespace attn::variant
