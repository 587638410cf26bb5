#pragma once
// Every operation in float64, written independently of the engine: finite differences are taken of it.

#include <map>
#include <vector>

#include "core/trace/trace.h"

namespace attn::test {

using MatrixD = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Added to a step's value before any other step reads it.
using Shifts = std::map<StepId, MatrixD>;

/// The values of the first `count` steps. Inputs, draws, windows and the selected scores are taken from the trace.
std::vector<MatrixD> evaluate_in_double(const Trace& t, StepId count, const Shifts& shifts);

}  // namespace attn::test
