#pragma once
// The block of the Transformer: sub-layers with residual and norm, the feed-forward layer, and what they take.

#include <utility>

#include "core/ops.h"
#include "core/parts/parameter.h"
#include "core/variants/shared.h"

namespace attn::variant {

/// Each sub-layer begins with its norm, and one more stands at the end.
bool norms_first(const AttentionConfig& config);

/// One stack of blocks: its texts and choices, and under which tags it records.
struct Stack {
    const Inputs& in;
    const AttentionConfig& config;
    Part part = Part::Main;
    Part feed = Part::FeedForward;  ///< the feed-forward sub-layer's norm and residual
    Part final = Part::Final;       ///< the parameters of the norm behind the last block (pre-norm)
    Tag result{Role::Output};       ///< what the last norm makes
    int time = kNoTime;

    Tag tag(int layer, Part where) const { return {Role::Residual, kNoHead, layer, time, where}; }
    bool pre() const { return norms_first(config); }
    bool last(int layer) const { return layer + 1 == config.layers; }
};

/// γ, β under `tag`, and the norm of x under `result`: LayerNorm [Ba et al. 2016] or RMSNorm [Zhang, Sennrich 2019].
StepId normalise(Trace& t, const Stack& s, StepId x, Tag tag, Tag result);

/// x + f(x) with the norm in front of f (pre-norm), or behind the sum (post-norm, under `result`).
/// [Vaswani et al. 2017, 3.1; Xiong et al. 2020]
template <class Function>
StepId sub_layer(Trace& t, const Stack& s, StepId x, Tag tag, Tag result, const Function& f) {
    if (s.pre()) {
        const StepId made = f(normalise(t, s, x, tag, tag.as(Role::Normed)));
        return add(t, x, made, tag.as(Role::Residual));
    }
    const StepId made = f(x);
    return normalise(t, s, add(t, x, made, tag.as(Role::Residual)), tag, result);
}

/// Keys and values of the tokens before, of one layer.
struct KeyValues {
    StepId keys = kNoStep, values = kNoStep;
};
/// Queries from x, keys and values from `source` (x itself: self-attention), by weights under a.tag; all heads, joined
/// and times W_O. With a cache, the new keys and values go below those before, and all of them are looked at.
StepId block_attention(Trace& t, Attend a, StepId x, StepId source, KeyValues* cache = nullptr);
/// f(x W_1 + b_1) W_2 + b_2 [Vaswani et al. 2017, eq. 2], or (SiLU(x W_1) ⊙ x W_3) W_2 [Shazeer 2020, eq. 6].
StepId feed_forward(Trace& t, const Stack& s, StepId x, Tag tag);
/// The feed-forward sub-layer of a block.
StepId feed_forward_sub_layer(Trace& t, const Stack& s, StepId x, int layer);
/// The norm behind the last block where the blocks begin with theirs; x itself otherwise.
StepId final_norm(Trace& t, const Stack& s, StepId x);
/// All blocks of an encoder: self-attention and feed-forward layer, config.layers times.
StepId encoder_stack(Trace& t, const Stack& s, Attend attention, StepId x);

/// states × Eᵀ with E the words' vectors, which are those of the texts (tied), or × a matrix of its own; plus a bias
/// where one is given: Role::Logits under `tag`. [Press, Wolf 2017; Vaswani et al. 2017, 3.4]
StepId word_logits(Trace& t, const Inputs& in, const AttentionConfig& config, StepId states, Tag tag);
/// Y Eᵀ or Y W_U, for a formula; `state`: "{\\o Y}", `gap` stands behind it.
std::string logits_formula(const AttentionConfig& config, Convention shown, std::string_view state, std::string_view gap = "");

/// Columns inside the feed-forward layer.
int ffn_width(const AttentionConfig& config, int d);

/// LN(z), with the configured norm's name.
std::string norm_formula(const AttentionConfig& config, const std::string& inner);
/// What one sub-layer makes of `x`: "LN(x + f(x))" or "x + f(LN(x))"; `f` is the formula of f with %s for its input.
std::string sub_layer_formula(const AttentionConfig& config, const std::string& x, std::string_view f);
/// FFN(x) = …
std::string ffn_where(const AttentionConfig& config, Convention shown);

}  // namespace attn::variant
