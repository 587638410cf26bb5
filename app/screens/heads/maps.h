#pragma once
// What the large and the small maps of the heads screen share.

#include <optional>
#include <string_view>

#include "app/frame/matrix_view.h"
#include "app/screens/heads/view.h"

namespace app {

/// How strong a line is that says nothing: to a blank word, or from one.
inline constexpr float kSaysNothing = 0.3f;

/// A query and a key of a map; head −1: of several heads together.
struct MapSpot {
    int head = -1;
    std::optional<QueryKey> at;
};

/// Weights and norms from 0 up; shares of the output on both sides of it.
ColorScale scale_of_maps(const Frame& frame, float most);
/// The look of one map of the attention that is shown, the focus lit. `own`: its name where it is no step's.
MatrixLook look_at(const Frame& frame, const SharedMatrix& weights, attn::StepId own, float most);
/// Points at the weight under the pointer; a click pins it and chooses its head.
void use_map_pointer(const Frame& frame, std::string_view id, Rect area, const MapSpot& pointed);
/// The cell under the pointer of a picture without names, of all heads of a place.
std::optional<QueryKey> cell_under(const Frame& frame, Rect rect, const HeadsPlace& place);
/// As large as fits, with the map's own proportions, in the middle; these pictures are transposed where tokens are
/// columns, as the large ones are.
Rect fitted_to(const Frame& frame, Rect area, const HeadsPlace& place);

/// The picture of one map without names: cells of the weights' colours, or those of the strongest heads.
void draw_small_map(const Frame& frame, Rect rect, const HeadsPlace& place, const SharedMatrix& weights, attn::StepId own, float most);
/// The same of what stands for a map of a long text.
void draw_far_map(const Frame& frame, Rect rect, const FarMap& map, attn::StepId own, float most);
void draw_strongest(const Frame& frame, Rect rect, const HeadsPlace& place, float most);
/// The weights of a step are the step's picture, wherever they are drawn; of all others `own`.
attn::StepId picture_key(const Frame& frame, const attn::Matrix& weights, attn::StepId own);
/// Heatmaps of this screen have keys of their own; of `index` 0 … 2047.
attn::StepId heads_matrix_key(unsigned revision, int index);

}  // namespace app
