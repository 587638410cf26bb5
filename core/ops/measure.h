#pragma once
// What can be measured of a step: the spread of a row of weights, the work and the memory that it took.

#include "core/trace/trace.h"

namespace attn {

/// −Σ p ln p of one row of weights, in nats; 0 for a row of zeros.
double entropy(const Matrix& weights, int row);

Cost cost(const Trace& trace, StepId step);

}  // namespace attn
