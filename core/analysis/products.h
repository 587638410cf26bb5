#pragma once
// One score taken apart: the feature-by-feature products of query and key whose sum it is (the neuron view).

#include <optional>
#include <vector>

#include "core/trace/trace.h"

namespace attn {

struct FeatureProducts {
    Cell score;                              ///< the sum that they make
    StepId left = kNoStep, right = kNoStep;  ///< the steps whose numbers are multiplied
    std::vector<Cell> left_cells, right_cells;
    std::vector<float> left_values, right_values, products;
    double sum = 0;     ///< of the products, in float64
    bool activated = false;  ///< a function of the sum is taken before it is the score (GAT's LeakyReLU)
};

/// What is multiplied and summed behind a score: q_f · k_f of a product, v_f · tanh(…)_f of an additive one. None where
/// the number is no sum of products.
std::optional<FeatureProducts> products_behind(const Trace& trace, Cell score);

}  // namespace attn
