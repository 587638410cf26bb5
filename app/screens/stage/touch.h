#pragma once
// Pointer input on the numbers of the stage: focusing, pinning, overwriting, dragging, and painting the mask.

#include "app/frame/view.h"

namespace app {

/// Pointer, painting and the open number field; the scratch has the scene of this frame.
void touch_stage(const Frame& frame, Rect area);
/// Opens the number field at a cell, with its current value.
void open_number_field(const Frame& frame, const CellRef& cell);
/// Draws the number field at `cell`, as wide as necessary, if it is open; it closes itself.
void draw_number_field(const Frame& frame, Rect cell);
/// Width in the formula's line of the button that shows a product as a cube.
float cube_button_width(const Frame& frame);
/// The rectangle of a cell on the stage now; none if it is not shown.
std::optional<Rect> rect_on_stage(const Frame& frame, const CellRef& cell);

}  // namespace app
