#pragma once
// Masks: which keys a query may look at. A table: one function and one row to add one.

#include <span>
#include <string_view>

#include "core/inputs.h"

namespace attn {

struct Mask {
    std::string_view id;
    Source source;  ///< where its pattern comes from
    /// n×m of 1 (looked at) and 0; null: no mask, no step.
    Matrix (*pattern)(const Inputs&, int queries, int keys);
};

std::span<const Mask> masks();
const Mask* find_mask(std::string_view id);

/// The scores with the configured mask on them; `scores` itself where there is none.
StepId apply_mask(Trace& t, StepId scores, const Inputs& in, const AttentionConfig& config, int head);

}  // namespace attn
