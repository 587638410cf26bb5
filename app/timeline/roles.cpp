#include "app/timeline/roles.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "app/timeline/reverse.h"
#include "core/attention/parts/choices.h"
#include "core/attention/parts/mask.h"
#include "core/attention/parts/position.h"
#include "core/attention/parts/score.h"
#include "core/attention/parts/selection.h"
#include "core/document/document.h"

namespace app {
namespace {

constexpr RoleLook kRoles[] = {
#define R(role, stage, hue, operand, say, symbol, ...) RoleLook{Stage::stage, Hue::hue, operand, Str::say, symbol, ValueFamily{__VA_OPT__(ValueFamily::__VA_ARGS__)}},
#include "app/timeline/roles.inc"
#undef R
};
static_assert(std::size(kRoles) == attn::kRoleCount);

/// The table lists the roles in the engine's order.
constexpr attn::Role kOrder[] = {
#define R(role, ...) attn::Role::role,
#include "app/timeline/roles.inc"
#undef R
};
constexpr bool in_order() {
    for (std::size_t i = 0; i < std::size(kOrder); ++i)
        if (kOrder[i] != static_cast<attn::Role>(i)) return false;
    return true;
}
static_assert(in_order());

/// Symbols where tokens are columns: those of roles.inc, except where column_symbols.inc has another.
constexpr auto kColumnSymbols = [] {
    std::array<std::string_view, attn::kRoleCount> symbols{};
    for (std::size_t i = 0; i < symbols.size(); ++i) symbols[i] = kRoles[i].symbol;
#define C(role, symbol) symbols[static_cast<std::size_t>(attn::Role::role)] = symbol;
#include "app/timeline/column_symbols.inc"
#undef C
    return symbols;
}();

constexpr std::array<StageLook, kStageCount> kStages = {{
    {"vectors", Str::stage_vectors, Hue::Input, "\\x X"},
    {"states", Str::stage_states, Hue::Output, "h_t"},
    {"norm", Str::stage_norm, Hue::Output, "\\word{Norm}"},
    {"projections", Str::stage_projections, Hue::Query, "{\\q Q}\\,{\\k K}\\,{\\v V}"},
    {"scores", Str::stage_scores, Hue::Score, "{\\q Q}{\\k K}^T", "{\\k K}^T{\\q Q}"},
    {"scale", Str::stage_scale, Hue::Score, "\\s /\\sqrt{d_k}"},
    {"bias", Str::stage_bias, Hue::Score, "\\s -m|i-j|"},
    {"scope", Str::stage_scope, Hue::Masked, "\\m D"},
    {"mask", Str::stage_mask, Hue::Masked, "\\m M"},
    {"select", Str::stage_select, Hue::Score, "\\word{top}_k"},
    {"softmax", Str::stage_softmax, Hue::Score, "\\s \\word{softmax}"},
    {"draw", Str::stage_draw, Hue::Score, "\\word{draw}"},
    {"mix", Str::stage_mix, Hue::Value, "\\cdot\\,{\\v V}", "{\\v V}\\,\\cdot"},
    {"output", Str::stage_output, Hue::Output, "\\o W_O", "\\o W^o"},
    {"residual", Str::stage_residual, Hue::Output, "+\\,x"},
    {"feed_forward", Str::stage_feed_forward, Hue::Value, "\\word{FFN}"},
    {"predict", Str::stage_predict, Hue::Score, "\\word{softmax}(YE^T)", "\\word{softmax}(E^TY)"},
}};

}  // namespace

bool looks_at_itself(const attn::Trace& trace) {
    return std::none_of(trace.steps.begin(), trace.steps.end(), [](const attn::Step& step) {
        using attn::Role;
        const Role role = step.tag.role;
        return role == Role::Queries || role == Role::State || role == Role::States || role == Role::FeatureQueries;
    });
}

std::optional<Str> say_of_file(const attn::Step& step) {
    using attn::Role;
    const Role role = step.tag.role;
    if (step.op != attn::Op::Input) return std::nullopt;
    if (role == Role::Weights) return Str::say_from_file;
    const auto* input = std::get_if<attn::InputParams>(&step.params);
    if (!input || input->sources.of_row(0) != attn::Source::File) return std::nullopt;
    if (role == Role::Queries || role == Role::Keys) return Str::say_compared_from_file;
    return role == Role::Inputs || role == Role::Residual ? std::optional(Str::say_stream_from_file) : std::nullopt;
}

bool scores_by_place(const attn::Trace& trace, attn::StepId id) {
    if (id == attn::kNoStep || trace[id].op != attn::Op::MatMul || is_reverse(trace[id].tag)) return false;
    return trace[trace[id].inputs[1]].tag.role == attn::Role::ScoreWeight && trace[id].tag.role == attn::Role::Scores;
}

const RoleLook& look_of(attn::Role role) { return kRoles[static_cast<std::size_t>(role)]; }
std::string_view symbol_of(attn::Role role, attn::Convention convention) {
    return convention == attn::Convention::Columns ? kColumnSymbols[static_cast<std::size_t>(role)]
                                                   : look_of(role).symbol;
}
Hue hue_of(attn::Tag tag) { return is_reverse(tag) ? Hue::Gradient : look_of(tag.role).hue; }
Hue hue_of(const attn::Trace& trace, attn::StepId step) {
    while (is_reverse(trace[step].tag) && trace[step].op == attn::Op::Transpose) step = trace[step].inputs[0];
    return hue_of(trace[step].tag);
}
const StageLook& look_of(Stage stage) { return kStages[static_cast<std::size_t>(stage)]; }

namespace {

std::string symbol_of_scores(const attn::Form& form, const attn::Score* score, attn::Convention shown) {
    if (!score) return std::string(form.scores.in(shown));
    const attn::Notation& notation = score->symbol.empty() ? score->formula : score->symbol;
    return attn::write(notation.in(shown), form.letters);
}

/// The symbol of a stage according to the chosen form, score and selection; empty: none of its own.
std::string symbol_of_rows(Stage stage, const attn::AttentionConfig& config, attn::Convention shown) {
    const attn::Form& form = *attn::find_form(config.form);
    const attn::Score* score = attn::find_score(attn::score_of(config));
    const attn::Selection& selection = *attn::find_selection(config.selection);
    const auto in_violet = [](std::string_view symbol) {
        return symbol.empty() ? std::string() : "\\s " + std::string(symbol);
    };
    switch (stage) {
        case Stage::Scores:
            return symbol_of_scores(form, score, shown);
        case Stage::Scale:
            return score && !score->divisor.empty() ? in_violet("/" + attn::divisor_formula(*score, config, form.letters)) : "";
        case Stage::Bias:
            return in_violet(attn::find_position(config.position)->symbol);
        case Stage::Mask:
            return std::string(attn::find_mask(config.mask)->formula);
        case Stage::Select:
            return std::string(selection.selected_symbol);
        case Stage::Softmax:
            if (form.reads == attn::Reads::Nothing) return "\\s A";  // from a file, not a softmax
            return in_violet(selection.symbol);
        case Stage::Mix: {
            const std::string values(form.letters.value);
            return shown == attn::Convention::Columns ? values + "\\,\\cdot" : "\\cdot\\," + values;
        }
        case Stage::Output:
            return std::string(form.output.in(shown));
        case Stage::Predict:
            if (!attn::unembeddings().find(config.unembedding)->own) return {};
            return shown == attn::Convention::Columns ? "\\word{softmax}(W^uY)" : "\\word{softmax}(YW_U)";
        default:
            return {};
    }
}

}  // namespace

std::string symbol_of(Stage stage, const attn::AttentionConfig& config, attn::Convention convention) {
    std::string own = symbol_of_rows(stage, config, convention);
    return own.empty() ? std::string(look_of(stage).symbol_in(convention)) : own;
}

attn::Role role_of_doing(const attn::Step& step) {
    using attn::Role;
    const Role role = step.tag.role;
    if (role != Role::Output && role != Role::Annotations) return role;
    if (step.op == attn::Op::LayerNorm || step.op == attn::Op::RmsNorm) return Role::Normed;
    return step.op == attn::Op::Add ? Role::Residual : role;
}

Str say_of(const attn::Run& run, attn::StepId id) {
    using attn::Role;
    const attn::Step& step = run.trace[id];
    if (is_reverse(step.tag)) return says_of_reverse(step);
    const bool raw = looks_at_itself(run.trace);
    if (step.op == attn::Op::Slice && step.tag.role != Role::InputSlice) return Str::say_split;
    if (step.op == attn::Op::AddRow) return Str::say_bias;
    if (const auto of_file = say_of_file(step)) return *of_file;
    if (raw && step.tag.role == Role::Scores) return Str::say_scores_raw;
    if (raw && step.tag.role == Role::Output) return Str::say_mix_raw;
    if (step.op == attn::Op::Scale && step.tag.role == Role::Logits) return Str::say_logit_mean;  // of a DeiT's two heads
    if (step.op == attn::Op::Activate && step.tag.role == Role::Output) return Str::say_attentional;
    if (step.op == attn::Op::Add && step.tag.role == Role::State) return Str::say_state_changed;
    // The part that a state takes from the jointly projected words.
    if (look_of(step.tag.role).say == Str::say_word_part && step.tag.time != attn::kNoTime) {
        if (step.op == attn::Op::Input) return Str::say_no_word_before;
        if (step.op == attn::Op::SliceRows) return Str::say_word_before;
    }
    const attn::Score* score = attn::find_score(attn::score_of(run.config));
    if (score && step.tag.role == Role::Scores)
        if (const auto own = find_string("say_" + std::string(score->says))) return *own;
    return look_of(role_of_doing(step)).say;
}

}  // namespace app
