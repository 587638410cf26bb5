#pragma once
// The tower on the screen: drawn, and touched.

#include "app/frame/view.h"

namespace app {

/// The model's map is a tower, and it is seen: from afar, or on the way down into a floor.
bool shows_tower(const Frame& frame);
/// Headline and hint.
std::string tower_title(const Frame& frame);
std::string_view tower_hint(const Frame& frame);
/// In `area`; `flow` is where the picture of its open floor comes (scratch.scene, as laid out in it).
void draw_tower(const Frame& frame, Rect area, Rect flow);
/// What the pointer says and does on it. `clicked`: it was pressed and let go without a drag.
void touch_tower(const Frame& frame, const Touch& touch, bool clicked);
/// The place whose floor is under a point; −1: none.
int floor_under(const Frame& frame, Point point);

}  // namespace app
