// Icons, drawn as shapes: no font has them all, and shapes are sharp at every size.

#include <imgui.h>

#include <array>
#include <cmath>

#include "app/ui/paint.h"

namespace app {
namespace {

constexpr float kTurn = 6.2831853f;

std::array<Point, 20> arc(Point center, float radius, float from, float to) {
    std::array<Point, 20> points;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const float angle = from + (to - from) * static_cast<float>(i) / static_cast<float>(points.size() - 1);
        points[i] = center + Point{std::cos(angle) * radius, std::sin(angle) * radius};
    }
    return points;
}

/// The curved arrow of undo (`way` -1) and redo (+1).
void turning_arrow(Painter& painter, Point center, float s, float way, Ink ink, float line) {
    const auto at = [&](float x, float y) { return center + Point{x * way * s, y * s}; };
    std::array<Point, 20> bow;
    for (std::size_t i = 0; i < bow.size(); ++i) {
        const float angle = kTurn * (-0.25f + 0.5f * static_cast<float>(i) / static_cast<float>(bow.size() - 1));
        bow[i] = at(-0.02f - std::cos(angle) * 0.26f, 0.10f + std::sin(angle) * 0.26f);
    }
    painter.polyline(bow, ink, line);
    const Point top = at(-0.02f, -0.16f), end = at(0.36f, -0.16f);
    painter.line(top, end, ink, line);
    const Point head[] = {at(0.18f, -0.36f), at(0.38f, -0.16f), at(0.18f, 0.04f)};
    painter.polyline(head, ink, line);
    painter.line(at(-0.02f, 0.36f), at(0.16f, 0.36f), ink, line);
}

/// A triangle that points along `way` (+1 right, -1 left), with a bar at its tip.
void step(Painter& painter, Point center, float s, float way, Ink ink) {
    const auto at = [&](float x, float y) { return center + Point{x * way * s, y * s}; };
    painter.triangle(at(-0.40f, -0.5f), at(0.34f, 0.0f), at(-0.40f, 0.5f), ink);
    const float bar = s * 0.13f;
    painter.fill(rect_around(at(0.42f, 0.0f), bar, s), ink, bar / 2);
}

/// Three rows of three cells, the middle row as a single piece; `turned`: transposed.
void matrix(Painter& painter, Point center, float s, bool turned, Ink ink) {
    const float cell = s * 0.24f, pitch = s * 0.36f, round = s * 0.06f;
    const auto at = [&](float along, float across) {
        return center + (turned ? Point{across, along} : Point{along, across});
    };
    const float length = 2 * pitch + cell;
    painter.fill(rect_around(center, turned ? cell : length, turned ? length : cell), ink, cell / 2);
    for (const float across : {-pitch, pitch})
        for (const float along : {-pitch, 0.0f, pitch})
            painter.fill(rect_around(at(along, across), cell, cell), ink, round);
}

}  // namespace

void Painter::icon(Icon icon, Point c, float s, Ink ink) {
    const float thin = std::max(1.0f, s * 0.1f);
    const auto at = [&](float x, float y) { return c + Point{x * s, y * s}; };
    switch (icon) {
        case Icon::Play:
            return triangle(at(-0.30f, -0.46f), at(0.50f, 0.0f), at(-0.30f, 0.46f), ink);
        case Icon::Pause: {
            const float bar = s * 0.22f;
            for (float side : {-0.29f, 0.29f}) fill(rect_around(at(side, 0.0f), bar, s), ink, bar / 2);
            return;
        }
        case Icon::StepBack:
            return step(*this, c, s, -1.0f, ink);
        case Icon::StepForward:
            return step(*this, c, s, 1.0f, ink);
        case Icon::Contrast: {
            ring(c, s * 0.5f, ink, thin);
            polygon(arc(c, s * 0.5f, -kTurn / 4, kTurn / 4), ink);
            return;
        }
        case Icon::Chevron:
            return triangle(at(-0.5f, -0.32f), at(0.5f, -0.32f), at(0.0f, 0.42f), ink);
        case Icon::Close:
            line(at(-0.32f, -0.32f), at(0.32f, 0.32f), ink, thin, true);
            return line(at(0.32f, -0.32f), at(-0.32f, 0.32f), ink, thin, true);
        case Icon::Check: {
            const Point tick[] = {at(-0.38f, 0.02f), at(-0.1f, 0.3f), at(0.4f, -0.3f)};
            return polyline(tick, ink, thin * 1.2f);
        }
        case Icon::Plus:
            line(at(0.0f, -0.38f), at(0.0f, 0.38f), ink, thin);
            [[fallthrough]];
        case Icon::Minus:
            return line(at(-0.38f, 0.0f), at(0.38f, 0.0f), ink, thin);
        case Icon::Undo:
            return turning_arrow(*this, c, s, -1.0f, ink, thin);
        case Icon::Redo:
            return turning_arrow(*this, c, s, 1.0f, ink, thin);
        case Icon::More:
            for (float x : {-0.38f, 0.0f, 0.38f}) circle(at(x, 0.0f), s * 0.08f, ink);
            return;
        case Icon::Rows:
        case Icon::Columns:
            return matrix(*this, c, s, icon == Icon::Columns, ink);
        case Icon::Sliders:
            for (const auto& [y, knob] : {std::pair{-0.32f, 0.18f}, {0.0f, -0.2f}, {0.32f, 0.06f}}) {
                line(at(-0.46f, y), at(0.46f, y), ink, thin);
                circle(at(knob, y), s * 0.13f, ink);
            }
            return;
        case Icon::Lens: {
            ring(at(-0.08f, -0.08f), s * 0.34f, ink, thin);
            return line(at(0.17f, 0.17f), at(0.46f, 0.46f), ink, thin * 1.4f, true);
        }
        case Icon::Pencil: {
            const Point shaft[] = {at(-0.42f, 0.42f), at(-0.34f, 0.14f), at(0.24f, -0.44f), at(0.44f, -0.24f),
                                   at(-0.14f, 0.34f), at(-0.42f, 0.42f)};
            polyline(shaft, ink, thin);
            return line(at(0.10f, -0.30f), at(0.30f, -0.10f), ink, thin);
        }
        case Icon::Export: {
            const Point tray[] = {at(-0.42f, 0.08f), at(-0.42f, 0.42f), at(0.42f, 0.42f), at(0.42f, 0.08f)};
            polyline(tray, ink, thin);
            line(at(0.0f, -0.44f), at(0.0f, 0.14f), ink, thin);
            const Point head[] = {at(-0.22f, -0.08f), at(0.0f, 0.16f), at(0.22f, -0.08f)};
            return polyline(head, ink, thin);
        }
        case Icon::Warning: {
            triangle(at(0.0f, -0.48f), at(0.54f, 0.44f), at(-0.54f, 0.44f), ink);
            fill(rect_around(at(0.0f, 0.06f), s * 0.11f, s * 0.36f), Hue::Paper, s * 0.05f);
            return circle(at(0.0f, 0.33f), s * 0.06f, Hue::Paper);
        }
    }
}

}  // namespace app
