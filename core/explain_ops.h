#pragma once
// What explain() asks of each operation. Internal to it.

#include "core/explain.h"

namespace attn {

/// Fills in the terms of e.cell, which belongs to `step`, and what its operation has beside them.
void explain_step(const Trace& trace, const Step& step, Explanation& e);

}  // namespace attn
