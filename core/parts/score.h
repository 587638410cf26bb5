#pragma once
// Score functions: how a query is compared with a key. A table: one function and one row to add one.

#include <span>
#include <string_view>

#include "core/trace.h"

namespace attn {

struct Score {
    std::string_view id;
    std::string_view formula;  ///< of one cell, as the formula setter reads it
    std::string_view source;   ///< paper
    /// n×f queries and m×f keys to n×m scores; records its steps under `head` and returns the last.
    StepId (*run)(Trace&, StepId queries, StepId keys, int head);
};

std::span<const Score> scores();
const Score* find_score(std::string_view id);

}  // namespace attn
