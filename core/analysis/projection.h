#pragma once
// Finds the weight that produced a matrix of queries, keys or values by walking back from it.

#include <optional>

#include "core/trace/trace.h"

namespace attn {

/// output = input · weight + bias, for one head's columns.
struct LinearMap {
    StepId input = kNoStep, step_of_weight = kNoStep, output = kNoStep;
    Matrix weight;   ///< d×d'
    RowVector bias;  ///< d' or none
};

/// The map that leads to `step`, before rotation by position and scaling to length 1; none if there is no weight.
std::optional<LinearMap> linear_map_behind(const Trace& trace, StepId step);

}  // namespace attn
