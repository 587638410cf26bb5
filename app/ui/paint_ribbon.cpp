// Ribbons: along a cubic curve from edge to edge, with a soft border and a colour that may change along the way.

#include <imgui.h>

#include <array>
#include <cmath>

#include "app/ui/paint.h"

namespace app {
namespace {

constexpr std::size_t kSegments = 28;

struct Border {
    std::array<Point, kSegments + 1> low;
    std::array<Point, kSegments + 1> high;
};

/// Both borders leave and arrive parallel to the x axis: the control points are half way, at the heights of their ends.
Border borders(RibbonEnd from, RibbonEnd to) {
    Border border;
    for (std::size_t i = 0; i <= kSegments; ++i) {
        const float t = static_cast<float>(i) / kSegments, u = 1.0f - t;
        const float middle = (from.at + to.at) / 2;
        const float x = u * u * u * from.at + 3 * u * t * (u + t) * middle + t * t * t * to.at;
        const float s = t * t * (3 - 2 * t);  // the cubic's interpolation of heights
        border.low[i] = {x, from.low + (to.low - from.low) * s};
        border.high[i] = {x, from.high + (to.high - from.high) * s};
    }
    return border;
}

}  // namespace

void Painter::mesh_strip(std::span<const Point> upper, std::span<const Point> lower,
                         std::span<const std::uint32_t> colors) {
    // Four vertices at each step: the upper and lower border, and one pixel outside each, where the colour has faded
    // out.
    const std::size_t steps = upper.size();
    const ImVec2 white = ImGui::GetFontTexUvWhitePixel();
    list_->PrimReserve(static_cast<int>(steps - 1) * 18, static_cast<int>(steps) * 4);
    const unsigned first = list_->_VtxCurrentIdx;
    const auto normal = [steps](std::span<const Point> line, std::size_t i) {
        const Point a = line[i == 0 ? 0 : i - 1], b = line[i + 1 == steps ? i : i + 1];
        const float length = std::max(1e-3f, std::hypot(b.x - a.x, b.y - a.y));
        return Point{(b.y - a.y) / length, -(b.x - a.x) / length};
    };
    for (std::size_t i = 0; i < steps; ++i) {
        const Point up = normal(upper, i), down = normal(lower, i);
        const std::uint32_t solid = colors[i], clear = solid & ~IM_COL32_A_MASK;
        const auto put = [&](Point at, std::uint32_t color) { list_->PrimWriteVtx({at.x, at.y}, white, color); };
        put(upper[i] + up * 0.5f, clear);
        put(upper[i] - up * 0.5f, solid);
        put(lower[i] + down * 0.5f, solid);
        put(lower[i] - down * 0.5f, clear);
    }
    for (unsigned i = 0; i + 1 < steps; ++i) {
        for (unsigned band = 0; band < 3; ++band) {
            const unsigned a = first + i * 4 + band;
            for (unsigned corner : {a, a + 1, a + 4, a + 4, a + 1, a + 5}) {
                list_->PrimWriteIdx(static_cast<ImDrawIdx>(corner));
            }
        }
    }
}

void Painter::brush(std::span<const Point> points, Ink ink, float width, float swell) {
    const std::size_t count = points.size();
    if (count < 2) return;
    std::vector<Point> upper(count), lower(count);
    for (std::size_t i = 0; i < count; ++i) {
        const Point a = points[i == 0 ? 0 : i - 1], b = points[i + 1 == count ? i : i + 1];
        const float length = std::max(1e-3f, std::hypot(b.x - a.x, b.y - a.y));
        const Point across{(b.y - a.y) / length, -(b.x - a.x) / length};
        const float t = static_cast<float>(i) / static_cast<float>(count - 1);
        const float half = (width + swell * 4 * t * (1 - t)) / 2;
        upper[i] = points[i] + across * half;
        lower[i] = points[i] - across * half;
    }
    const std::vector<std::uint32_t> colors(count, area(ink));
    mesh_strip(upper, lower, colors);
    note_ribbon(upper, lower, area(ink), area(ink), false);
}

void Painter::band(std::span<const Point> points, std::span<const Ink> inks, float width) {
    const std::size_t count = std::min(points.size(), inks.size());
    if (count < 2 || !(width > 0)) return;
    std::vector<Point> upper(count), lower(count);
    std::vector<std::uint32_t> colors(count);
    for (std::size_t i = 0; i < count; ++i) {
        const Point a = points[i == 0 ? 0 : i - 1], b = points[i + 1 == count ? i : i + 1];
        const float length = std::max(1e-3f, std::hypot(b.x - a.x, b.y - a.y));
        const Point across{(b.y - a.y) / length * width / 2, -(b.x - a.x) / length * width / 2};
        upper[i] = points[i] + across;
        lower[i] = points[i] - across;
        if (!std::isfinite(upper[i].x + upper[i].y)) return;
        colors[i] = area(inks[i]);
    }
    mesh_strip(upper, lower, colors);
    if (!drawing_) return;
    // A recorded ribbon has two colours: one ribbon for each stretch in which the colour changes.
    for (std::size_t from = 0; from + 1 < count;) {
        std::size_t to = from + 1;
        const bool plain = colors[from] == colors[to];
        const auto room = plain ? count : std::min(count, from + 5);
        while (to + 1 < room && (colors[to] == colors[to + 1]) == plain) ++to;
        const auto part = [&](const std::vector<Point>& line) { return std::span(line).subspan(from, to - from + 1); };
        note_ribbon(part(upper), part(lower), colors[from], colors[to], false);
        from = to;
    }
}

void Painter::ribbon(RibbonEnd from, RibbonEnd to, Ink first, Ink last) {
    const Border border = borders(from, to);
    if (!std::isfinite(border.low[1].x + border.low[1].y + border.high[1].y)) return;
    const Color a = first.area(theme_), b = last.area(theme_);
    const bool one_color = a == b;
    std::array<std::uint32_t, kSegments + 1> colors;
    for (std::size_t i = 0; i <= kSegments; ++i) {
        colors[i] = packed(one_color ? a : mix(a, b, static_cast<float>(i) / kSegments));
    }
    mesh_strip(border.low, border.high, colors);
    note_ribbon(border.low, border.high, packed(a), packed(b), false);
}

void Painter::ribbon_down(RibbonEnd from, RibbonEnd to, Ink first, Ink last) {
    Border border = borders(from, to);
    for (std::size_t i = 0; i <= kSegments; ++i) {
        std::swap(border.low[i].x, border.low[i].y);
        std::swap(border.high[i].x, border.high[i].y);
    }
    if (!std::isfinite(border.low[1].x + border.low[1].y + border.high[1].x)) return;
    const Color a = first.area(theme_), b = last.area(theme_);
    std::array<std::uint32_t, kSegments + 1> colors;
    for (std::size_t i = 0; i <= kSegments; ++i) colors[i] = packed(mix(a, b, static_cast<float>(i) / kSegments));
    mesh_strip(border.high, border.low, colors);  // mirrored: the other border is outside
    note_ribbon(border.high, border.low, packed(a), packed(b), true);
}

}  // namespace app
