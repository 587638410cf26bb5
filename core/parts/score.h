#pragma once
// Score functions: how a query is compared with a key. A table: one function and one row to add one.

#include <span>
#include <string_view>

#include "core/parts/attend.h"

namespace attn {

struct Score {
    std::string_view id;
    std::string_view formula;  ///< of one cell, as the formula setter reads it
    std::string_view source;   ///< paper
    /// Compares by the inner product of query and key, so that positions can be told by turning them or by distance.
    bool inner_product;
    /// Has weights of its own.
    bool weighted;
    /// n×f queries and m×f keys to n×m scores; records its steps under a.tag and returns the last.
    StepId (*run)(Trace&, const Attend& a, StepId queries, StepId keys);
};

std::span<const Score> scores();
const Score* find_score(std::string_view id);

}  // namespace attn
