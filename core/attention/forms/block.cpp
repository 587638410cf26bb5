#include "core/attention/forms/block.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/attention/parts/mask.h"
#include "core/attention/parts/position.h"
#include "core/attention/parts/training.h"

namespace attn::form {
namespace {

constexpr int kWiden = 4;  // the feed-forward layer's width over the model's [Vaswani et al. 2017, 3.3]

const FeedForward& feed_forward_of(const AttentionConfig& config) { return *feed_forwards().find(config.activation); }

constexpr BiasedRoles kUp = {Role::UpWeight, Role::UpProducts, Role::UpBias, Role::Up};
constexpr BiasedRoles kSide = {Role::SideWeight, Role::SideProducts, Role::SideBias, Role::Side};
constexpr BiasedRoles kDown = {Role::DownWeight, Role::DownProducts, Role::DownBias, Role::Down};
constexpr BiasedRoles kAttended = {Role::OutputWeight, Role::OutputProducts, Role::OutputBias, Role::Attended};

/// x W + b; a gated layer has a bias only if one is given.
StepId layer(Trace& t, const Stack& s, StepId x, Tag tag, int cols, BiasedRoles roles) {
    if (feed_forward_of(s.config).gated) return project_biased(t, s.in, x, tag, cols, roles);
    const StepId product = project_by(t, s.in, x, tag, roles.weight, cols, roles.product, Fill::Weight);
    const StepId bias = parameter(t, s.in, tag.as(roles.bias), 1, cols, {}, {}, Fill::Zeros);
    return add_row(t, product, bias, tag.as(roles.result));
}

/// The tags of γ, β and the norm's result.
struct NormTags {
    Tag gain, bias, result;
};

int columns(const Trace& t, StepId step) { return static_cast<int>(t[step].value.cols()); }

StepId normalised(Trace& t, const Stack& s, StepId x, const NormTags& tags) {
    const Axis cols = t[x].cols;
    const int d = columns(t, x);
    const StepId gain = parameter(t, s.in, tags.gain, 1, d, {}, cols, Fill::Ones);
    if (!norms().find(s.config.norm)->centred) return rms_norm(t, x, gain, tags.result, s.config.epsilon);
    const StepId bias = parameter(t, s.in, tags.bias, 1, d, {}, cols, Fill::Zeros);
    return layer_norm(t, x, gain, bias, tags.result, s.config.epsilon);
}

/// The layer between the last block and the logits, with the activation of the blocks, and its norm [Devlin et al.
/// 2018, A.2]. Its results are as wide as the word vectors that they are multiplied by.
StepId word_states(Trace& t, const Inputs& in, const AttentionConfig& config, StepId states, Tag tag) {
    tag.part = Part::Words;
    if (!is_given(in, tag.as(Role::UpWeight))) return states;
    const bool own = unembeddings().find(config.unembedding)->own;
    const int width = own ? given_columns(in, tag.as(Role::UpWeight)) : static_cast<int>(in.word_vectors.cols());
    const StepId up = project_biased(t, in, states, tag, width, kUp);
    const StepId activated = activate(t, up, feed_forward_of(config).activation, tag.as(Role::Activated));
    return is_given(in, tag.as(Role::NormGain)) ? normalise(t, {in, config}, activated, tag, tag.as(Role::Normed)) : activated;
}

/// Adds each token's segment vector; with a single text all tokens have the first segment [Devlin et al. 2018, 3.2].
StepId add_segments(Trace& t, const Stack& s, StepId x, Tag tag) {
    const auto vector = [&](Role role) { return parameter(t, s.in, tag.as(role), 1, columns(t, x), {}, t[x].cols, Fill::Zeros); };
    const StepId first = vector(Role::TokenType);
    const std::vector<int>& segments = s.in.segments;
    if (std::find(segments.begin(), segments.end(), 1) == segments.end()) return add_row(t, x, first, tag.as(Role::TypedInputs));
    const StepId both = stack(t, {first, vector(Role::SecondTokenType)}, tag.as(Role::TokenTypes));
    const auto n = static_cast<int>(segments.size());
    const auto which = [segments, n] {
        Matrix out = Matrix::Zero(n, 2);
        for (int i = 0; i < n; ++i) out(i, segments[static_cast<std::size_t>(i)]) = 1;
        return out;
    };
    const StepId shares = input(t, n, 2, which, tag.as(Role::SegmentShares), t[x].rows, {}, {Source::Formula});
    return add(t, x, matmul(t, shares, both, tag.as(Role::SegmentVectors)), tag.as(Role::TypedInputs));
}

/// Vectors of words that are narrower than the blocks are projected to these [Lan et al. 2019, 3.1; Clark et al. 2020, 3.2].
StepId projected(Trace& t, const Stack& s, StepId x, Tag tag) {
    const int width = given_columns(s.in, tag.as(Role::EmbeddingWeight));
    if (width == 0) return x;
    return project_biased(t, s.in, x, tag, width, {Role::EmbeddingWeight, Role::EmbeddingProducts, Role::EmbeddingBias, Role::ProjectedInputs});
}

StepId stacked(Trace& t, StepId before, StepId row, Tag tag) {
    return before == kNoStep ? row : stack(t, {before, row}, tag);
}

}  // namespace

const BlockOrder& block_order(const AttentionConfig& config) { return *block_orders().find(config.block); }

StepId normalise(Trace& t, const Stack& s, StepId x, Tag tag, Tag result) {
    return normalised(t, s, x, {tag.as(Role::NormGain), tag.as(Role::NormBias), result});
}

StepId normalise_made(Trace& t, const Stack& s, StepId made, Tag tag) {
    return normalised(t, s, made, {tag.as(Role::OuterGain), tag.as(Role::OuterBias), tag.as(Role::OuterNormed)});
}

StepId layer_scaled(Trace& t, const Stack& s, StepId made, Tag tag) {
    const Tag scale = tag.as(Role::LayerScale);
    if (!is_given(s.in, scale)) return made;
    const auto n = static_cast<int>(t[made].value.rows());
    const StepId row = parameter(t, s.in, scale, 1, columns(t, made), {}, t[made].cols, Fill::Ones);
    const StepId rows = stack(t, std::vector<StepId>(static_cast<std::size_t>(n), row), tag.as(Role::LayerScaleRows));
    return multiply(t, made, rows, tag.as(Role::LayerScaled));
}

StepId block_inputs(Trace& t, const Stack& s, StepId vectors, StepId places, Tag tag) {
    StepId x = vectors;
    if (s.config.embedding_scale != 1) x = scale(t, x, s.config.embedding_scale, tag.as(Role::ScaledEmbeddings));
    if (places != kNoStep) x = add(t, x, places, tag.as(Role::Inputs));
    if (is_given(s.in, tag.as(Role::TokenType))) x = add_segments(t, s, x, tag);
    if (is_given(s.in, tag.as(Role::NormGain))) x = normalise(t, s, x, tag, tag.as(Role::Normed));
    return projected(t, s, x, tag);
}

StepId block_inputs(Trace& t, const Stack& s, Part part) {
    const StepId x = embed_vectors(t, s.in, part);
    const Tag tag = t[x].tag;
    const auto n = static_cast<int>(t[x].value.rows());
    const StepId places = position_table(t, s.in, s.config, n, t[x].rows, tag.as(Role::Positions));
    return block_inputs(t, s, x, places, tag);
}

StepId block_attention(Trace& t, Attend a, StepId x, StepId source, KeyValues* cache) {
    const int d = columns(t, x), one = head_width(a.config, d), narrow = one * a.config.key_heads();
    a.query_input = x;
    const StepId queries = project_biased(t, a.in, x, a.tag, one * a.config.heads, kQuery);
    if (source == kNoStep)
        return project_biased(t, a.in, attend_heads(t, a, {queries, cache->keys, cache->values}), a.tag, d, kAttended);
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

StepId feed_forward_sub_layer(Trace& t, const Stack& s, StepId x, int layer, StepId begin) {
    const Tag tag = s.tag(layer, s.feed);
    const Tag result = s.last(layer) ? s.result : tag.as(Role::Normed);
    return sub_layer(
        t, s, x, tag, result, [&](StepId from) { return feed_forward(t, s, from, s.tag(layer, s.part)); },
        s.order().parallel ? begin : x);
}

StepId final_norm(Trace& t, const Stack& s, StepId x) {
    if (s.order().norm_sum) return x;
    return normalise(t, s, x, {Role::NormGain, kNoHead, kNoLayer, kNoTime, s.final}, s.result);
}

StepId encoder_stack(Trace& t, const Stack& s, bool masked, StepId x) {
    rounds_of_layers(t, s.in, s.config, [&](int layer) {
        const AttentionConfig own = config_of_layer(s.config, layer);
        Attend a{s.in, own, s.tag(layer, s.part)};
        a.masked = masked;
        const StepId begin = x;
        x = sub_layer(t, s, x, a.tag, a.tag.as(Role::Normed), [&](StepId from) { return block_attention(t, a, from, from); });
        return x = feed_forward_sub_layer(t, s, x, layer, begin);
    });
    return final_norm(t, s, x);
}

StepId word_logits(Trace& t, const Inputs& in, const AttentionConfig& config, StepId states, Tag tag) {
    states = word_states(t, in, config, states, tag);
    if (config.output_scale != 1) states = scale(t, states, config.output_scale, tag.as(Role::ScaledOutput));
    const auto words = static_cast<int>(in.word_vectors.rows()), width = columns(t, states);
    const StepId above = unembeddings().find(config.unembedding)->own
                             ? parameter(t, in, {Role::UnembeddingWeight}, width, words, t[states].cols, {Axis::Kind::Words}, Fill::Weight)
                             : words_above(t, in);
    const Tag last = tag.as(config.logit_cap > 0 ? Role::UncappedLogits : Role::Logits);
    if (!is_given(in, {Role::UnembeddingBias}))
        return capped(t, matmul(t, states, above, last), config.logit_cap, tag, Role::Logits);
    const StepId products = matmul(t, states, above, tag.as(Role::LogitProducts));
    const StepId bias = parameter(t, in, {Role::UnembeddingBias}, 1, words, {}, {Axis::Kind::Words}, Fill::Zeros);
    return capped(t, add_row(t, products, bias, last), config.logit_cap, tag, Role::Logits);
}

int rows_of_labels(const Inputs& in) {
    const bool distilled = in.n() - in.pixels.rows() > 1;
    return distilled && is_given(in, {Role::DistillationWeight}) ? 2 : 1;
}

StepId label_logits(Trace& t, const Inputs& in, const AttentionConfig& config, StepId outputs, Tag tag) {
    const bool alone = t[outputs].value.rows() == 1;
    const StepId first = alone ? outputs : slice_rows(t, outputs, 0, 1, tag.as(Role::ClassState));
    if (rows_of_labels(in) == 1) return word_logits(t, in, config, first, tag);
    const auto words = static_cast<int>(in.word_vectors.rows());
    const auto read = [&](StepId state, BiasedRoles roles) {
        const StepId weight = parameter(t, in, {roles.weight}, columns(t, state), words, t[state].cols, {Axis::Kind::Words}, Fill::Weight);
        if (!is_given(in, {roles.bias})) return matmul(t, state, weight, tag.as(roles.result));
        const StepId products = matmul(t, state, weight, tag.as(roles.product));
        return add_row(t, products, parameter(t, in, {roles.bias}, 1, words, {}, {Axis::Kind::Words}, Fill::Zeros), tag.as(roles.result));
    };
    const StepId by_class = read(first, {Role::UnembeddingWeight, Role::LogitProducts, Role::UnembeddingBias, Role::ClassLogits});
    const StepId second = slice_rows(t, outputs, 1, 1, tag.as(Role::DistillationState));
    const StepId taught = read(second, {Role::DistillationWeight, Role::DistillationProducts, Role::DistillationBias, Role::DistillationLogits});
    return scale(t, add(t, by_class, taught, tag.as(Role::LogitSum)), 0.5f, tag.as(Role::Logits));
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

std::string sub_layer_formula(const AttentionConfig& config, const std::string& x, std::string_view f, bool bare) {
    const BlockOrder& order = block_order(config);
    std::string made = fmt::format("{}({})", f, order.norm_first && !bare ? norm_formula(config, x) : x);
    if (order.norm_made) made = norm_formula(config, made);
    const std::string sum = fmt::format("\\part{{residual}}{{{} + {}}}", x, made);
    return order.norm_sum ? norm_formula(config, sum) : sum;
}

std::string stack_end_formula(const AttentionConfig& config, const std::string& last) {
    return block_order(config).norm_sum ? last : norm_formula(config, last);
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

}  // namespace attn::form
