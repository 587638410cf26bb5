#pragma once
// How much of each token of the text arrives at a token behind all layers, told from the maps of attention alone.

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

#include "core/analysis/heads.h"

namespace attn {

enum class Through : std::uint8_t {
    Rollout,  ///< the product of the layers' maps
    Flow,     ///< the largest flow through them, a pair of tokens at a time
    Average,  ///< the mean of all layers' maps: no path is followed
};
/// "rollout", "flow", "average".
std::string_view through_id(Through which);
std::optional<Through> find_through(std::string_view id);

/// The text's attention to itself, layer by layer, the mean of its heads: n×n each. `part`: of which stack. Empty: none of
/// its layers has maps of one text by itself.
struct LayerMaps {
    Part part = Part::Main;
    std::vector<Matrix> means;
    int last_layer = kNoLayer;  ///< of the model's, from 0
};
/// Each stack of the run that has one, the first computed first; none of which layers between are missing (a file of some).
std::vector<LayerMaps> layer_maps(const Trace& trace);

// A = ½ W + ½ I, each row divided by its sum: half of what a token becomes is what it was (the residual connection).
// [Abnar and Zuidema 2020, "Quantifying Attention Flow in Transformers", 3]

/// A_L … A_2 A_1 of the A of the maps, row i what token i behind the last layer is made of; rows sum to 1.
/// float64 inside. [ibid., "attention rollout"]
Matrix attention_rollout(const std::vector<Matrix>& means);

/// Cell (i, j): the largest flow from token i behind the last layer down to token j before the first, in the graph whose nodes
/// are the tokens at each layer and whose capacities are the A of the maps. [ibid., "attention flow"]. Rows need
/// not sum to 1. n² times a blocking flow [Dinitz 1970] over layers · n² edges, in float64: texts of up to kMostFlowTokens.
/// Empty where a stop was asked for.
inline constexpr int kMostFlowTokens = 48;
Matrix attention_flow(const std::vector<Matrix>& means, const std::stop_token& stop = {});

/// The mean of the maps as they are, without residual.
Matrix attention_average(const std::vector<Matrix>& means);

}  // namespace attn
