#pragma once
// Loops whose iterations record steps of the same shapes: over heads, layers, tokens, tiles.

#include <algorithm>

#include "core/trace/trace.h"

namespace attn {

/// Calls round(0), round(1) … and returns their steps. The iterations from `alike` on have the same shapes: a run over
/// shapes executes one of them, counts it for all, and returns its step for each, so that such a run takes microseconds
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
