#include "app/frame/geometry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace app {

PlaneView fit_plane(Rect area, std::span<const Point> points, float margin) {
    float low_x = 0, high_x = 0, low_y = 0, high_y = 0;
    for (const Point& p : points) {
        low_x = std::min(low_x, p.x);
        high_x = std::max(high_x, p.x);
        low_y = std::min(low_y, p.y);
        high_y = std::max(high_y, p.y);
    }
    const float w = std::max(high_x - low_x, 1e-3f), h = std::max(high_y - low_y, 1e-3f);
    PlaneView plane{area, std::max(1e-3f, std::min((area.w - 2 * margin) / w, (area.h - 2 * margin) / h)), {}};
    plane.origin = {area.center().x - (low_x + high_x) / 2 * plane.unit,
                    area.center().y + (low_y + high_y) / 2 * plane.unit};
    return plane;
}

float plane_step(const PlaneView& plane, float pixels) {
    const float wanted = pixels / plane.unit;
    const float power = std::pow(10.0f, std::floor(std::log10(wanted)));
    return power * (wanted / power <= 1 ? 1.0f : wanted / power <= 2 ? 2.0f : wanted / power <= 5 ? 5.0f : 10.0f);
}

void draw_plane_grid(const Frame& f, const PlaneView& plane) {
    const float step = plane_step(plane, f.px(46));
    const auto count = static_cast<int>(std::max(plane.area.w, plane.area.h) / (step * plane.unit)) + 2;
    for (int i = -count; i <= count; ++i) {
        const float x = plane.origin.x + static_cast<float>(i) * step * plane.unit,
                    y = plane.origin.y + static_cast<float>(i) * step * plane.unit;
        const Ink ink(i == 0 ? Hue::Faint : Hue::Rule, i == 0 ? 0.8f : 1.0f);
        if (x > plane.area.x && x < plane.area.right())
            f.painter().line({x, plane.area.y}, {x, plane.area.bottom()}, ink, f.theme.rule_width);
        if (y > plane.area.y && y < plane.area.bottom())
            f.painter().line({plane.area.x, y}, {plane.area.right(), y}, ink, f.theme.rule_width);
    }
}

namespace {

using Plane = PlaneView;

/// Next to the tip, on the side away from the other arrow.
void name_tip(const Frame& f, const Plane& plane, Point v, Point other, std::string_view symbol) {
    const FormulaLayout& layout = f.scratch.formulas.get(symbol, FormulaSize::Normal, f.theme, f.painter().fonts());
    const float length = std::max(1e-6f, std::hypot(v.x, v.y));
    const float side = v.x * other.y - v.y * other.x >= 0 ? 1.0f : -1.0f;  // the other arrow is on the left
    const Point along{v.x / length, -v.y / length}, across{-along.y * side, along.x * side}, tip = plane.at(v);
    const Point out{along.x * 0.5f + across.x * 0.85f, along.y * 0.5f + across.y * 0.85f};
    draw_formula(f.painter(), layout,
                 {tip.x + out.x * f.px(16) - layout.width / 2, tip.y + out.y * f.px(16) + layout.ascent / 2});
}

}  // namespace

void draw_plane(const Frame& f, Rect area, const Geometry& g) {
    Painter& p = f.painter();
    p.fill(area, Hue::Back, f.theme.field_radius);
    const auto clip = p.clip(area);
    const Point both[] = {g.a, g.b};
    const Plane plane = fit_plane({area.x, area.y, area.w, area.h - f.px(22)}, both, f.px(34));
    draw_plane_grid(f, plane);
    // The projection of one onto the other: where the dashed line meets it at a right angle.
    const float bb = g.b.x * g.b.x + g.b.y * g.b.y;
    if (bb > 1e-9f) {
        const float along = (g.a.x * g.b.x + g.a.y * g.b.y) / bb;
        const Point foot{g.b.x * along, g.b.y * along};
        p.line_dashed(plane.at(g.a), plane.at(foot), Hue::Faint, f.px(1.3f), f.px(5), f.px(4));
        p.line(plane.at({0, 0}), plane.at(foot), Ink(g.right_hue, 0.22f), f.px(7), true);
    }
    p.arrow(plane.at({0, 0}), plane.at(g.b), g.right_hue, f.px(2.6f), f.px(11));
    p.arrow(plane.at({0, 0}), plane.at(g.a), g.left_hue, f.px(2.6f), f.px(11));
    name_tip(f, plane, g.a, g.b, g.left);
    // If the arrows are equal, one name goes on each side.
    name_tip(f, plane, g.b, g.a == g.b ? Point{g.b.y, -g.b.x} : g.a, g.right);
    p.text({area.right() - f.px(12), area.bottom() - f.px(9)},
           geometry_note(g, 0, f.view().language),
           {Type::Small, Align::Right}, Hue::Soft);
}

}  // namespace app
