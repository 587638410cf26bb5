#pragma once
// The draws of hard attention, one by one: how their running mean approaches the soft context [Xu et al. 2015, 4.1].

#include <vector>

#include "core/trace/trace.h"

namespace attn {

struct DrawCourse {
    std::vector<int> columns;       ///< the column of each draw, in order
    std::vector<double> distances;  ///< |mean of the first t contexts − soft context|, for t = 1, 2, …
    double soft_length = 0;         ///< |soft context|
};

/// For one row of a head's draws; at most `most` of them. Empty if the row has no weight, or nothing is drawn.
DrawCourse scaling_draws(const Trace& trace, Tag head, int row, int most);

}  // namespace attn
