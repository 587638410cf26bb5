#pragma once
// Moving the flow's camera with the pointer.

#include "app/frame/view.h"

namespace app {

/// Design pixels that a press may move and still be a click.
inline constexpr float kFlowClickSlack = 4;

/// The wheel zooms about the pointer, at last into the stage; a drag pans.
void zoom_and_pan(const Frame& frame, const Touch& touch, Rect area, const std::optional<CellRef>& pointed);
/// The place whose tile is at a point of the screen; −1: none.
int tile_under(const Frame& frame, Rect area, Point point);

}  // namespace app
