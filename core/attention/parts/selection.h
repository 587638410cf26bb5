#pragma once
// Selection: how a row of scores becomes a row of weights. A table.

#include <array>

#include "core/attention/parts/attend.h"
#include "core/attention/refusal.h"
#include "core/base/catalogue.h"

namespace attn {

struct Selection {
    std::string_view id;
    std::string_view source;  ///< paper
    /// The formula of the weights: $s is the scores, or `selected` if only some of them are kept.
    std::string_view formula;
    std::string_view selected = "";  ///< $s: the scores, $n: top_k; empty: all scores are kept
    /// Only the names, for the list of steps and the timeline.
    std::string_view symbol = "", selected_symbol = "";
    bool draws = false;            ///< positions are drawn from the weights: the context is made of the drawn values
    /// n×m scores to n×m weights, the last step under Role::Weights.
    StepId (*run)(Trace&, const Attend& a, StepId scores) = nullptr;
    std::array<std::string_view, 3> fields = {};  ///< the document's fields that it reads
    Refuses refuses = nullptr;
};

Catalogue<Selection>& selection_catalogue();
std::span<const Selection> selections();
const Selection* find_selection(std::string_view id);

}  // namespace attn
