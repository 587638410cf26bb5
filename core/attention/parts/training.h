#pragma once
// The training signal of hard attention: the lower bound, and the gradient estimated from its draws. [Xu et al. 2015,
// 4.1]

#include "core/attention/parts/attend.h"

namespace attn {

/// The most draws for which gradients are recorded one by one: each takes a dozen steps.
inline constexpr int kMostDrawsOfTraining = 24;

/// E (the word vectors) and Eᵀ, each recorded once.
StepId words_of(Trace& t, const Inputs& in);
StepId words_above(Trace& t, const Inputs& in);

/// For n queries with the target words y of the configuration, n×m weights α and m×d values v: p(y|s) = softmax(v_s
/// Eᵀ)_y; the bound L_s = Σ_s α_s log p(y|s) ≤ log Σ_s α_s p(y|s) (eq. 10 and its left side); and, draw by draw,
/// REINFORCE's estimate of ∂L_s/∂e, with e the input of the softmax (eq. 11, 12): g = 1/N Σ_k (log p(y|s_k) − b_k) (s_k
/// − α), s_k one-hot; b_0 = 0, b_{k+1} = 0.9 b_k + 0.1 log p(y|s_k). A draw's own reward is not in its baseline, which
/// keeps g unbiased. The draws are those of Role::Drawn. (log p(y|s) does not depend on e, so the first term of eq. 11
/// is 0; the entropy term is left out: λ_e = 0.)
void train_hard(Trace& t, const Attend& a, StepId weights, StepId values, std::uint64_t seed);

}  // namespace attn
