#include "app/anim/roles.h"

#include <algorithm>
#include <array>

namespace app {
namespace {

constexpr std::array kRoles = {
#define R(role, stage, hue, operand, say, symbol) RoleLook{Stage::stage, Hue::hue, operand, Str::say, symbol},
#include "app/anim/roles.inc"
#undef R
};
static_assert(kRoles.size() == attn::kRoleCount);

/// The table lists the roles in the engine's order.
constexpr std::array kOrder = {
#define R(role, stage, hue, operand, say, symbol) attn::Role::role,
#include "app/anim/roles.inc"
#undef R
};
constexpr bool in_order() {
    for (std::size_t i = 0; i < kOrder.size(); ++i)
        if (kOrder[i] != static_cast<attn::Role>(i)) return false;
    return true;
}
static_assert(in_order());

/// Symbols where tokens are columns: as in roles.inc but for those named in column_symbols.inc.
constexpr auto kColumnSymbols = [] {
    std::array<std::string_view, attn::kRoleCount> symbols{};
    for (std::size_t i = 0; i < symbols.size(); ++i) symbols[i] = kRoles[i].symbol;
#define C(role, symbol) symbols[static_cast<std::size_t>(attn::Role::role)] = symbol;
#include "app/anim/column_symbols.inc"
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

bool scores_by_place(const attn::Trace& trace, attn::StepId id) {
    if (id == attn::kNoStep || trace[id].op != attn::Op::MatMul) return false;
    return trace[trace[id].inputs[1]].tag.role == attn::Role::ScoreWeight && trace[id].tag.role == attn::Role::Scores;
}

const RoleLook& look_of(attn::Role role) { return kRoles[static_cast<std::size_t>(role)]; }
std::string_view symbol_of(attn::Role role, attn::Convention convention) {
    return convention == attn::Convention::Columns ? kColumnSymbols[static_cast<std::size_t>(role)]
                                                   : look_of(role).symbol;
}
const StageLook& look_of(Stage stage) { return kStages[static_cast<std::size_t>(stage)]; }

}  // namespace app
