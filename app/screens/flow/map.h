#pragma once
// The flow from afar: the map of the whole model, drawn and touched.

#include "app/frame/view.h"
#include "app/layout/stage.h"

namespace app {

/// The model has several places, and more than one of them is seen.
bool shows_map(const Frame& frame);
/// Headline and hint of the map.
std::string map_title(const Frame& frame);
/// In `area`, with the flow of the place that the playhead is in as far as that is open (in scratch.scene, as laid out in
/// `area`). Afterwards scratch.scene is what the pointer can be on.
void draw_model_map(const Frame& frame, const StageInput& stage, Rect area);
/// What the pointer on the map says and does; `clicked`: it was pressed and let go without a drag.
void touch_map_tiles(const Frame& frame, Rect area, bool hovered, bool clicked);

}  // namespace app
