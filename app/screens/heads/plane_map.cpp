// The effect of a weight matrix on the plane of its inputs: the grid before and after, and where each token goes.

#include <algorithm>
#include <cmath>

#include "app/content/number_text.h"
#include "app/screens/heads/plane.h"

namespace app {
namespace {

constexpr int kGridLines = 6;             ///< on either side of the origin
constexpr std::size_t kMostTokens = 400;  ///< that are drawn
constexpr std::size_t kMostMapNames = 128;   ///< that are checked for room

struct MapPainter {
    const Frame& f;
    const PlaneData::Side& side;
    Hue hue;
    std::string_view symbol;

    float share() const { return f.view().part<HeadsChoice>().after; }
    Point moved(Point p) const {
        return between(p, to_point(side.map({static_cast<double>(p.x), static_cast<double>(p.y)})), share());
    }

    void grid(const PlaneView& plane) const {
        const float step = plane_step(plane, f.px(40));
        const float end = step * kGridLines;
        for (int i = -kGridLines; i <= kGridLines; ++i) {
            const float at = step * static_cast<float>(i);
            const Ink ink(hue, i == 0 ? 0.75f : 0.28f);
            f.painter().line(plane.at(moved({at, -end})), plane.at(moved({at, end})), ink, f.px(i == 0 ? 1.8f : 1.0f));
            f.painter().line(plane.at(moved({-end, at})), plane.at(moved({end, at})), ink, f.px(i == 0 ? 1.8f : 1.0f));
        }
        // One square, to show how areas change.
        const Point square[] = {plane.at(moved({0, 0})), plane.at(moved({step, 0})), plane.at(moved({step, step})),
                                plane.at(moved({0, step}))};
        f.painter().polygon(square, Ink(hue, 0.22f));
    }

    void tokens(const PlaneView& plane, Rect area, int chosen) const {
        TipNames names(f, area);
        const auto tip = [&](std::size_t i) {
            return plane.at(between(to_point(side.before[i]), to_point(side.after[i]), share()));
        };
        const attn::Axis rows = f.trace()[side.output].rows;
        const auto name = [&](std::size_t i, Type type) {
            names.name(tip(i), plane.at({0, 0}), f.derived.labels.of(rows, static_cast<int>(i)), {type},
                       share() < 0.5f ? Hue::Input : hue);
        };
        const std::size_t count = std::min({side.before.size(), side.after.size(), kMostTokens});
        for (std::size_t i = 0; i < count; ++i)
            f.painter().circle(tip(i), f.px(static_cast<int>(i) == chosen ? 5.0f : 3.2f),
                               share() < 0.5f ? Hue::Input : hue);
        if (chosen >= 0 && static_cast<std::size_t>(chosen) < count)
            name(static_cast<std::size_t>(chosen), Type::SmallStrong);
        for (std::size_t i = 0; i < std::min(count, kMostMapNames); ++i)
            if (static_cast<int>(i) != chosen) name(i, Type::Small);
    }

    void draw(Rect area, int chosen) const {
        const float high = f.px(30);
        f.painter().fill(area, Hue::Paper, f.theme.card_radius);
        const FormulaLayout& layout = f.scratch.formulas.get(symbol, FormulaSize::Normal, f.theme, f.painter().fonts());
        draw_formula(f.painter(), layout, {area.x + f.px(14), area.y + high * 0.72f});
        const double area_of = side.map.area();
        f.painter().text_fit({area.x + layout.width + f.px(24), area.y, area.w - layout.width - f.px(36), high},
                             f.say(area_of < 0 ? Str::plane_area_turned : Str::plane_area,
                                   {number_text(static_cast<float>(std::abs(area_of)))}),
                             {Type::Small, Align::Right}, Hue::Soft);
        const Rect body{area.x, area.y + high, area.w, std::max(1.0f, area.h - high)};
        const auto clip = f.painter().clip(body);
        std::vector<Point> points;
        for (const auto* tips : {&side.before, &side.after})
            for (std::size_t i = 0; i < std::min(tips->size(), kMostTokens); ++i)
                points.push_back(to_point((*tips)[i]));
        const PlaneView plane = fit_plane(body, points, f.px(46));
        draw_plane_grid(f, plane);
        grid(plane);
        tokens(plane, body, chosen);
    }
};

}  // namespace

void TipNames::name(Point tip, Point origin, std::string_view text, TextStyle style, Ink ink) {
    const std::string shown = f_.painter().fitted(text, style.type, f_.px(120));
    const float w = f_.painter().width(shown, style.type), h = f_.theme.em(style.type) * 1.3f;
    const float x = tip.x - origin.x, y = tip.y - origin.y, length = std::max(1.0f, std::hypot(x, y));
    const float away_x = w / 2 + f_.px(9), away_y = h / 2 + f_.px(7);
    // Beyond the tip; if there is no room, above or below it.
    for (const Point middle :
         {Point{tip.x + x / length * away_x, tip.y + y / length * away_y}, Point{tip.x, tip.y - away_y},
          Point{tip.x, tip.y + away_y}, Point{tip.x - away_x, tip.y - away_y}}) {
        const Rect rect = rect_around(middle, w, h);
        const bool inside =
            rect.x >= area_.x && rect.y >= area_.y && rect.right() <= area_.right() && rect.bottom() <= area_.bottom();
        const bool free = std::none_of(taken_.begin(), taken_.end(), [&](const Rect& r) { return r.overlaps(rect); });
        if (!inside || !free) continue;
        taken_.push_back(rect);
        f_.painter().fill(rect, Ink(Hue::Paper, 0.72f), f_.px(4));
        f_.painter().text_in(rect, shown, {style.type, Align::Center}, ink);
        return;
    }
}

void draw_plane_map(const Frame& f, Rect area) {
    const PlaneData& p = f.derived.part<HeadsData>().plane;
    const bool q = p.query_side.weight != attn::kNoStep, k = p.key_side.weight != attn::kNoStep;
    if (!q && !k) {
        return say_in_middle(f, area, f.say(Str::plane_no_weight));
    }
    touch_area(f.ui, "heads_plane", area, false);
    point_at_weight(f, std::nullopt);
    const bool beside = area.w >= area.h;
    const float gap = f.px(10), w = q && k && beside ? (area.w - gap) / 2 : area.w,
                h = q && k && !beside ? (area.h - gap) / 2 : area.h;
    if (q) MapPainter{f, p.query_side, Hue::Query, "{\\q W_Q}"}.draw({area.x, area.y, w, h}, p.query);
    if (k) MapPainter{f, p.key_side, Hue::Key, "{\\k W_K}"}.draw({area.right() - w, area.bottom() - h, w, h}, p.key);
}

}  // namespace app
