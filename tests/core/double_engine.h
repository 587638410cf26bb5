#pragma once
// Every operation in float64, written apart from the engine: what finite differences are taken of.

#include <map>
#include <vector>

#include "core/trace/trace.h"

namespace attn::test {

using MatrixD = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Something added to a step's value before anything reads it.
using Shifts = std::map<StepId, MatrixD>;

/// The values of the first `count` steps. Inputs, draws, windows and which scores are kept are the trace's own.
std::vector<MatrixD> evaluate_in_double(const Trace& t, StepId count, const Shifts& shifts);

}  // namespace attn::test
