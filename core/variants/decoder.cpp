#include "core/parts/mask.h"
#include "core/parts/position.h"
#include "core/variants/block.h"

namespace attn::variant {
namespace {

/// What of the configured mask concerns which attention: padding stands at the end of the second text, so it hides keys
/// of the encoder and of the cross-attention; every other mask compares places of the first.
bool masks_source(const AttentionConfig& config) { return find_mask(config.mask)->of_keys; }

StepId encode(Trace& t, const Inputs& in, const AttentionConfig& config) {
    const Tag result{Role::Annotations, kNoHead, kNoLayer, kNoTime, Part::Encoder};
    const Stack s{in, config, Part::Encoder, Part::EncoderFeedForward, Part::Encoder, result};
    return encoder_stack(t, s, masks_source(config), block_inputs(t, s, Part::Source));
}

/// Masked self-attention, cross-attention, feed-forward layer.
StepId decoder_block(Trace& t, const Stack& s, StepId x, StepId memory, int layer) {
    const AttentionConfig own = config_of_layer(s.config, layer);
    Attend self{s.in, own, s.tag(layer, Part::Main)};
    self.causal = true;
    self.masked = !masks_source(s.config);
    x = sub_layer(t, s, x, self.tag, self.tag.as(Role::Normed),
                  [&](StepId from) { return block_attention(t, self, from, from); });
    Attend cross{s.in, s.config, s.tag(layer, Part::Cross)};
    cross.self = cross.positioned = false;
    cross.masked = masks_source(s.config);
    x = sub_layer(t, s, x, cross.tag, cross.tag.as(Role::Normed),
                  [&](StepId from) { return block_attention(t, cross, from, memory); });
    return feed_forward_sub_layer(t, s, x, layer, x);
}

void run_decoder(Trace& t, const Inputs& in, const AttentionConfig& config) {
    const StepId memory = encode(t, in, config);
    const Stack stack{in, config};
    StepId y = block_inputs(t, stack);
    rounds_of_layers(t, in, config, [&](int layer) { return y = decoder_block(t, stack, y, memory, layer); });
    y = final_norm(t, stack, y);
    softmax(t, word_logits(t, in, config, y, {}), 1, {Role::Probabilities});
}

std::string decoder_formula(const AttentionConfig& config, Convention shown) {
    const std::string last = sub_layer_formula(config, "Z'", "\\part{feed_forward}{\\word{FFN}}");
    return "P = \\part{predict}{\\word{softmax}(" + logits_formula(config, shown, "{\\o Y}") +
           ")}\\quad {\\o Y} = " + stack_end_formula(config, last);
}

std::string decoder_where(const AttentionConfig& config, Convention shown) {
    const std::string own = sub_layer_formula(config, "{\\x X}", "\\part{mix}{\\word{MHA}}", all_bare(config));
    const std::string looked = sub_layer_formula(config, "Z", "\\word{Cross}_{{\\x S}}");
    return "Z' = " + looked + "\\quad Z = " + own + "\\quad " + ffn_where(config, shown);
}

Refusals decoder_refuses(const AttentionConfig& config, const Variant&) {
    if (!block_order(config).parallel) return {};
    return {{"block", "looks at the second text between attention and the feed-forward layer, which so cannot be parallel; "
                      "take another block"}};
}

}  // namespace

/// The whole Transformer: an encoder over the second text; over the first, blocks of masked self-attention,
/// cross-attention and feed-forward layer; the share of every word by its vector [Vaswani et al. 2017, 3.1, 3.4]. A
/// configured mask adds to the causal one, but padding is the second text's. Positions that act on scores act within
/// one text only.
constexpr Variant decoder = {
    .id = "decoder",
    .score = "scaled_dot",
    .formula = decoder_formula,
    .where = decoder_where,
    .source = "Vaswani et al. 2017",
    .uses = Reads::Heads | Reads::KeyHeads | Reads::Weights | Reads::Source | Reads::Attend | Reads::Order | Reads::Blocks |
             Reads::Words | Reads::Causal,
    .run = run_decoder,
    .refuses = decoder_refuses,
};

}  // namespace attn::variant
