#pragma once
// The block of the Transformer: sub-layers with residual and norm, the feed-forward layer, and what they take.

#include <utility>

#include "core/attention/forms/shared.h"
#include "core/attention/parts/choices.h"
#include "core/attention/parts/parameter.h"
#include "core/ops/ops.h"

namespace attn::form {

const BlockOrder& block_order(const AttentionConfig& config);

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
    const BlockOrder& order() const { return block_order(config); }
    bool last(int layer) const { return layer + 1 == config.layers; }
};

/// γ, β under `tag`, and the norm of x under `result`: LayerNorm [Ba et al. 2016] or RMSNorm [Zhang, Sennrich 2019].
StepId normalise(Trace& t, const Stack& s, StepId x, Tag tag, Tag result);
/// The same of what a sub-layer made, before it is added: OuterGain, OuterBias, OuterNormed.
StepId normalise_made(Trace& t, const Stack& s, StepId made, Tag tag);

/// x + f(x) with norms where the block's order has them; the norm of the sum stands under `result`. `from`: what f reads
/// in place of x. Attention of the first bare_layers reads it as it is. [Vaswani et al. 2017, 3.1; Xiong et al. 2020]
template <class Function>
StepId sub_layer(Trace& t, const Stack& s, StepId x, Tag tag, Tag result, const Function& f, StepId from = kNoStep) {
    const BlockOrder& order = s.order();
    if (from == kNoStep) from = x;
    const bool bare = tag.part == s.part && tag.layer < s.config.bare_layers;
    StepId made = f(order.norm_first && !bare ? normalise(t, s, from, tag, tag.as(Role::Normed)) : from);
    if (order.norm_made) made = normalise_made(t, s, made, tag);
    const StepId sum = add(t, x, made, tag.as(Role::Residual));
    return order.norm_sum ? normalise(t, s, sum, tag, result) : sum;
}

/// What the blocks read: the vectors times a scale, plus places, plus the vector of a segment where one is given, and the
/// norm of that where its gain is; last, where a model's words are narrower than its blocks, their projection. `places` is kNoStep where none are added. [Devlin et al. 2018, 3; Gemma Team 2024]
StepId block_inputs(Trace& t, const Stack& s, StepId vectors, StepId places, Tag tag);
/// The same of the words of a text, whole.
StepId block_inputs(Trace& t, const Stack& s, Part part = Part::Main);

/// Keys and values of the tokens before, of one layer.
struct KeyValues {
    StepId keys = kNoStep, values = kNoStep;
};
/// Queries from x, keys and values from `source` (x itself: self-attention), by weights under a.tag; all heads, joined
/// and times W_O. With a cache, the new keys and values go below those before, and all of them are looked at; without a
/// source those of the cache are looked at as they are.
StepId block_attention(Trace& t, Attend a, StepId x, StepId source, KeyValues* cache = nullptr);
/// f(x W_1 + b_1) W_2 + b_2 [Vaswani et al. 2017, eq. 2], or (SiLU(x W_1) ⊙ x W_3) W_2 [Shazeer 2020, eq. 6].
StepId feed_forward(Trace& t, const Stack& s, StepId x, Tag tag);
/// The feed-forward sub-layer of a block that `begin` went into; where the block is parallel it reads that.
StepId feed_forward_sub_layer(Trace& t, const Stack& s, StepId x, int layer, StepId begin);
/// The norm behind the last block where no block normalises its sum; x itself otherwise.
StepId final_norm(Trace& t, const Stack& s, StepId x);
/// All blocks of an encoder: self-attention and feed-forward layer, config.layers times. `masked`: by the configured mask.
StepId encoder_stack(Trace& t, const Stack& s, bool masked, StepId x);

/// What a block ends with in a formula: LN(last) where a norm stands behind the last block.
std::string stack_end_formula(const AttentionConfig& config, const std::string& last);

/// states × Eᵀ with E the words' vectors, which are those of the texts (tied), or × a matrix of its own; plus a bias
/// where one is given: Role::Logits under `tag`. Where words.up_weight is given, states go through that layer first
/// [Devlin et al. 2018, A.2]; with a logit_cap they are capped. [Press, Wolf 2017; Vaswani et al. 2017, 3.4]
StepId word_logits(Trace& t, const Inputs& in, const AttentionConfig& config, StepId states, Tag tag);
/// Of a picture one row speaks for the whole, the class token's [Dosovitskiy et al. 2021, eq. 4]; where the distillation token
/// has a head, too, half of the sum of both is said [Touvron et al. 2021, 4]. outputs: from the first row on.
StepId label_logits(Trace& t, const Inputs& in, const AttentionConfig& config, StepId outputs, Tag tag);
/// So many of the first rows label_logits() reads.
int rows_of_labels(const Inputs& in);
/// Y Eᵀ or Y W_U, for a formula; `state`: "{\\o Y}", `gap` stands behind it.
std::string logits_formula(const AttentionConfig& config, Convention shown, std::string_view state, std::string_view gap = "");

/// Columns inside the feed-forward layer.
int ffn_width(const AttentionConfig& config, int d);

/// LN(z), with the configured norm's name.
std::string norm_formula(const AttentionConfig& config, const std::string& inner);
/// What one sub-layer makes of `x`: "LN(x + f(x))" or "x + f(LN(x))"; `f` is the formula of f with %s for its input.
/// `bare`: f reads x as it is.
std::string sub_layer_formula(const AttentionConfig& config, const std::string& x, std::string_view f, bool bare = false);
/// Attention of every layer reads its input without a norm.
inline bool all_bare(const AttentionConfig& config) { return config.bare_layers >= config.layers; }
/// FFN(x) = …
std::string ffn_where(const AttentionConfig& config, Convention shown);

}  // namespace attn::form
