#pragma once
// What a hand does to the numbers on the stage: it asks, pins, types over, drags, and paints the mask.

#include "app/frame/view.h"

namespace app {

/// Pointer, painting and the open number field; the scene of this frame is in the scratch.
void touch_stage(const Frame& frame, Rect area);
/// Opens the number field at a cell, with what stands in it.
void open_number_field(const Frame& frame, const CellRef& cell);
/// The number field at `cell`, as wide as it must be; closes itself. Only where it is open.
void draw_number_field(const Frame& frame, Rect cell);
/// What the button that shows a product in space takes of the formula's line.
float cube_button_width(const Frame& frame);
/// Where a cell stands on the stage now; none: it does not.
std::optional<Rect> rect_on_stage(const Frame& frame, const CellRef& cell);

}  // namespace app
