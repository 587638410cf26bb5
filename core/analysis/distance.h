#pragma once
// How the distance between two tokens changes their score, for each kind of position.

#include <string_view>
#include <vector>

#include "core/base/matrix.h"

namespace attn {

/// One line: the change at distances −reach … reach.
struct DistanceLine {
    int head = -1;  ///< the line's head; −1: one line for all heads
    std::vector<double> values;
};

/// sinusoidal: PE_p · PE_{p+Δ}, with p in the middle. rope, rope_half: the inner product of a vector of ones with
/// itself rotated by Δ, divided by d. alibi: −m |Δ| for each head. Other positions have no effect of the distance
/// alone: empty.
std::vector<DistanceLine> distance_lines(std::string_view position, int width, int heads, int reach);

}  // namespace attn
