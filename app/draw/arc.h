#pragma once
// The arc from one word to another: in the opening, in the tower, at the end of a story.

#include <vector>

#include "app/draw/vocab.h"

namespace app {

/// Along an arc: a point about every `step` pixels. Both ends are upright, so a straight cut stands level on the words.
std::vector<Point> arc_points(Point from, Point to, float rise, float step = 4);

}  // namespace app
