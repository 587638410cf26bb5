#pragma once
// One score in detail: the products of query and key, feature by feature, that it is the sum of (the neuron view).

#include <optional>
#include <vector>

#include "core/trace/trace.h"

namespace attn {

struct FeatureProducts {
    Cell score;                              ///< their sum
    StepId left = kNoStep, right = kNoStep;  ///< the steps with the factors
    std::vector<Cell> left_cells, right_cells;
    std::vector<float> left_values, right_values, products;
    double sum = 0;     ///< of the products, in float64
    bool activated = false;  ///< the score is a function of the sum (GAT's LeakyReLU)
};

/// The products that are summed for a score: q_f · k_f for an inner product, v_f · tanh(…)_f for an additive score.
/// None if the number is not a sum of products.
std::optional<FeatureProducts> products_behind(const Trace& trace, Cell score);

}  // namespace attn
