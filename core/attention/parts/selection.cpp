#include "core/attention/parts/selection.h"

#include <fmt/format.h>

#include "core/attention/parts/choices.h"
#include "core/attention/parts/position.h"
#include "core/attention/parts/scope.h"
#include "core/attention/parts/training.h"
#include "core/ops/ops.h"

namespace attn {
namespace {

/// softmax [Vaswani et al. 2017, eq. 1; Xu et al. 2015, eq. 5]
StepId soft(Trace& t, const Attend& a, StepId scores) {
    return softmax(t, scores, a.config.temperature, a.tag.as(Role::Weights));
}

/// The k largest of a row, then softmax.
StepId largest(Trace& t, const Attend& a, StepId scores) {
    return soft(t, a, top_k(t, scores, a.config.top_k, a.tag.as(Role::ScoresTopK)));
}

/// The nearest point on the simplex [Martins, Astudillo 2016]
StepId sparse(Trace& t, const Attend& a, StepId scores) {
    return sparsemax(t, scores, a.config.temperature, a.tag.as(Role::Weights));
}

/// Training reads a position's word off its row of the values alone, and records a dozen steps per draw.
void refuse_training(const AttentionConfig& c, Refusals& out) {
    const auto refuse = [&](std::string why) { out.push_back({"target", "cannot be trained here: " + std::move(why)}); };
    if (c.heads > 1) refuse(fmt::format("with {} heads no head's context is as wide as a word; take one head", c.heads));
    if (gates().find(c.gate)->activation) refuse(fmt::format("the gate \"{}\" changes what a place says; take none", c.gate));
    if (find_position(c.position)->kind == PositionKind::Relative)
        refuse(fmt::format("with the position \"{}\" a place says something else to each query; take another", c.position));
    if (c.temperature == 0) refuse("at temperature 0 one place always wins, and no small change of a score changes that; take a higher temperature");
    if (c.draws > kMostDrawsOfTraining)
        refuse(fmt::format("every draw is recorded separately, and {} are more than {}; choose fewer draws", c.draws, kMostDrawsOfTraining));
}

/// Hard selection draws one position, so the weights must sum to 1.
Refusals hard_refuses(const AttentionConfig& c, const Form&) {
    Refusals out;
    const Scope& scope = *find_scope(c.scope);
    if (scope.predicted)
        out.push_back({"selection", fmt::format("draws from weights that sum to 1, but under the scope \"{}\" they sum to "
                                                "less; choose another scope", scope.id)});
    if (!c.target.empty()) refuse_training(c, out);
    return out;
}

constexpr std::array kSelections = {
    Selection{
        .id = "soft",
        .source = "Xu et al. 2015",
        .formula = "\\word{softmax}($s)",
        .symbol = "\\word{softmax}",
        .run = soft,
    },
    Selection{
        .id = "hard",
        .source = "Xu et al. 2015",
        .formula = "\\word{softmax}($s)",
        .symbol = "\\word{softmax}",
        .draws = true,
        .run = soft,
        .fields = {"draws", "draw_seed", "target"},
        .refuses = hard_refuses,
    },
    Selection{
        .id = "top_k",
        .source = "Shazeer et al. 2017",
        .formula = "\\word{softmax}($s)",
        .selected = "\\word{top}_{$n}($s)",
        .symbol = "\\word{softmax}",
        .selected_symbol = "\\word{top}_k",
        .run = largest,
        .fields = {"top_k"},
    },
    Selection{
        .id = "sparsemax",
        .source = "Martins, Astudillo 2016",
        .formula = "\\word{sparsemax}($s)",
        .symbol = "\\word{sparsemax}",
        .run = sparse,
    },
};

}  // namespace

Catalogue<Selection>& selection_catalogue() {
    static Catalogue<Selection> table(kSelections);
    return table;
}

std::span<const Selection> selections() { return selection_catalogue().rows(); }
const Selection* find_selection(std::string_view id) { return selection_catalogue().find(id); }

}  // namespace attn
