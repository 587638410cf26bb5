#pragma once
// The tower on the screen: drawing and pointer input.

#include "app/frame/view.h"

namespace app {

/// Whether the model's map is a tower and is visible: zoomed out, or while descending into a floor.
bool shows_tower(const Frame& frame);
/// Headline and hint.
std::string tower_title(const Frame& frame);
std::string_view tower_hint(const Frame& frame);
/// Draws it in `area`; `flow` is the area in which its open floor is drawn (scratch.scene is laid out in it).
void draw_tower(const Frame& frame, Rect area, Rect flow);
/// Hover and clicks on it. `clicked`: pressed and released without a drag.
void touch_tower(const Frame& frame, const Touch& touch, bool clicked);
/// The place whose floor is under a point; −1: none.
int floor_under(const Frame& frame, Point point);

}  // namespace app
