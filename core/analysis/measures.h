#pragma once
// What of a head's map reaches its output: the weight alone says how much is taken, not how large what is taken is.

#include <optional>
#include <string_view>

#include "core/analysis/heads.h"

namespace attn {

/// What a cell of a map of attention holds, for query i and key j of head h, with f(j) = v_j W_O^h: v_j is the value as the
/// head has it (x_j W_V + b_V), W_O^h the rows of the output matrix that the head's columns meet (the identity where the form
/// has none). A head that is switched off adds nothing: its norms and parts are 0.
enum class Measure : std::uint8_t {
    Weight,  ///< α_ij
    Norm,    ///< ‖α_ij f(j)‖ [Kobayashi et al. 2020, "Attention is Not Only a Weight", 3.2]
    Part,    ///< α_ij f(j)·y_i / ‖y_i‖², y_i = Σ_h Σ_j α_ij f(j): its share of the output, along it; all heads and keys add up to 1
};
/// "weight", "norm", "part".
std::string_view measure_id(Measure measure);
std::optional<Measure> find_measure(std::string_view id);

/// The run holds the values that these weights mix, so that the other measures can be told.
bool has_measures(const Trace& trace, const AttentionMap& map);
/// The map in this measure, rows × cols, computed in float64; NaN where the query had no such key yet. Nothing: the run holds
/// no values that the weights mix (weights from a file, linear attention, draws), so there is only the weight.
std::optional<Matrix> map_in(const Trace& trace, const AttentionMap& map, Measure measure);

}  // namespace attn
