#pragma once
// Painting the mask: which keys each query may attend to.

#include <optional>

#include "app/frame/view.h"

namespace app {

/// Whether the shown step is a mask, at rest, that can be painted.
bool is_painted(const Frame& frame);
/// Paints; the mask's sprite is in the scene of this frame. `under`: the mask's cell under the pointer; `part`: its
/// visible part, if not all of it. Returns whether the pointer was used by the mask.
bool touch_mask(const Frame& frame, const Touch& touch, std::optional<Spot> under, std::optional<Rect> part);

}  // namespace app
