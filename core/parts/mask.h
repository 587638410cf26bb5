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

/// The scores with the masks on them, `scores` itself where there is none: where the attention is causal by itself,
/// that first; a configured mask other than that comes second.
StepId apply_mask(Trace& t, const Attend& a, StepId scores);
/// The configured mask's pattern for queries of these rows and keys of these columns; kNoStep where there is none. One
/// serves every head and layer.
StepId mask_pattern(Trace& t, const Attend& a, MaskShape shape, Axis rows, Axis cols);

}  // namespace attn
