#pragma once
// What the distance between two tokens does to their score, by each way of telling positions.

#include <string_view>
#include <vector>

#include "core/base/matrix.h"

namespace attn {

/// One line: the change at distances −reach … reach.
struct DistanceLine {
    int head = -1;  ///< of a line for each head; −1: one for all
    std::vector<double> values;
};

/// sinusoidal: PE_p · PE_{p+Δ}, with p in the middle. rope, rope_half: the inner product of a vector of ones with itself
/// rotated by Δ, by d. alibi: −m |Δ| for each head. Others tell nothing that depends on the distance alone: empty.
std::vector<DistanceLine> distance_lines(std::string_view position, int width, int heads, int reach);

}  // namespace attn
