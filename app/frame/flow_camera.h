#pragma once
// The camera of the flow, and the keys that move it: from the whole model to a place, into it, into the stage, and back.

#include "app/frame/view.h"

namespace app {

/// The camera of the flow, clamped to the current document's map.
FlowCamera flow_camera(const Frame& frame);

/// For keys: one level closer (from the whole to a place, into it, into the stage), or one farther.
void zoom_flow(const Frame& frame, bool closer);
bool can_zoom_flow(const Frame& frame, bool closer);
/// One level out: from the stage back to the flow from which it was entered, from a place to the whole.
bool can_go_out(const Frame& frame);
void go_out(const Frame& frame);
void look_at_whole(const Frame& frame);

}  // namespace app
