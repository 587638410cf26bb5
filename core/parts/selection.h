#pragma once
// Selection: how a row of scores becomes a row of weights. A table.

#include <span>
#include <string_view>

#include "core/parts/attend.h"

namespace attn {

struct Selection {
    std::string_view id;
    std::string_view source;  ///< paper
    bool draws;               ///< positions are drawn from the weights: the context is what was drawn
    /// n×m scores to n×m weights, the last under Role::Weights.
    StepId (*run)(Trace&, const Attend& a, StepId scores);
};

std::span<const Selection> selections();
const Selection* find_selection(std::string_view id);

}  // namespace attn
