#pragma once
// How much of each token of the text arrives at a token after all layers, computed from the maps of attention alone.

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

#include "core/analysis/heads.h"

namespace attn {

enum class Through : std::uint8_t {
    Rollout,  ///< the product of the layers' maps
    Flow,     ///< the largest flow through them, for each pair of tokens
    Average,  ///< the mean of all layers' maps: follows no paths
};
/// "rollout", "flow", "average".
std::string_view through_id(Through which);
std::optional<Through> find_through(std::string_view id);

/// The text's self-attention, layer by layer, as the mean of the heads: n×n each. `part`: the stack. Empty: no layer
/// has maps of self-attention.
struct LayerMaps {
    Part part = Part::Main;
    std::vector<Matrix> means;
    int last_layer = kNoLayer;  ///< the number of the model's layer, from 0
};
/// Each stack of the run that has such maps, in order of computation; without stacks whose layers have gaps (a file
/// with some layers).
std::vector<LayerMaps> layer_maps(const Trace& trace);

// A = ½ W + ½ I, with each row divided by its sum: half of a token's output is its input (the residual connection).
// [Abnar and Zuidema 2020, "Quantifying Attention Flow in Transformers", 3]

/// A_L … A_2 A_1 of the A of the maps; row i is the composition of token i after the last layer; rows sum to 1. float64
/// inside. [ibid., "attention rollout"]
Matrix attention_rollout(const std::vector<Matrix>& means);

/// Cell (i, j): the largest flow from token i after the last layer down to token j before the first, in the graph whose
/// nodes are the tokens at each layer and whose capacities are the A of the maps [ibid., "attention flow"]. Rows need
/// not sum to 1. n² times a blocking flow [Dinitz 1970] over layers · n² edges, in float64, for texts of up to
/// kMostFlowTokens. Empty if a stop was requested.
inline constexpr int kMostFlowTokens = 48;
Matrix attention_flow(const std::vector<Matrix>& means, const std::stop_token& stop = {});

/// The mean of the maps, without the residual connection.
Matrix attention_average(const std::vector<Matrix>& means);

}  // namespace attn
