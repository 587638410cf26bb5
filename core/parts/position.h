#pragma once
// Positions: how attention, which sees a set, is told the order. A table: one function and one row to add one.

#include <span>
#include <string_view>

#include "core/inputs.h"

namespace attn {

struct Position {
    std::string_view id;
    /// n×d, added to the vectors; null: nothing is added, no step.
    Matrix (*encoding)(int n, int d);
};

std::span<const Position> positions();
const Position* find_position(std::string_view id);

/// PE[p,2i] = sin(p / 10000^(2i/d)), PE[p,2i+1] = cos(same); an odd d ends with the sine.
/// Computed in float64. [Vaswani et al. 2017, 3.5]
Matrix sinusoidal(int n, int d);

/// Records X and, where the configuration has a position, the encoding and the sum. Returns what attention reads.
StepId embed(Trace& t, const Inputs& in, const AttentionConfig& config);

}  // namespace attn
