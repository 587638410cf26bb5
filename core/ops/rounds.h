#pragma once
// Loops whose rounds make steps of the same shapes: heads, layers, tokens, tiles.

#include <algorithm>

#include "core/trace/trace.h"

namespace attn {

/// round(0), round(1) … and the steps that they return. The rounds from `alike` on have the same shapes: in a run over
/// shapes one of them is made, counts for all, and its step stands for theirs, so that such a run takes microseconds
/// however long the text.
template <class Round>
std::vector<StepId> rounds(Trace& t, int count, const Round& round, int alike = 1) {
    std::vector<StepId> made;
    made.reserve(static_cast<std::size_t>(count));
    const int each = t.shapes ? std::min(count, alike) : count;
    for (int i = 0; i < each; ++i) made.push_back(round(i));
    if (each == count) return made;
    const double before = t.shapes->times;
    t.shapes->times *= count - each;
    const StepId step = round(each);
    t.shapes->times = before;
    made.resize(static_cast<std::size_t>(count), step);
    return made;
}

}  // namespace attn
