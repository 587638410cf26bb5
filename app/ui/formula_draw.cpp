#include "app/ui/formula.h"
#include "app/ui/paint.h"

namespace app {

void draw_formula(Painter& painter, const FormulaLayout& layout, Point at, const FormulaLook& look) {
    const float k = look.scale;
    const auto place = [&](Point p) { return at + p * k; };
    const auto pill = [&](const FormulaLayout::Part& part, float strength) {
        const float side = painter.px(7) * k, rise = painter.px(2) * k;
        const Rect rect{at.x + part.rect.x * k, at.y + part.rect.y * k, part.rect.w * k, part.rect.h * k};
        painter.fill(rect.inset(-side, -rise), Ink(Hue::AccentSoft, strength), painter.px(8) * k);
    };
    for (const FormulaLayout::Part& part : layout.parts) {
        if (!look.lit.empty() && part.name == look.lit)
            pill(part, 1.0f);
        else if (!look.hovered.empty() && part.name == look.hovered)
            pill(part, 0.55f);
    }
    const auto ink_of = [&](Hue hue, int part) {
        const bool faded = look.fade_others && !look.lit.empty() && !layout.inside(part, look.lit);
        return Ink(look.plain ? Hue::Ink : hue, faded ? 0.4f : 1.0f);
    };
    std::vector<Point> points;
    for (const FormulaLayout::Stroke& stroke : layout.strokes) {
        points.clear();
        for (const Point& point : stroke.points) points.push_back(place(point));
        const Ink ink = Ink(ink_of(stroke.hue, stroke.part).text(painter.theme()));
        if (stroke.swell > 0.0f) {
            painter.brush(points, ink, stroke.width * k, stroke.swell * k);
        } else if (points.size() == 2) {
            painter.line(points[0], points[1], ink, stroke.width * k);
        } else {
            painter.polyline(points, ink, stroke.width * k);
        }
    }
    for (const FormulaLayout::Run& run : layout.runs) {
        painter.text(place(run.at), run.text, {run.type, Align::Left, k}, ink_of(run.hue, run.part));
    }
}

}  // namespace app
