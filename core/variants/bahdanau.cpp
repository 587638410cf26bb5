#include "core/parts/parameter.h"
#include "core/parts/position.h"
#include "core/parts/score.h"
#include "core/variants/recurrent.h"

namespace attn::variant {
namespace {

/// Both directions over the second text, side by side: m×2d [Bahdanau et al. 2014, 3.2]
struct Annotated {
    StepId annotations, backward;
};
Annotated annotate(Trace& t, const Inputs& in) {
    const StepId source = embed_vectors(t, in, Part::Source);
    const StepId forward = recurrent_states(t, in, source, Part::Source, kForward, false);
    const StepId backward = recurrent_states(t, in, source, Part::Source, kBackward, true);
    return {concat(t, {forward, backward}, {Role::Annotations, kNoHead, kNoLayer, kNoTime, Part::Source}), backward};
}

/// s_0 = tanh(W_s h_1) of the backward states [Bahdanau et al. 2014, A.2.2]
StepId first_state(Trace& t, const Inputs& in, StepId backward) {
    const auto d = static_cast<int>(t[backward].value.cols());
    const StepId first = slice_rows(t, backward, 0, 1, {Role::BackwardStates});
    const StepId products = project_by(t, in, first, {}, Role::InitialWeight, d, Role::InitialProducts, Fill::Weight);
    return activate(t, products, Activation::Tanh, {Role::State});
}

/// One word of the target: the state before asks, the context answers, and both make the new state.
struct Word {
    StepId weights, context, state;
};
Word read_word(Trace& t, Attend a, StepId inputs, StepId before, StepId annotations) {
    const int i = a.first_query, d = static_cast<int>(t[before].value.cols());
    const StepId query = slice_rows(t, before, 0, 1, a.tag.as(Role::Queries));
    t.steps.back().rows = {Axis::Kind::Tokens, i};  // the state is asked for this word
    a.query_input = query;
    Word word{};
    word.weights = attention_weights(t, a, query, annotations);
    word.context = mix_values(t, a, word.weights, annotations, Role::HeadOutput);
    const StepId own = slice_rows(t, inputs, i, 1, a.tag.as(Role::StateProducts));
    const StepId carried =
        project_by(t, a.in, query, a.tag, Role::RecurrentWeight, d, Role::RecurrentProducts, Fill::Weight);
    const StepId sum = add(t, own, carried, a.tag.as(Role::StateSum));
    const StepId looked =
        project_by(t, a.in, word.context, a.tag, Role::ContextWeight, d, Role::ContextProducts, Fill::Weight);
    const StepId all = add(t, sum, looked, a.tag.as(Role::StateInput));
    word.state = activate(t, all, Activation::Tanh, a.tag.as(Role::State));
    return word;
}

void run_bahdanau(Trace& t, const Inputs& in, const AttentionConfig& config) {
    const Annotated source = annotate(t, in);
    const StepId words = embed_vectors(t, in);
    const StepId inputs = project_by(t, in, words, {}, Role::StateWeight, in.d(), Role::StateProducts, Fill::Weight);
    AttentionConfig each = config;
    each.penalty = 0;  // it is of all words together
    StepId state = first_state(t, in, source.backward);
    std::vector<StepId> weights, contexts;
    const std::vector<StepId> states = rounds(t, in.n(), [&](int i) {
        Attend a{in, each, {Role::Queries, kNoHead, kNoLayer, i}};
        a.first_query = i;
        a.self = a.positioned = false;
        const Word word = read_word(t, a, inputs, state, source.annotations);
        weights.push_back(word.weights);
        contexts.push_back(word.context);
        return state = word.state;
    });
    weights.resize(states.size(), weights.back());
    contexts.resize(states.size(), contexts.back());
    const StepId alignment = stack(t, weights, {Role::Weights});
    add_penalty(t, {in, config, {}}, alignment);
    const StepId context = stack(t, contexts, {Role::HeadOutput});
    combine(t, in, context, stack(t, states, {Role::States}), Role::Output);
}

std::string bahdanau_formula(const AttentionConfig& config, Convention shown) {
    const std::string_view sum = shown == Convention::Columns ? "W {\\x y_i} + U s_{i-1} + C {\\o c_i}"
                                                              : "{\\x y_i} W + s_{i-1} U + {\\o c_i} C";
    return "s_i = \\part{states}{\\tanh(" + std::string(sum) +
           ")}\\quad {\\o c_i} = " + attention_formula(config, shown, {"{\\q s_{i-1}}", "{\\k H}", "{\\v H}"});
}

std::string bahdanau_where(const AttentionConfig&, Convention shown) {
    const std::string_view output = shown == Convention::Columns ? "W_c [{\\o c_i}; s_i]" : "[{\\o c_i}; s_i] W_c";
    return "\\part{states}{H = [h; \\bar{h}]}\\quad {\\o o_i} = \\part{output}{" + std::string(output) + "}";
}

Refusals bahdanau_refuses(const AttentionConfig& config, const Variant&) {
    const Score* score = find_score(score_of(config));
    if (!score || !score->equal_widths) return {};
    return {{"score",
             "compares states with annotations of both directions, which are twice as wide; take additive, concat, "
             "general or location"}};
}

}  // namespace

/// The first attention: a recurrent encoder both ways over the second text; a recurrent decoder whose state asks,
/// before each word, where to look [Bahdanau, Cho, Bengio 2014, 3]. A tanh unit stands for the paper's gated unit, and
/// the word read at step i is the i-th of the text.
constexpr Variant bahdanau = {
    .id = "bahdanau",
    .score = "additive",
    .formula = bahdanau_formula,
    .where = bahdanau_where,
    .source = "Bahdanau et al. 2014",
    .uses = Uses::Weights | Uses::Source | Uses::Score | Uses::Mask | Uses::Scope | Uses::Selection | Uses::Temperature,
    .run = run_bahdanau,
    .refuses = bahdanau_refuses,
    .output = {"\\o W_c"},
};

}  // namespace attn::variant
