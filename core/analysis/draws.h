#pragma once
// Hard attention's draws, one after the other: how their running mean comes to the soft context [Xu et al. 2015, 4.1].

#include <vector>

#include "core/trace/trace.h"

namespace attn {

struct DrawCourse {
    std::vector<int> columns;       ///< what each draw took, in order
    std::vector<double> distances;  ///< |mean of the first t contexts − soft context|, for t = 1, 2, …
    double soft_length = 0;         ///< |soft context|
};

/// Of one row of a head's draws; at most `most` of them. Empty where the row has no weight, or nothing is drawn.
DrawCourse scaling_draws(const Trace& trace, Tag head, int row, int most);

}  // namespace attn
