#pragma once
// Shared by the large and the small maps of the heads screen.

#include <algorithm>
#include <optional>
#include <string_view>

#include "app/frame/matrix_view.h"
#include "app/screens/heads/view.h"

namespace app {

/// Opacity of a line to or from a blank word, about which nothing is claimed.
inline constexpr float kSaysNothing = 0.3f;

/// A query and a key of a map; head −1: of several heads together.
struct MapSpot {
    int head = -1;
    std::optional<QueryKey> at;
};

/// Whether the maps that are drawn are in memory; else their rows are read when they are looked at.
inline bool holds_drawn(const HeadsData& data) {
    return std::all_of(data.drawn.begin(), data.drawn.end(), [](const DrawnMap& map) { return map.weights != nullptr; });
}

/// From 0 up for weights and norms; symmetric around 0 for shares of the output.
ColorScale scale_of_maps(const Frame& frame, float most);
/// The look of one map of the shown attention, with the focus highlighted. `own`: its key if it is not a step's.
MatrixLook look_at(const Frame& frame, const SharedMatrix& weights, attn::StepId own, float most);
/// Focuses the weight under the pointer; a click pins it and chooses its head.
void use_map_pointer(const Frame& frame, std::string_view id, Rect area, const MapSpot& pointed);
/// The cell under the pointer in a picture without names that shows all heads of a place.
std::optional<QueryKey> cell_under(const Frame& frame, Rect rect, const HeadsPlace& place);
/// The largest rectangle with the map's proportions, centred in `area`; these pictures are transposed where tokens are
/// columns, like the large ones.
Rect fitted_to(const Frame& frame, Rect area, const HeadsPlace& place);

/// A map without names: cells in the colours of the weights, or of the strongest heads.
void draw_small_map(const Frame& frame, Rect rect, const HeadsPlace& place, const SharedMatrix& weights, attn::StepId own, float most);
/// The same for the reduced map of a long text.
void draw_far_map(const Frame& frame, Rect rect, const FarMap& map, attn::StepId own, float most);
void draw_strongest(const Frame& frame, Rect rect, const HeadsPlace& place, float most);
/// The heatmap key: the step's if the weights are a step's value, wherever they are drawn; else `own`.
attn::StepId picture_key(const Frame& frame, const attn::Matrix& weights, attn::StepId own);
/// Heatmaps of this screen have their own keys; `index` is 0 … 2047.
attn::StepId heads_matrix_key(unsigned revision, int index);

}  // namespace app
