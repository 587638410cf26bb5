#pragma once
// The arc between two words, as drawn in the opening, in the tower and at the end of a story.

#include <vector>

#include "app/draw/vocab.h"

namespace app {

/// Points along an arc, about `step` pixels apart. The arc leaves and arrives vertically, so that its flat-cut ends lie
/// level on the words.
std::vector<Point> arc_points(Point from, Point to, float rise, float step = 4);

}  // namespace app
