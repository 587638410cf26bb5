#pragma once

#include "app/frame/view.h"

namespace app {

/// Attention weights as cells, in the middle of the room and as large as it allows, at most `most` pixels each; queries down
/// as on the stage.
void draw_map_picture(const Frame& frame, Rect room, const attn::Matrix& weights, float most);

}  // namespace app
