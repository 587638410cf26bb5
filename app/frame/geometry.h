#pragma once
// Two vectors in a plane: their arrows, the projection of one onto the other, and the angle; and what other drawings of
// planes share.

#include <span>

#include "app/frame/view.h"

namespace app {

void draw_plane(const Frame& frame, Rect area, const Geometry& geometry);

/// A view of the plane with the origin and all points inside, `margin` pixels from the edges.
PlaneView fit_plane(Rect area, std::span<const Point> points, float margin);
/// The smallest 1, 2 or 5 · 10^k units that are at least `pixels` long.
float plane_step(const PlaneView& plane, float pixels);
/// Lines at whole steps; those through the origin are stronger.
void draw_plane_grid(const Frame& frame, const PlaneView& plane);

}  // namespace app
