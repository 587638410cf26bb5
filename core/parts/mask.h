#pragma once
// Masks: which keys a query may look at. A table: one function and one row to add one.

#include <span>
#include <string_view>

#include "core/parts/attend.h"

namespace attn {

/// Queries first, first + 1, … and keys 0, 1, …
struct MaskShape {
    int queries = 0, keys = 0, first = 0;
};

struct Mask {
    std::string_view id;
    Source source;  ///< where its pattern comes from
    /// Compares places of one sequence: not for queries and keys of two texts.
    bool same_sequence;
    /// queries×keys of 1 (looked at) and 0; null: no mask, no step.
    Matrix (*pattern)(const Inputs&, const AttentionConfig&, MaskShape);
    std::string_view paper = "";
};

std::span<const Mask> masks();
const Mask* find_mask(std::string_view id);

/// The scores with the configured mask on them; `scores` itself where there is none.
StepId apply_mask(Trace& t, const Attend& a, StepId scores);
/// The pattern of a causal mask with the configured one, whatever the configuration: what a decoder needs.
StepId apply_causal(Trace& t, const Attend& a, StepId scores);

}  // namespace attn
