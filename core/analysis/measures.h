#pragma once
// How much of a head's map reaches its output: a weight alone does not show how large the weighted value is.

#include <optional>
#include <string_view>

#include "core/analysis/heads.h"

namespace attn {

/// The quantity in a cell of a map of attention, for query i and key j of head h, with f(j) = v_j W_O^h: v_j is the
/// head's value (x_j W_V + b_V), W_O^h the rows of the output matrix for the head's columns (the identity if the form
/// has no output matrix). A head that is switched off adds nothing: its norms and parts are 0.
enum class Measure : std::uint8_t {
    Weight,  ///< α_ij
    Norm,    ///< ‖α_ij f(j)‖ [Kobayashi et al. 2020, "Attention is Not Only a Weight", 3.2]
    Part,    ///< α_ij f(j)·y_i / ‖y_i‖², y_i = Σ_h Σ_j α_ij f(j): its share along the output; the sum of all is 1
};
/// "weight", "norm", "part".
std::string_view measure_id(Measure measure);
std::optional<Measure> find_measure(std::string_view id);

/// Whether the run has the values that these weights mix, so that the other measures can be computed.
bool has_measures(const Trace& trace, const AttentionMap& map);
/// The map in this measure, rows × cols, computed in float64; NaN if the query did not have this key yet. Nothing if
/// the run has no values that the weights mix (weights from a file, linear attention, draws): then only the weight is
/// defined.
std::optional<Matrix> map_in(const Trace& trace, const AttentionMap& map, Measure measure);

}  // namespace attn
