#pragma once
// Painting the mask: what is looked at and what is not.

#include <optional>

#include "app/frame/view.h"

namespace app {

/// The step that is shown is a mask at rest that a hand can paint.
bool is_painted(const Frame& frame);
/// Paints; the mask's sprite is in the scene of this frame. `under`: its cell under the pointer; `part`: what of it is
/// in sight, else all of it. True where the pointer was busy with the mask.
bool touch_mask(const Frame& frame, const Touch& touch, std::optional<Spot> under, std::optional<Rect> part);

}  // namespace app
