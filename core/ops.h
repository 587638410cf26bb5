#pragma once
// Every operation: compute and record. Each returns the id of the step that it added.
// Shapes are the programmer's promise (asserted); documents are checked before (document.h).

#include "core/trace.h"

namespace attn {

StepId input(Trace& t, Matrix value, Tag tag, Axis rows, Axis cols, std::vector<Source> sources);
/// A (n×f) times B (f×m): n×m.
StepId matmul(Trace& t, StepId left, StepId right, Tag tag);
/// m×n from n×m.
StepId transpose(Trace& t, StepId from, Tag tag);
StepId scale(Trace& t, StepId from, float factor, Tag tag);
/// Two of the same shape.
StepId add(Trace& t, StepId left, StepId right, Tag tag);
/// n×d and a bias of 1×d.
StepId add_row(Trace& t, StepId left, StepId bias, Tag tag);
/// Scores where `pattern` (same shape, 1 = looked at) is 1, −∞ where it is 0.
StepId mask(Trace& t, StepId scores, StepId pattern, Tag tag);
/// By row: exp((x − max) / temperature) over its sum. A row that is wholly −∞ becomes 0 and is noted; a row with an
/// overflowed score becomes NaN and is noted. [Vaswani et al. 2017, eq. 1; ATTENTION.md 2, 9]
StepId softmax(Trace& t, StepId from, float temperature, Tag tag);
/// `count` columns from `first` on.
StepId slice(Trace& t, StepId from, int first, int count, Tag tag);
/// Same number of rows, side by side.
StepId concat(Trace& t, const std::vector<StepId>& parts, Tag tag);

/// The value of a step from its inputs, without the cells typed over: what was recorded, made again.
Matrix compute(const Trace& t, const Step& step);

}  // namespace attn
