#pragma once
// The arc between two words of a line.

#include <vector>

#include "app/draw/vocab.h"

namespace app {

/// Along an arc: a point about every four pixels. Both ends are upright, so a straight cut stands level on the words.
std::vector<Point> arc_points(Point from, Point to, float rise);

}  // namespace app
