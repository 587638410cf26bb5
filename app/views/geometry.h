#pragma once
// Two vectors in the plane of two of their features: the inner product as length and angle.

#include "app/views/view.h"

namespace app {

void draw_plane(const Frame& frame, Rect area, const Geometry& geometry);

}  // namespace app
