#pragma once
// Measures of a step: the entropy of a row of weights, its work and its memory.

#include "core/trace/trace.h"

namespace attn {

/// −Σ p ln p of one row of weights, in nats; 0 for a row of zeros.
double entropy(const Matrix& weights, int row);

Cost cost(const Trace& trace, StepId step);

}  // namespace attn
