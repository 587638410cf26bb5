#pragma once
// From the whole model to a cell and back: the flow's camera in the hand, by keys, and level by level.

#include "app/frame/view.h"

namespace app {

/// Design pixels that a click may move.
inline constexpr float kFlowClickSlack = 4;

/// The camera that the flow is seen through: of another document no farther than its whole.
FlowCamera flow_camera(const Frame& frame);

/// The wheel comes closer, to where the pointer is, and at last onto the stage; a drag moves the picture.
void zoom_and_pan(const Frame& frame, const Touch& touch, Rect area, const std::optional<CellRef>& pointed);
/// The place whose tile is under a point of the screen; −1: none.
int tile_under(const Frame& frame, Rect area, Point point);

/// For keys: a level closer, from the whole to a place, into it, onto the stage; or farther.
void zoom_flow(const Frame& frame, bool closer);
bool can_zoom_flow(const Frame& frame, bool closer);
/// One level out: from the stage that was entered to the flow, from a place to the whole.
bool can_go_out(const Frame& frame);
void go_out(const Frame& frame);
void look_at_whole(const Frame& frame);

}  // namespace app
