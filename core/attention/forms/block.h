#pragma once
// The Transformer block: sub-layers with residual and norm, the feed-forward layer, and their inputs.

#include <utility>

#include "core/attention/forms/shared.h"
#include "core/attention/parts/choices.h"
#include "core/attention/parts/parameter.h"
#include "core/ops/ops.h"

namespace attn::form {

const BlockOrder& block_order(const AttentionConfig& config);

/// One stack of blocks: its inputs and choices, and the tags under which it records.
struct Stack {
    const Inputs& in;
    const AttentionConfig& config;
    Part part = Part::Main;
    Part feed = Part::FeedForward;  ///< the feed-forward sub-layer's norm and residual
    Part final = Part::Final;       ///< the parameters of the norm after the last block (pre-norm)
    Tag result{Role::Output};       ///< the result of the last norm
    int time = kNoTime;

    Tag tag(int layer, Part where) const { return {Role::Residual, kNoHead, layer, time, where}; }
    const BlockOrder& order() const { return block_order(config); }
    bool last(int layer) const { return layer + 1 == config.layers; }
};

/// Records γ and β under `tag` and the norm of x under `result`: LayerNorm [Ba et al. 2016] or RMSNorm [Zhang, Sennrich
/// 2019].
StepId normalise(Trace& t, const Stack& s, StepId x, Tag tag, Tag result);
/// The same for a sub-layer's result before it is added: OuterGain, OuterBias, OuterNormed.
StepId normalise_made(Trace& t, const Stack& s, StepId made, Tag tag);
/// Each column times a learned number, if one is given [Touvron et al. 2021, "Going deeper with Image Transformers"].
StepId layer_scaled(Trace& t, const Stack& s, StepId made, Tag tag);

/// x + f(x) with norms where the block's order has them; the normalised sum is recorded under `result`. `from`: the
/// input of f, if that is not x. In the first bare_layers layers, attention reads its input without a norm. [Vaswani et
/// al. 2017, 3.1; Xiong et al. 2020]
template <class Function>
StepId sub_layer(Trace& t, const Stack& s, StepId x, Tag tag, Tag result, const Function& f, StepId from = kNoStep) {
    const BlockOrder& order = s.order();
    if (from == kNoStep) from = x;
    const bool bare = tag.part == s.part && tag.layer < s.config.bare_layers;
    StepId made = f(order.norm_first && !bare ? normalise(t, s, from, tag, tag.as(Role::Normed)) : from);
    if (order.norm_made) made = normalise_made(t, s, made, tag);
    made = layer_scaled(t, s, made, tag);
    const StepId sum = add(t, x, made, tag.as(Role::Residual));
    return order.norm_sum ? normalise(t, s, sum, tag, result) : sum;
}

/// The input of the first block: vectors times a scale, plus positions, plus the segment's vector if one is given, and
/// the norm of the sum if its gain is given. `places` is kNoStep if no positions are added. [Devlin et al. 2018, 3;
/// Gemma Team 2024]
StepId block_inputs(Trace& t, const Stack& s, StepId vectors, StepId places, Tag tag);
/// The same for all words of a text.
StepId block_inputs(Trace& t, const Stack& s, Part part = Part::Main);

/// Keys and values of the previous tokens in one layer.
struct KeyValues {
    StepId keys = kNoStep, values = kNoStep;
};
/// Queries from x, keys and values from `source` (x itself: self-attention), by the weights under a.tag; the joined
/// heads times W_O. With a cache, the new keys and values are appended to the cached ones, and attention reads all of
/// them; without a source, attention reads the cache unchanged.
StepId block_attention(Trace& t, Attend a, StepId x, StepId source, KeyValues* cache = nullptr);
/// f(x W_1 + b_1) W_2 + b_2 [Vaswani et al. 2017, eq. 2], or (SiLU(x W_1) ⊙ x W_3) W_2 [Shazeer 2020, eq. 6].
StepId feed_forward(Trace& t, const Stack& s, StepId x, Tag tag);
/// The feed-forward sub-layer of a block whose input was `begin`; a parallel block's feed-forward layer reads `begin`.
StepId feed_forward_sub_layer(Trace& t, const Stack& s, StepId x, int layer, StepId begin);
/// The norm after the last block if no block normalises its sum; x itself otherwise.
StepId final_norm(Trace& t, const Stack& s, StepId x);
/// All blocks of an encoder: config.layers times self-attention and feed-forward layer. `masked`: with the configured
/// mask.
StepId encoder_stack(Trace& t, const Stack& s, bool masked, StepId x);

/// The end of a stack in a formula: LN(last) if there is a norm after the last block.
std::string stack_end_formula(const AttentionConfig& config, const std::string& last);

/// Logits, under `tag` with Role::Logits: states × Eᵀ, with E the word vectors of the texts (tied), or states × a
/// separate matrix; plus a bias if one is given. If words.up_weight is given, the states pass through that layer first
/// [Devlin et al. 2018, A.2]; with a logit_cap the logits are capped. [Press, Wolf 2017; Vaswani et al. 2017, 3.4]
StepId word_logits(Trace& t, const Inputs& in, const AttentionConfig& config, StepId states, Tag tag);
/// The logits of a picture's labels, from one row that represents the whole picture: the class token [Dosovitskiy et
/// al. 2021, eq. 4]. If the distillation token has a head too, half of the sum of both [Touvron et al. 2021, 4].
/// `outputs`: from the first row on.
StepId label_logits(Trace& t, const Inputs& in, const AttentionConfig& config, StepId outputs, Tag tag);
/// How many of the first rows label_logits() reads.
int rows_of_labels(const Inputs& in);
/// Y Eᵀ or Y W_U, for a formula; `state`: "{\\o Y}", followed by `gap`.
std::string logits_formula(const AttentionConfig& config, Convention shown, std::string_view state, std::string_view gap = "");

/// Columns inside the feed-forward layer.
int ffn_width(const AttentionConfig& config, int d);

/// LN(z), with the configured norm's name.
std::string norm_formula(const AttentionConfig& config, const std::string& inner);
/// The result of one sub-layer on `x`: "LN(x + f(x))" or "x + f(LN(x))"; `f` is the formula of f with %s for its input.
/// `bare`: f reads x without a norm.
std::string sub_layer_formula(const AttentionConfig& config, const std::string& x, std::string_view f, bool bare = false);
/// In every layer, attention reads its input without a norm.
inline bool all_bare(const AttentionConfig& config) { return config.bare_layers >= config.layers; }
/// FFN(x) = …
std::string ffn_where(const AttentionConfig& config, Convention shown);

}  // namespace attn::form
