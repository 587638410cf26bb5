#pragma once
// From the whole model to a cell and back: moving the flow's camera by pointer, by keys, and level by level.

#include "app/frame/view.h"

namespace app {

/// Design pixels that a press may move and still be a click.
inline constexpr float kFlowClickSlack = 4;

/// The camera of the flow, clamped to the current document's map.
FlowCamera flow_camera(const Frame& frame);

/// The wheel zooms about the pointer, at last into the stage; a drag pans.
void zoom_and_pan(const Frame& frame, const Touch& touch, Rect area, const std::optional<CellRef>& pointed);
/// The place whose tile is at a point of the screen; −1: none.
int tile_under(const Frame& frame, Rect area, Point point);

/// For keys: one level closer (from the whole to a place, into it, into the stage), or one farther.
void zoom_flow(const Frame& frame, bool closer);
bool can_zoom_flow(const Frame& frame, bool closer);
/// One level out: from the stage back to the flow from which it was entered, from a place to the whole.
bool can_go_out(const Frame& frame);
void go_out(const Frame& frame);
void look_at_whole(const Frame& frame);

}  // namespace app
