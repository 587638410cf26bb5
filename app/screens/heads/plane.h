#pragma once
// Shared by the pictures of the geometry page.

#include <string_view>
#include <vector>

#include "app/frame/geometry.h"
#include "app/screens/heads/view.h"

namespace app {

/// The effect of W_Q and W_K on the plane of the inputs.
void draw_plane_map(const Frame& frame, Rect area);

inline Point to_point(attn::PlanePoint p) { return {static_cast<float>(p[0]), static_cast<float>(p[1])}; }

/// Draws names next to the tips of arrows, and leaves out those that would overlap another.
class TipNames {
public:
    TipNames(const Frame& frame, Rect area) : f_(frame), area_(area) {}
    void name(Point tip, Point origin, std::string_view text, TextStyle style, Ink ink);

private:
    const Frame& f_;
    Rect area_;
    std::vector<Rect> taken_;
};

}  // namespace app
