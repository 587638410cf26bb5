#pragma once
// Two vectors in a plane: their arrows, the projection of one on the other, the angle; and what every plane is drawn
// by.

#include <span>

#include "app/frame/view.h"

namespace app {

void draw_plane(const Frame& frame, Rect area, const Geometry& geometry);

/// The plane with its origin and all points inside, `margin` pixels from the edges.
PlaneView fit_plane(Rect area, std::span<const Point> points, float margin);
/// 1, 2 or 5 · 10^k units: the smallest that is `pixels` long.
float plane_step(const PlaneView& plane, float pixels);
/// Lines at whole steps; those through the origin are stronger.
void draw_plane_grid(const Frame& frame, const PlaneView& plane);

}  // namespace app
