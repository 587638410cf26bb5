#include "core/attention/forms/block.h"
#include "core/attention/forms/recurrent.h"
#include "core/attention/parts/choices.h"
#include "core/attention/parts/parameter.h"
#include "core/attention/parts/position.h"
#include "core/attention/parts/score.h"

namespace attn::form {
namespace {

/// Both directions over the second text, concatenated: m×2d [Bahdanau et al. 2014, 3.2]
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

/// The roles of the three products that make up a gate, or the state itself, and of their sums.
struct UnitRoles {
    Role word_weight, word, recurrent_weight, recurrent, context_weight, context, sum, input, result;
};
constexpr UnitRoles kState = {Role::StateWeight,       Role::StateProducts,   Role::RecurrentWeight,
                              Role::RecurrentProducts, Role::ContextWeight,   Role::ContextProducts,
                              Role::StateSum,          Role::StateInput,      Role::State};
constexpr UnitRoles kUpdate = {Role::UpdateWeight,            Role::UpdateProducts,        Role::UpdateRecurrentWeight,
                               Role::UpdateRecurrentProducts, Role::UpdateContextWeight,   Role::UpdateContextProducts,
                               Role::UpdateSum,               Role::UpdateInput,           Role::Update};
constexpr UnitRoles kReset = {Role::ResetWeight,            Role::ResetProducts,        Role::ResetRecurrentWeight,
                              Role::ResetRecurrentProducts, Role::ResetContextWeight,   Role::ResetContextProducts,
                              Role::ResetSum,               Role::ResetInput,           Role::Reset};

/// The inputs of a new state: the previous state, the context and the previous word (projected for each of the three
/// units).
struct Before {
    StepId state, context;
    int word;  ///< the previous word's row; −1: there is none yet, and 0 is used
};
struct ProjectedWords {
    StepId state = kNoStep, update = kNoStep, reset = kNoStep;
};

/// f(y W + s U + c C) [ibid., A.1.1]; `state` is the previous state, or what the reset gate leaves of it.
StepId unit_part(Trace& t, const Attend& a, const Before& b, StepId words, StepId state, const UnitRoles& r,
                 Activation activation, Role result) {
    const auto d = static_cast<int>(t[b.state].value.cols());
    const StepId own = b.word < 0 ? input(t, 1, d, [d] { return Matrix(Matrix::Zero(1, d)); }, a.tag.as(r.word), {}, t[words].cols, {Source::Formula})
                                  : slice_rows(t, words, b.word, 1, a.tag.as(r.word));
    t.steps.back().rows = t[b.state].rows;  // it is a part of the state of the word to be predicted
    const StepId carried = project_by(t, a.in, state, a.tag, r.recurrent_weight, d, r.recurrent, Fill::Weight);
    const StepId sum = add(t, own, carried, a.tag.as(r.sum));
    const StepId looked = project_by(t, a.in, b.context, a.tag, r.context_weight, d, r.context, Fill::Weight);
    return activate(t, add(t, sum, looked, a.tag.as(r.input)), activation, a.tag.as(result));
}

/// z = σ(…), r = σ(…), s̃ = tanh(y W + (r ⊙ s) U + c C), s + z ⊙ (s̃ − s) [ibid., A.1.1]
StepId gated_state(Trace& t, const Attend& a, const Before& b, const ProjectedWords& words) {
    const StepId z = unit_part(t, a, b, words.update, b.state, kUpdate, Activation::Sigmoid, Role::Update);
    const StepId r = unit_part(t, a, b, words.reset, b.state, kReset, Activation::Sigmoid, Role::Reset);
    const StepId kept = multiply(t, r, b.state, a.tag.as(Role::KeptState));
    const StepId candidate = unit_part(t, a, b, words.state, kept, kState, Activation::Tanh, Role::Candidate);
    const StepId minus = scale(t, b.state, -1, a.tag.as(Role::MinusState));
    const StepId change = add(t, candidate, minus, a.tag.as(Role::StateChange));
    return add(t, b.state, multiply(t, z, change, a.tag.as(Role::GatedChange)), a.tag.as(Role::State));
}

/// One word of the target: the previous state is the query, attention returns the context, and both give the new state.
struct Word {
    StepId weights, context, state;
};
Word read_word(Trace& t, Attend a, const ProjectedWords& words, StepId before, StepId annotations) {
    const int i = a.first_query;
    const StepId query = slice_rows(t, before, 0, 1, a.tag.as(Role::Queries));
    t.steps.back().rows = {Axis::Kind::Tokens, i};  // the previous state is the query for this word
    a.query_input = query;
    Word word{};
    word.weights = attention_weights(t, a, query, annotations);
    word.context = mix_values(t, a, word.weights, annotations, Role::HeadOutput);
    const Before b{query, word.context, i - 1};  // the state of word i is computed from word i − 1
    word.state = recurrent_units().find(a.config.unit)->gated ? gated_state(t, a, b, words)
                                          : unit_part(t, a, b, words.state, query, kState, Activation::Tanh, Role::State);
    return word;
}

/// Whether it predicts the word at each place from the previous words and the second text, which must be requested
/// [ibid., A.2.2; the output here is the plain t = [c; s] W_c].
bool says_words(const AttentionConfig& config) { return unembeddings().find(config.unembedding)->predicts; }

void run_bahdanau(Trace& t, const Inputs& in, const AttentionConfig& config) {
    const Annotated source = annotate(t, in);
    const StepId words = embed_vectors(t, in);
    const auto projected = [&](const UnitRoles& roles) {
        return project_by(t, in, words, {}, roles.word_weight, in.d(), roles.word, Fill::Weight);
    };
    ProjectedWords inputs{projected(kState)};
    if (recurrent_units().find(config.unit)->gated) {
        inputs.update = projected(kUpdate);
        inputs.reset = projected(kReset);
    }
    AttentionConfig each = config;
    each.penalty = 0;  // the penalty is over all words together
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
    const StepId output = combine(t, in, context, stack(t, states, {Role::States}), Role::Output);
    if (says_words(config)) softmax(t, word_logits(t, in, config, output, {}), 1, {Role::Probabilities});
}

std::string bahdanau_formula(const AttentionConfig& config, Convention shown) {
    const bool columns = shown == Convention::Columns, gated = recurrent_units().find(config.unit)->gated;
    const std::string before = gated ? "(r \\odot s_{i-1})" : "s_{i-1}";
    const std::string sum = columns ? "W {\\x y_{i-1}} + U " + before + " + C {\\o c_i}"
                                    : "{\\x y_{i-1}} W + " + before + " U + {\\o c_i} C";
    const std::string made = gated ? "(1 - z) \\odot s_{i-1} + z \\odot \\tanh(" + sum + ")" : "\\tanh(" + sum + ")";
    return "s_i = \\part{states}{" + made + "}\\quad {\\o c_i} = " + attention_formula(config, shown, {"{\\q s_{i-1}}", "{\\k H}", "{\\v H}"});
}

std::string bahdanau_where(const AttentionConfig& config, Convention shown) {
    const std::string_view output = shown == Convention::Columns ? "W_c [{\\o c_i}; s_i]" : "[{\\o c_i}; s_i] W_c";
    const std::string said = says_words(config) ? "\\quad P = \\part{predict}{\\word{softmax}(" + logits_formula(config, shown, "{\\o O}") + ")}" : "";
    return "\\part{states}{H = [h; \\bar{h}]}\\quad {\\o o_i} = \\part{output}{" + std::string(output) + "}" + said;
}

Refusals bahdanau_refuses(const AttentionConfig& config, const Form&) {
    const Score* score = find_score(score_of(config));
    if (!score || !score->equal_widths) return {};
    return {{"score",
             "compares states with annotations of both directions, which are twice as wide; take additive, concat, "
             "general or location"}};
}

}  // namespace

/// The first attention: a bidirectional recurrent encoder over the second text, and a recurrent decoder whose previous
/// state is the query for each word. The new state is computed from the previous state, word and context: s_i =
/// f(s_{i−1}, y_{i−1}, c_i) [Bahdanau, Cho, Bengio 2014, 3]. f is a tanh, or the paper's gated unit (A.1.1); the
/// encoder's units are tanh.
constexpr Form bahdanau = {
    .id = "bahdanau",
    .score = "additive",
    .formula = bahdanau_formula,
    .where = bahdanau_where,
    .source = "Bahdanau et al. 2014",
    .reads = Reads::Weights | Reads::Source | Reads::Score | Reads::Mask | Reads::Scope | Reads::Selection | Reads::Temperature |
            Reads::Unit,
    .run = run_bahdanau,
    .refuses = bahdanau_refuses,
    .output = {"\\o W_c"},
};

}  // namespace attn::form
