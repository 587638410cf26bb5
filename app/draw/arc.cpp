#include "app/draw/arc.h"

#include <algorithm>
#include <cmath>

namespace app {

std::vector<Point> arc_points(Point from, Point to, float rise, float step) {
    constexpr int kFewest = 16, kMost = 480;
    // Each end is a short vertical piece, so that its straight cut is horizontal.
    const float upright = std::min(2.0f, rise / 4);
    const Point first = from, end = to;
    from.y -= upright;
    to.y -= upright;
    rise -= upright;
    // A cubic's middle is three quarters of the way to its control points.
    const float high = rise / 0.75f, length = std::abs(to.x - from.x) + 2 * rise;
    const int steps = std::clamp(static_cast<int>(length / step), kFewest, kMost);
    std::vector<Point> out;
    out.reserve(static_cast<std::size_t>(steps) + 3);
    out.push_back(first);
    for (int i = 0; i <= steps; ++i) {
        const float t = static_cast<float>(i) / static_cast<float>(steps), s = 1 - t;
        const float ends = s * s * s, starts = 3 * s * s * t, stops = 3 * s * t * t, last = t * t * t;
        out.push_back({from.x * (ends + starts) + to.x * (stops + last),
                       from.y * ends + (from.y - high) * starts + (to.y - high) * stops + to.y * last});
    }
    out.push_back(end);
    return out;
}

}  // namespace app
