#include <fmt/format.h>

#include "core/attention/forms/block.h"
#include "core/attention/parts/choices.h"
#include "core/attention/parts/mask.h"
#include "core/attention/parts/position.h"
#include "core/attention/parts/score.h"
#include "core/attention/parts/training.h"

namespace attn::form {
namespace {

/// The state carried from one time to the next.
struct Decoding {
    const Inputs& in;
    const AttentionConfig& config;
    StepId places = kNoStep;       ///< added positions, one row per token
    std::vector<KeyValues> cache;  ///< one per layer
    int first = 0;                 ///< position of the first token that is new at this time
};

StepId placed(Trace& t, const Decoding& d, StepId vectors, int time) {
    const Tag tag{Role::Inputs, kNoHead, kNoLayer, time};
    StepId rows = kNoStep;
    if (d.places != kNoStep)
        rows = slice_rows(t, d.places, d.first, static_cast<int>(t[vectors].value.rows()), tag.as(Role::Positions));
    return block_inputs(t, {d.in, d.config}, vectors, rows, tag);
}

/// All blocks on the new tokens, which attend to themselves and to the cache.
StepId blocks(Trace& t, Decoding& d, StepId x, int time) {
    const Tag result{Role::Normed, kNoHead, kNoLayer, time, Part::Final};
    const Stack s{d.in, d.config, Part::Main, Part::FeedForward, Part::Final, result, time};
    rounds_of_layers(t, d.in, d.config, [&](int layer) {
        const AttentionConfig own = config_of_layer(d.config, layer);
        const StepId begin = x;
        Attend a{d.in, own, s.tag(layer, Part::Main)};
        a.causal = true;
        a.first_query = d.first;
        KeyValues& cache = d.cache[static_cast<std::size_t>(layer)];
        x = sub_layer(t, s, x, a.tag, a.tag.as(Role::Normed),
                      [&](StepId from) { return block_attention(t, a, from, from, &cache); });
        return x = feed_forward_sub_layer(t, s, x, layer, begin);
    });
    return final_norm(t, s, x);
}

/// The word that was chosen: the largest entry of the row of drawn shares.
std::size_t chosen(const Matrix& choice) {
    Eigen::Index best = 0;
    for (Eigen::Index w = 1; w < choice.cols(); ++w)
        if (choice(0, w) > choice(0, best)) best = w;
    return static_cast<std::size_t>(best);
}

/// Logits of the last token, cut to the k largest, then to the most probable that reach p at the temperature, as
/// probabilities, and one drawn; its index becomes a token's name. (The temperature comes first, as in the common
/// libraries; dividing by it keeps the order, so the k largest are the same before and after.)
StepId choose_word(Trace& t, const Decoding& d, StepId states, int time) {
    const AttentionConfig& c = d.config;
    const Tag tag{Role::Logits, kNoHead, kNoLayer, time};
    const auto rows = static_cast<int>(t[states].value.rows());
    const StepId last = rows == 1 ? states : slice_rows(t, states, rows - 1, 1, tag.as(Role::State));
    StepId logits = word_logits(t, d.in, d.config, last, tag);
    const bool sample = word_choices().find(c.choose)->samples;
    if (sample && c.choose_top_k > 0) logits = top_k(t, logits, c.choose_top_k, tag.as(Role::LogitsTopK));
    if (sample && c.choose_top_p < 1) logits = top_p(t, logits, c.choose_top_p, tag.as(Role::LogitsTopP), c.choose_temperature);
    const StepId shares = softmax(t, logits, sample ? c.choose_temperature : 0, tag.as(Role::Probabilities));
    const StepId choice = draw(t, shares, 1, c.draw_seed + static_cast<std::uint64_t>(time), tag.as(Role::Choice));
    if (!t.shapes) t.tokens.push_back(d.in.words[chosen(t[choice].value)]);
    return choice;
}

/// The chosen word's vector; its row is labelled as the new token's.
StepId next_vector(Trace& t, const Inputs& in, StepId choice, int place, int time) {
    const StepId next = matmul(t, choice, words_of(t, in), {Role::NextEmbedding, kNoHead, kNoLayer, time});
    t.steps.back().rows = {Axis::Kind::Tokens, place};
    return next;
}

void run_generate(Trace& t, const Inputs& in, const AttentionConfig& config) {
    const int n = in.n();
    Decoding d{in, config, kNoStep, std::vector<KeyValues>(static_cast<std::size_t>(config.layers)), 0};
    StepId x = embed_vectors(t, in);
    d.places = position_table(t, in, config, n + config.generate - 1, {Axis::Kind::Tokens}, {Role::Positions});
    std::vector<StepId> made;
    for (int time = 0; time < config.generate; ++time) {
        made.push_back(blocks(t, d, placed(t, d, x, time), time));
        const StepId choice = choose_word(t, d, made.back(), time);
        d.first = n + time;
        if (time + 1 < config.generate) x = next_vector(t, in, choice, d.first, time);
    }
    stack(t, made, {Role::Output});
}

std::string generate_formula(const AttentionConfig& config, Convention shown) {
    const std::string words = logits_formula(config, shown, "{\\o y_t}", "\\,");
    const std::string attention = attention_formula(config, shown, {"{\\q q_t}", "{\\k K_{1..t}}", "{\\v V_{1..t}}"});
    return "{\\x x_{t+1}} \\sim \\part{predict}{\\word{softmax}(" + words + ")}\\quad {\\o c_t} = " + attention;
}

std::string generate_where(const AttentionConfig& config, Convention shown) {
    const std::string_view cache =
        shown == Convention::Columns
            ? "{\\k K_{1..t}} = [{\\k K_{1..t-1}}, {\\k k_t}]\\quad {\\v V_{1..t}} = [{\\v V_{1..t-1}}, {\\v v_t}]"
            : "{\\k K_{1..t}} = [{\\k K_{1..t-1}}; {\\k k_t}]\\quad {\\v V_{1..t}} = [{\\v V_{1..t-1}}; {\\v v_t}]";
    return "\\part{projections}{" + std::string(cache) + "}\\quad " + ffn_where(config, shown);
}

Refusals generate_refuses(const AttentionConfig& config, const Form&) {
    if (find_mask(config.mask)->fixed)
        return {{"mask", "adds tokens, for which neither padding nor a drawn pattern says anything; take another mask"}};
    if (const Score* score = find_score(score_of(config)); score && score->by_place)
        return {{"score", fmt::format("looks at more keys each time, but \"{}\" has a weight for a fixed number of places",
                                      score->id)}};
    if (config.penalty != 0) return {{"penalty", "asks one query at a time, so no coverage can be summed up"}};
    return {};
}

}  // namespace

/// A decoder without encoder that continues the text, one token at a time. The text is computed in one go (t1); from
/// then on each time computes only the row of the new token: its key and value are appended to the cache, and it
/// attends to all of the cache. Keys are cached before they are rotated, so a rotary position rotates the cache again.
/// [Radford et al. 2019; Pope et al. 2022, 2.1]
constexpr Form generate = {
    .id = "generate",
    .score = "scaled_dot",
    .formula = generate_formula,
    .where = generate_where,
    .source = "Radford et al. 2019",
    .reads = Reads::Heads | Reads::KeyHeads | Reads::Weights | Reads::Attend | Reads::Order | Reads::Blocks | Reads::Words |
             Reads::Generate | Reads::Causal,
    .run = run_generate,
    .refuses = generate_refuses,
};

}  // namespace attn::form
