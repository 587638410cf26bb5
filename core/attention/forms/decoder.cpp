#include "core/attention/forms/block.h"
#include "core/attention/forms/decoder_row.h"
#include "core/attention/parts/mask.h"
#include "core/attention/parts/position.h"

namespace attn::form {
namespace {

/// Whether the configured mask applies to the second text. Padding is at the end of that text, so it hides keys of the
/// encoder and of cross-attention; every other mask compares positions in the first.
bool masks_source(const AttentionConfig& config) { return find_mask(config.mask)->of_keys; }

StepId encode(Trace& t, const Inputs& in, const AttentionConfig& config) {
    const Tag result{Role::Annotations, kNoHead, kNoLayer, kNoTime, Part::Encoder};
    AttentionConfig own = config;
    own.layers = config.encoder_blocks();
    const Stack s{in, own, Part::Encoder, Part::EncoderFeedForward, Part::Encoder, result};
    return encoder_stack(t, s, masks_source(config), block_inputs(t, s, Part::Source));
}

/// For new tokens: the cache of the previous ones, and the position of the first new one.
struct RowsBefore {
    KeyValues *own = nullptr, *source = nullptr;
    int first = 0;
};

/// Masked self-attention, cross-attention, feed-forward layer.
StepId decoder_block(Trace& t, const Stack& s, StepId x, StepId memory, int layer, RowsBefore before = {}) {
    const AttentionConfig own = config_of_layer(s.config, layer);
    Attend self{s.in, own, s.tag(layer, Part::Main)};
    self.causal = true;
    self.masked = !masks_source(s.config);
    self.first_query = before.first;
    x = sub_layer(t, s, x, self.tag, self.tag.as(Role::Normed),
                  [&](StepId from) { return block_attention(t, self, from, from, before.own); });
    Attend cross{s.in, s.config, s.tag(layer, Part::Cross)};
    cross.self = cross.positioned = false;
    cross.masked = masks_source(s.config);
    cross.first_query = before.first;
    x = sub_layer(t, s, x, cross.tag, cross.tag.as(Role::Normed),
                  [&](StepId from) { return block_attention(t, cross, from, memory, before.source); });
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

Refusals decoder_refuses(const AttentionConfig& config, const Form&) {
    if (!block_order(config).parallel) return {};
    return {{"block", "looks at the second text between attention and the feed-forward layer, which so cannot be parallel; "
                      "take another block"}};
}

/// Keys and values recorded by a run, layer by layer.
std::vector<KeyValues> recorded_key_values(const Trace& t, int layers, Part part) {
    std::vector<KeyValues> out;
    for (int layer = 0; layer < layers; ++layer) {
        const Tag tag{Role::Keys, kNoHead, layer, kNoTime, part};
        out.push_back({find_id(t, tag), find_id(t, tag.as(Role::Values))});
    }
    return out;
}

}  // namespace

DecoderCache decoder_cache(const Trace& t, const AttentionConfig& config) {
    return {recorded_key_values(t, config.layers, Part::Main), recorded_key_values(t, config.layers, Part::Cross)};
}

bool goes_on(const AttentionConfig& config) {
    const Position* rule = find_position(config.position);
    return !rule || rule->kind != PositionKind::Added || rule->encoding;
}

StepId decoder_row(Trace& t, const Inputs& in, const AttentionConfig& config, DecoderCache& cache, StepId vector, int place, int time) {
    const Stack s{.in = in, .config = config, .result = {Role::Output, kNoHead, kNoLayer, time}, .time = time};
    const Tag tag{Role::Inputs, kNoHead, kNoLayer, time};
    const StepId placed = position_row(t, config, in.d(), place, tag.as(Role::Positions));
    StepId y = block_inputs(t, s, vector, placed, tag);
    for (int layer = 0; layer < config.layers; ++layer) {
        const auto i = static_cast<std::size_t>(layer);
        y = decoder_block(t, s, y, kNoStep, layer, {&cache.own[i], &cache.source[i], place});
    }
    return word_logits(t, in, config, final_norm(t, s, y), {Role::Logits, kNoHead, kNoLayer, time});
}

/// The whole Transformer: an encoder over the second text; over the first, blocks of masked self-attention,
/// cross-attention and feed-forward layer; then a probability for every word, from the word vectors [Vaswani et al.
/// 2017, 3.1, 3.4]. A configured mask is added to the causal one, except padding, which masks the second text.
/// Positions that act on scores act only within one text.
constexpr Form decoder = {
    .id = "decoder",
    .score = "scaled_dot",
    .formula = decoder_formula,
    .where = decoder_where,
    .source = "Vaswani et al. 2017",
    .reads = Reads::Heads | Reads::KeyHeads | Reads::Weights | Reads::Source | Reads::Attend | Reads::Order | Reads::Blocks |
             Reads::Words | Reads::Causal,
    .run = run_decoder,
    .refuses = decoder_refuses,
};

}  // namespace attn::form
