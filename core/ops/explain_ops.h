#pragma once
// What explain() asks of each operation. Internal to it.

#include "core/ops/explain.h"

namespace attn {

/// The number in a cell.
inline float number_in(const Trace& t, Cell cell) { return t[cell.step].value(cell.row, cell.col); }

/// Fills in the terms of e.cell, which belongs to `step`, and what its operation has beside them.
void explain_step(const Trace& trace, const Step& step, Explanation& e);

}  // namespace attn
