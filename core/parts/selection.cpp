#include "core/parts/selection.h"

#include <fmt/format.h>

#include "core/ops.h"
#include "core/parts/scope.h"

namespace attn {
namespace {

/// softmax [Vaswani et al. 2017, eq. 1; Xu et al. 2015, eq. 5]
StepId soft(Trace& t, const Attend& a, StepId scores) {
    return softmax(t, scores, a.config.temperature, a.tag.as(Role::Weights));
}

/// The k largest of a row, then softmax.
StepId largest(Trace& t, const Attend& a, StepId scores) {
    return soft(t, a, top_k(t, scores, a.config.top_k, a.tag.as(Role::Kept)));
}

/// The nearest point of the simplex [Martins, Astudillo 2016]
StepId sparse(Trace& t, const Attend& a, StepId scores) {
    return sparsemax(t, scores, a.config.temperature, a.tag.as(Role::Weights));
}

/// One place is drawn from shares of a whole.
Refusals refuse_less_than_one(const AttentionConfig& c, const Variant&) {
    const Scope& scope = *find_scope(c.scope);
    if (!scope.predicted) return {};
    return {{"selection",
             fmt::format("draws from weights that sum to 1, but under the scope \"{}\" they sum to less; choose another scope", scope.id)}};
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
        .fields = {"draws", "draw_seed"},
        .refuses = refuse_less_than_one,
    },
    Selection{
        .id = "top_k",
        .source = "Shazeer et al. 2017",
        .formula = "\\word{softmax}($s)",
        .kept = "\\word{top}_{$n}($s)",
        .symbol = "\\word{softmax}",
        .kept_symbol = "\\word{top}_k",
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
