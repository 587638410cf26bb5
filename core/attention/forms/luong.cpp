#include "core/attention/forms/recurrent.h"
#include "core/attention/parts/position.h"

namespace attn::form {
namespace {

void run_luong(Trace& t, const Inputs& in, const AttentionConfig& config) {
    const StepId source = embed_vectors(t, in, Part::Source);
    const StepId keys = recurrent_states(t, in, source, Part::Source, kForward, false);
    const StepId words = embed_vectors(t, in);
    const StepId states = recurrent_states(t, in, words, Part::Main, kForward, false);
    Attend a{in, config, {}, states};
    a.self = a.positioned = false;
    const StepId contexts = attend(t, a, states, keys, keys, Role::HeadOutput);
    const StepId products = combine(t, in, contexts, states, Role::CombineProducts);
    activate(t, products, Activation::Tanh, {Role::Output});
}

std::string luong_formula(const AttentionConfig& config, Convention shown) {
    const std::string pair = shown == Convention::Columns ? "W_c [{\\o c_t}; {\\q h_t}]" : "[{\\o c_t}; {\\q h_t}] W_c";
    return "{\\o \\tilde{h}_t} = \\part{output}{\\tanh(" + pair +
           ")}\\quad {\\o c_t} = " + attention_formula(config, shown, {"{\\q h_t}", "{\\k H_s}", "{\\v H_s}"});
}

std::string luong_where(const AttentionConfig&, Convention shown) {
    const std::string_view state = shown == Convention::Columns ? "W {\\x x_t} + U h_{t-1}" : "{\\x x_t} W + h_{t-1} U";
    return "\\part{states}{h_t = \\tanh(" + std::string(state) + ")}";
}

}  // namespace

/// Attention after the decoder: h̃_t = tanh(W_c [c_t; h_t]), global or local [Luong, Pham, Manning 2015, 3]. A tanh
/// unit replaces the paper's LSTM, and the decoder's initial state is 0.
constexpr Form luong = {
    .id = "luong",
    .score = "general",
    .formula = luong_formula,
    .where = luong_where,
    .source = "Luong et al. 2015",
    .reads = Reads::Weights | Reads::Source | Reads::Score | Reads::Mask | Reads::Scope | Reads::Selection | Reads::Temperature,
    .run = run_luong,
    .output = {"\\o W_c"},
};

}  // namespace attn::form
