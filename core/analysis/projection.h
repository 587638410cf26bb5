#pragma once
// The weight that made a matrix of queries, keys or values, found by walking back from it.

#include <optional>

#include "core/trace/trace.h"

namespace attn {

/// output = input · weight + bias, for the columns that one head has of it.
struct LinearMap {
    StepId input = kNoStep, step_of_weight = kNoStep, output = kNoStep;
    Matrix weight;   ///< d×d'
    RowVector bias;  ///< d' or none
};

/// Behind `step`, before any turning by position and scaling to length 1; none where no weight was multiplied.
std::optional<LinearMap> linear_map_behind(const Trace& trace, StepId step);

}  // namespace attn
