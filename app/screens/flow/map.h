#pragma once
// The flow zoomed out: drawing the map of the whole model, and pointer input on it.

#include "app/frame/view.h"
#include "app/layout/stage.h"

namespace app {

/// Whether the model has several places, and more than one of them is visible.
bool shows_map(const Frame& frame);
/// The headline of the map.
std::string map_title(const Frame& frame);
/// Draws the map in `area`, with the flow of the place at the playhead as far as it is unfolded (taken from
/// scratch.scene, as laid out in `area`). Afterwards scratch.scene has what the pointer can hit.
void draw_model_map(const Frame& frame, const StageInput& stage, Rect area);
/// Hover and clicks on the map; `clicked`: pressed and released without a drag.
void touch_map_tiles(const Frame& frame, Rect area, bool hovered, bool clicked);

}  // namespace app
