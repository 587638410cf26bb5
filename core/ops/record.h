#pragma once
// How a step enters the trace. Internal to the operations (ops.h).

#include <initializer_list>

#include "core/trace/trace.h"

namespace attn {

/// Appends the next step in place: everything but its value, which record() supplies.
inline Step& begin(Trace& t, Op op, Tag tag, std::initializer_list<StepId> inputs, const Axis& rows, const Axis& cols) {
    Step& step = t.steps.emplace_back(op, inputs, rows, cols);
    step.tag = tag;  // passed in registers: by reference it would be stored in parts and loaded whole, which stalls
    return step;
}
/// Computes the step that was begun, or evicts its value; a step of a head may be deferred until other heads' steps can
/// run with it. Throws Cancelled.
StepId record(Trace& t);

/// Both, for a step without parameters.
inline StepId record(Trace& t, Op op, Tag tag, std::initializer_list<StepId> inputs, const Axis& rows, const Axis& cols) {
    begin(t, op, tag, inputs, rows, cols);
    return record(t);
}

}  // namespace attn
