#include "core/variants/block.h"

#include <fmt/format.h>

#include "core/parts/choices.h"
#include "core/parts/training.h"

namespace attn::variant {
namespace {

constexpr int kWiden = 4;  // the feed-forward layer is so many times as wide as the model [Vaswani et al. 2017, 3.3]

const FeedForward& feed_forward_of(const AttentionConfig& config) { return *feed_forwards().find(config.activation); }

constexpr BiasedRoles kUp = {Role::UpWeight, Role::UpProducts, Role::UpBias, Role::Up};
constexpr BiasedRoles kSide = {Role::SideWeight, Role::SideProducts, Role::SideBias, Role::Side};
constexpr BiasedRoles kDown = {Role::DownWeight, Role::DownProducts, Role::DownBias, Role::Down};
constexpr BiasedRoles kAttended = {Role::OutputWeight, Role::OutputProducts, Role::OutputBias, Role::Attended};

/// x W + b; a gated layer has the biases that are given.
StepId layer(Trace& t, const Stack& s, StepId x, Tag tag, int cols, BiasedRoles roles) {
    if (feed_forward_of(s.config).gated) return project_biased(t, s.in, x, tag, cols, roles);
    const StepId product = project_by(t, s.in, x, tag, roles.weight, cols, roles.product, Fill::Weight);
    const StepId bias = parameter(t, s.in, tag.as(roles.bias), 1, cols, {}, {}, Fill::Zeros);
    return add_row(t, product, bias, tag.as(roles.result));
}

int columns(const Trace& t, StepId step) { return static_cast<int>(t[step].value.cols()); }

StepId stacked(Trace& t, StepId before, StepId row, Tag tag) {
    return before == kNoStep ? row : stack(t, {before, row}, tag);
}

}  // namespace

bool norms_first(const AttentionConfig& config) { return block_orders().find(config.block)->norm_first; }

StepId normalise(Trace& t, const Stack& s, StepId x, Tag tag, Tag result) {
    const Axis cols = t[x].cols;
    const int d = columns(t, x);
    const StepId gain = parameter(t, s.in, tag.as(Role::NormGain), 1, d, {}, cols, Fill::Ones);
    if (!norms().find(s.config.norm)->centred) return rms_norm(t, x, gain, result, s.config.epsilon);
    const StepId bias = parameter(t, s.in, tag.as(Role::NormBias), 1, d, {}, cols, Fill::Zeros);
    return layer_norm(t, x, gain, bias, result, s.config.epsilon);
}

StepId block_attention(Trace& t, Attend a, StepId x, StepId source, KeyValues* cache) {
    const int d = columns(t, x), one = head_width(a.config, d), narrow = one * a.config.key_heads();
    a.query_input = x;
    const StepId queries = project_biased(t, a.in, x, a.tag, one * a.config.heads, kQuery);
    StepId keys = project_biased(t, a.in, source, a.tag, narrow, kKey);
    StepId values = project_biased(t, a.in, source, a.tag, narrow, kValue);
    if (cache) {
        keys = cache->keys = stacked(t, cache->keys, keys, a.tag.as(Role::CachedKeys));
        values = cache->values = stacked(t, cache->values, values, a.tag.as(Role::CachedValues));
    }
    const StepId joined = attend_heads(t, a, {queries, keys, values});
    return project_biased(t, a.in, joined, a.tag, d, kAttended);
}

StepId feed_forward(Trace& t, const Stack& s, StepId x, Tag tag) {
    const int d = columns(t, x), width = ffn_width(s.config, d);
    const StepId up = layer(t, s, x, tag, width, kUp);
    const FeedForward& rule = feed_forward_of(s.config);
    StepId inner = activate(t, up, rule.activation, tag.as(Role::Activated));
    if (rule.gated) {
        const StepId side = project_biased(t, s.in, x, tag, width, kSide);
        inner = multiply(t, inner, side, tag.as(Role::Gated));
    }
    return layer(t, s, inner, tag, d, kDown);
}

StepId feed_forward_sub_layer(Trace& t, const Stack& s, StepId x, int layer) {
    const Tag tag = s.tag(layer, s.feed);
    const Tag result = s.last(layer) ? s.result : tag.as(Role::Normed);
    return sub_layer(t, s, x, tag, result, [&](StepId from) { return feed_forward(t, s, from, s.tag(layer, s.part)); });
}

StepId final_norm(Trace& t, const Stack& s, StepId x) {
    if (!s.pre()) return x;
    return normalise(t, s, x, {Role::NormGain, kNoHead, kNoLayer, kNoTime, s.final}, s.result);
}

StepId encoder_stack(Trace& t, const Stack& s, Attend attention, StepId x) {
    rounds_of_layers(t, s.in, s.config, [&](int layer) {
        const Tag tag = attention.tag = s.tag(layer, s.part);
        x = sub_layer(t, s, x, tag, tag.as(Role::Normed),
                      [&](StepId from) { return block_attention(t, attention, from, from); });
        return x = feed_forward_sub_layer(t, s, x, layer);
    });
    return final_norm(t, s, x);
}

StepId word_logits(Trace& t, const Inputs& in, const AttentionConfig& config, StepId states, Tag tag) {
    const auto words = static_cast<int>(in.word_vectors.rows()), width = static_cast<int>(t[states].value.cols());
    const StepId above = unembeddings().find(config.unembedding)->own
                             ? parameter(t, in, {Role::UnembeddingWeight}, width, words, t[states].cols, {Axis::Kind::Words}, Fill::Weight)
                             : words_above(t, in);
    if (!is_given(in, {Role::UnembeddingBias})) return matmul(t, states, above, tag.as(Role::Logits));
    const StepId products = matmul(t, states, above, tag.as(Role::LogitProducts));
    const StepId bias = parameter(t, in, {Role::UnembeddingBias}, 1, words, {}, {Axis::Kind::Words}, Fill::Zeros);
    return add_row(t, products, bias, tag.as(Role::Logits));
}

std::string logits_formula(const AttentionConfig& config, Convention shown, std::string_view state, std::string_view gap) {
    const bool own = unembeddings().find(config.unembedding)->own;
    if (shown == Convention::Columns) return fmt::format("{}{}", own ? "W^u " : "{\\x E}^T ", state);
    return fmt::format("{}{}{}", state, gap, own ? " W_U" : "{\\x E}^T");
}

int ffn_width(const AttentionConfig& config, int d) { return config.ffn_width == 0 ? kWiden * d : config.ffn_width; }

std::string norm_formula(const AttentionConfig& config, const std::string& inner) {
    return fmt::format("\\part{{norm}}{{\\word{{{}}}({})}}", norms().find(config.norm)->symbol, inner);
}

std::string sub_layer_formula(const AttentionConfig& config, const std::string& x, std::string_view f) {
    const bool pre = norms_first(config);
    const std::string made = fmt::format("{}({})", f, pre ? norm_formula(config, x) : x);
    const std::string sum = fmt::format("\\part{{residual}}{{{} + {}}}", x, made);
    return pre ? sum : norm_formula(config, sum);
}

std::string ffn_where(const AttentionConfig& config, Convention shown) {
    const bool columns = shown == Convention::Columns;
    const FeedForward& rule = feed_forward_of(config);
    const std::string_view f = rule.name;
    const std::string inner =
        rule.gated ? columns ? fmt::format("W_2(\\word{{{}}}(W_1 x) \\odot W_3 x)", f)
                             : fmt::format("(\\word{{{}}}(x W_1) \\odot x W_3) W_2", f)
        : columns  ? fmt::format("W_2\\,\\word{{{}}}(W_1 x + b_1) + b_2", f)
                   : fmt::format("\\word{{{}}}(x W_1 + b_1) W_2 + b_2", f);
    return "\\part{feed_forward}{\\word{FFN}(x) = " + inner + "}";
}

}  // namespace attn::variant
