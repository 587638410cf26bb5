#pragma once

#include "app/frame/view.h"

namespace app {

/// Attention weights as cells, centred and as large as `room` allows, at most `most` pixels each; queries run down, as
/// on the stage.
void draw_map_picture(const Frame& frame, Rect room, const attn::Matrix& weights, float most);

}  // namespace app
