#pragma once
// How a step comes into the trace. Internal to the operations (ops.h).

#include <initializer_list>

#include "core/trace/trace.h"

namespace attn {

/// The next step, where it stays: what it is, without its value. It is whole when record() has been asked.
inline Step& begin(Trace& t, Op op, Tag tag, std::initializer_list<StepId> inputs, const Axis& rows, const Axis& cols) {
    Step& step = t.steps.emplace_back(op, inputs, rows, cols);
    step.tag = tag;  // from registers: handed on by reference it would be written in parts and read as a whole, which waits
    return step;
}
/// Computes the step that was begun, or lets go of its value; one of a head may wait for those of other heads. Throws
/// Cancelled.
StepId record(Trace& t);

/// Both, of one that has no parameters.
inline StepId record(Trace& t, Op op, Tag tag, std::initializer_list<StepId> inputs, const Axis& rows, const Axis& cols) {
    begin(t, op, tag, inputs, rows, cols);
    return record(t);
}

}  // namespace attn
