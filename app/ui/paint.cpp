#include "app/ui/paint.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace app {
namespace {

ImVec2 vec(Point p) { return {p.x, p.y}; }
ImVec2 low(Rect r) { return {r.x, r.y}; }
ImVec2 high(Rect r) { return {r.right(), r.bottom()}; }

/// Whether it is finite and small enough that tessellating a corner or a curve stays cheap.
bool drawable(Rect r) {
    constexpr float kFar = 1e6f;
    return std::fabs(r.x) < kFar && std::fabs(r.y) < kFar && r.w > 0.0f && r.h > 0.0f && r.w < kFar && r.h < kFar;
}

using ItemKind = DrawnItem::Kind;

/// The corner bits of a drawing: top left, top right, bottom right, bottom left.
unsigned bits_of(gui::Corners corners) {
    switch (corners) {
        case gui::Corners::All:
            return 15;
        case gui::Corners::None:
            return 0;
        case gui::Corners::Left:
            return 1 | 8;
        case gui::Corners::Right:
            return 2 | 4;
        case gui::Corners::Top:
            return 1 | 2;
        case gui::Corners::Bottom:
            return 4 | 8;
    }
    return 15;
}

Point cubic(Point a, Point b, Point c, Point d, float t) {
    const float u = 1.0f - t;
    return a * (u * u * u) + b * (3 * u * u * t) + c * (3 * u * t * t) + d * (t * t * t);
}

}  // namespace

Painter::Painter(ImDrawList* list, const Theme& theme, Fonts& fonts, std::vector<LabelRect>* labels, Drawing* drawing)
    : list_(list), theme_(theme), fonts_(fonts), labels_(labels), drawing_(drawing), base_(list) {}

std::uint32_t Painter::packed(Color c) const {
    const auto alpha = static_cast<std::uint32_t>(static_cast<float>(c.a) * opacity_ + 0.5f);
    return IM_COL32(c.r, c.g, c.b, alpha);
}
std::uint32_t Painter::area(Ink ink) const { return packed(ink.area(theme_)); }
std::uint32_t Painter::letters(Ink ink) const { return packed(ink.text(theme_)); }

// ---- areas -----------------------------------------------------------------------------------------------------

void Painter::fill(Rect rect, Ink ink, float radius, gui::Corners corners) {
    if (!drawable(rect)) return;
    const float round = std::min({radius, rect.w / 2, rect.h / 2});
    gui::fill_rect(list_, rect, area(ink), round, corners);
    note_rect(ItemKind::Fill, rect, area(ink), round);
    if (drawing_ && corners != gui::Corners::All) drawing_->items.back().corners = bits_of(corners);
}

void Painter::stroke(Rect rect, Ink ink, float radius, float thickness) {
    // The library centres the line half a pixel inside the edge.
    const Rect inner = rect.inset((thickness - 1.0f) / 2);
    if (!drawable(inner)) return;
    gui::stroke_rect(list_, inner, area(ink), std::max(0.0f, radius - thickness / 2), thickness);
    note_rect(ItemKind::Stroke, rect, area(ink), radius);
    if (drawing_) drawing_->items.back().width = thickness;
}

void Painter::gradient(Rect rect, Ink from, Ink to, bool vertical) {
    if (!drawable(rect)) return;
    const std::uint32_t a = area(from), b = area(to);
    list_->AddRectFilledMultiColor(low(rect), high(rect), a, vertical ? a : b, b, vertical ? b : a);
    note_rect(ItemKind::Gradient, rect, a);
    if (!drawing_) return;
    drawing_->items.back().color2 = b;
    drawing_->items.back().vertical = vertical;
}

void Painter::hatch(Rect rect, Ink ink, float gap, float thickness) {
    if (!drawable(rect) || gap < 1.0f) return;
    const std::uint32_t color = area(ink);
    // Lines x + y = const, so that the hatches of neighbouring cells are continuous.
    const float first = std::ceil((rect.x + rect.y) / gap) * gap;
    std::vector<Point> noted;
    for (float sum = first; sum < rect.right() + rect.bottom(); sum += gap) {
        const float x0 = std::max(rect.x, sum - rect.bottom()), x1 = std::min(rect.right(), sum - rect.y);
        if (x1 <= x0) continue;
        list_->AddLine({x0, sum - x0}, {x1, sum - x1}, color, thickness);
        if (drawing_) noted.insert(noted.end(), {{x0 + 0.5f, sum - x0 + 0.5f}, {x1 + 0.5f, sum - x1 + 0.5f}});
    }
    if (!noted.empty()) note_points(ItemKind::Lines, noted, color, thickness);
}

void Painter::shadow(Rect rect, float radius, float blur, float strength, float drop) {
    if (!drawable(rect) || blur <= 0.0f) return;
    // Rings of the rounded outline, from inside to outside, their alpha falling like a Gaussian's integral.
    constexpr int kRings = 8, kCorner = 7, kAround = 4 * (kCorner + 1);
    const float most_inset = std::min({blur * 0.5f, rect.w / 2 - 1, rect.h / 2 - 1});
    const Rect base = rect.moved(0.0f, drop);
    const Color dark = theme_.dark ? rgb(0x000000) : rgb(0x1F2533);
    if (DrawnItem* item =
            note(ItemKind::Shadow, packed(with_alpha(dark, std::min(1.0f, strength * (theme_.dark ? 3 : 1)))))) {
        item->rect = base;
        item->radius = radius;
        item->width = blur;
    }
    const ImVec2 white = ImGui::GetFontTexUvWhitePixel();
    list_->PrimReserve((kRings - 1) * kAround * 6 + (kAround - 2) * 3, kRings * kAround);
    const unsigned first = list_->_VtxCurrentIdx;
    for (int ring = 0; ring < kRings; ++ring) {
        const float t = static_cast<float>(ring) / (kRings - 1);
        const float out = -most_inset + (blur + most_inset) * t;
        const float alpha = strength * (1.0f - t) * (1.0f - t) * (1.0f + 2.0f * t);  // smooth at both ends
        const std::uint32_t color = packed(with_alpha(dark, theme_.dark ? std::min(1.0f, alpha * 3) : alpha));
        const float r = std::max(0.0f, radius + out);
        const Rect core = base.inset(-out).inset(r);
        const Point centers[4] = {
            {core.right(), core.bottom()}, {core.x, core.bottom()}, {core.x, core.y}, {core.right(), core.y}};
        for (int corner = 0; corner < 4; ++corner) {
            for (int i = 0; i <= kCorner; ++i) {
                const float angle = (static_cast<float>(corner) + static_cast<float>(i) / kCorner) * 1.5707963f;
                const Point at = centers[corner] + Point{std::cos(angle) * r, std::sin(angle) * r};
                list_->PrimWriteVtx(vec(at), white, color);
            }
        }
    }
    const auto index = [&](unsigned ring, unsigned i) {
        list_->PrimWriteIdx(static_cast<ImDrawIdx>(first + ring * kAround + i % kAround));
    };
    for (unsigned i = 2; i < kAround; ++i) {
        index(0, 0);
        index(0, i - 1);
        index(0, i);
    }
    for (unsigned ring = 0; ring + 1 < kRings; ++ring) {
        for (unsigned i = 0; i < kAround; ++i) {
            index(ring, i);
            index(ring, i + 1);
            index(ring + 1, i);
            index(ring + 1, i);
            index(ring, i + 1);
            index(ring + 1, i + 1);
        }
    }
}

void Painter::card(Rect rect) {
    shadow(rect, theme_.card_radius, theme_.shadow_blur * 1.6f, 0.105f, px(4));
    fill(rect, Hue::Paper, theme_.card_radius);
    stroke(rect, Hue::Rule, theme_.card_radius, theme_.rule_width);
}

void Painter::circle(Point center, float radius, Ink ink) {
    if (!(radius > 0.0f && radius < 1e5f)) return;
    list_->AddCircleFilled(vec(center), radius, area(ink), 0);
    note_points(ItemKind::Circle, {&center, 1}, area(ink));
    if (drawing_) drawing_->items.back().radius = radius;
}

void Painter::ring(Point center, float radius, Ink ink, float thickness) {
    if (!(radius > 0.0f && radius < 1e5f)) return;
    list_->AddCircle(vec(center), radius, area(ink), 0, thickness);
    note_points(ItemKind::Circle, {&center, 1}, area(ink), thickness);
    if (drawing_) drawing_->items.back().radius = radius;
}

void Painter::triangle(Point a, Point b, Point c, Ink ink) {
    // Clockwise: in the other order, anti-aliasing would eat into the shape.
    const float turn = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    if (turn < 0.0f) std::swap(b, c);
    list_->AddTriangleFilled(vec(a), vec(b), vec(c), area(ink));
    const Point corners[] = {a, b, c};
    note_points(ItemKind::Polygon, corners, area(ink));
}

void Painter::polygon(std::span<const Point> convex, Ink ink) {
    if (convex.size() < 3) return;
    list_->PathClear();
    for (const Point& point : convex) list_->PathLineTo(vec(point));
    list_->PathFillConvex(area(ink));
    note_points(ItemKind::Polygon, convex, area(ink));
}

void Painter::image(unsigned texture, Rect rect, Rect uv, float alpha) {
    if (texture == 0 || !drawable(rect)) return;
    const std::uint32_t tint = packed(with_alpha(rgb(0xFFFFFF), alpha));
    gui::image(list_, texture, rect, uv, tint);
    note_rect(ItemKind::Image, rect, tint);
    if (!drawing_) return;
    drawing_->items.back().texture = texture;
    drawing_->items.back().uv = uv;
}

void Painter::image_turned(unsigned texture, Rect rect, Rect uv, float alpha) {
    if (texture == 0 || !drawable(rect)) return;
    const std::uint32_t tint = packed(with_alpha(rgb(0xFFFFFF), alpha));
    gui::image_turned(list_, texture, rect, uv, tint);
    note_rect(ItemKind::Image, rect, tint);
    if (!drawing_) return;
    drawing_->items.back().texture = texture;
    drawing_->items.back().uv = uv;
    drawing_->items.back().vertical = true;  // transposed
}

// ---- lines -----------------------------------------------------------------------------------------------------

void Painter::line(Point from, Point to, Ink ink, float thickness, bool round) {
    const std::uint32_t color = area(ink);
    const bool upright = from.x == to.x || from.y == to.y;
    if (upright && !round) {
        // Axis-parallel lines are drawn as bars on whole pixels, so that a hairline is not smeared over two.
        const float half = thickness / 2;
        const float x0 = std::min(from.x, to.x), y0 = std::min(from.y, to.y);
        const Rect bar = from.x == to.x ? Rect{std::round(x0 - half), y0, thickness, std::fabs(to.y - from.y)}
                                        : Rect{x0, std::round(y0 - half), std::fabs(to.x - from.x), thickness};
        if (!drawable(bar)) return;
        gui::fill_rect(list_, bar, color, 0.0f, gui::Corners::None);
        return note_rect(ItemKind::Fill, bar, color);
    }
    const Point half_pixel{0.5f, 0.5f};  // added by the library
    list_->AddLine(vec(from - half_pixel), vec(to - half_pixel), color, thickness);
    const Point ends[] = {from, to};
    note_points(ItemKind::Polyline, ends, color, thickness);
    if (round) {
        if (drawing_) drawing_->items.back().round = true;
        list_->AddCircleFilled(vec(from), thickness / 2, color, 0);
        list_->AddCircleFilled(vec(to), thickness / 2, color, 0);
    }
}

void Painter::line_dashed(Point from, Point to, Ink ink, float thickness, float dash, float gap) {
    const Point way = to - from;
    const float length = std::hypot(way.x, way.y);
    if (length <= 0.0f || length > 1e5f || dash + gap < 1.0f) return;
    for (float at = 0.0f; at < length; at += dash + gap) {
        const Point a = between(from, to, at / length), b = between(from, to, std::min(at + dash, length) / length);
        line(a, b, ink, thickness, false);
    }
}

void Painter::polyline(std::span<const Point> points, Ink ink, float thickness, bool closed) {
    gui::polyline(list_, points, area(ink), closed, thickness);
    if (points.size() < 2) return;
    note_points(ItemKind::Polyline, points, area(ink), thickness);
    if (drawing_) drawing_->items.back().closed = closed;
}

void Painter::polyline_dashed(std::span<const Point> points, Ink ink, float thickness, float dash, float gap) {
    if (points.size() < 2 || dash + gap < 1.0f) return;
    std::vector<Point> piece;
    float phase = 0;
    const auto end_piece = [&] {
        if (piece.size() > 1) polyline(piece, ink, thickness);
        piece.clear();
    };
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        const Point a = points[i], b = points[i + 1];
        const float length = std::hypot(b.x - a.x, b.y - a.y);
        if (!(length < 1e5f)) return;
        for (float done = 0; done < length - 1e-4f;) {
            const bool drawn = phase < dash;
            const float step = std::min(length - done, std::max((drawn ? dash : dash + gap) - phase, 1e-3f));
            if (drawn && piece.empty()) piece.push_back(between(a, b, done / length));
            done += step;
            phase += step;
            if (drawn) piece.push_back(between(a, b, std::min(1.0f, done / length)));
            if (drawn && phase >= dash - 1e-3f) end_piece();
            if (phase >= dash + gap - 1e-3f) phase = 0;
        }
    }
    end_piece();
}

void Painter::curve(Point from, Point control1, Point control2, Point to, Ink ink, float thickness) {
    constexpr int kSteps = 24;
    std::array<Point, kSteps + 1> points;
    for (int i = 0; i <= kSteps; ++i) {
        points[static_cast<std::size_t>(i)] = cubic(from, control1, control2, to, static_cast<float>(i) / kSteps);
    }
    polyline(points, ink, thickness);
}

void Painter::stroke_dashed(Rect rect, Ink ink, float radius, float thickness, float dash, float gap) {
    const Rect box = rect.inset(thickness / 2);
    if (!drawable(box) || dash + gap < 1.0f) return;
    const float r = std::clamp(radius, 0.0f, std::min(box.w, box.h) / 2);
    if (DrawnItem* item = note(ItemKind::Stroke, area(ink))) {
        item->rect = rect;
        item->radius = radius;
        item->width = thickness;
        item->dash = dash;
        item->gap = gap;
    }
    // The outline as closely spaced points; every dash is a piece of it.
    std::vector<Point> way;
    const Point centers[4] = {{box.right() - r, box.y + r},
                              {box.right() - r, box.bottom() - r},
                              {box.x + r, box.bottom() - r},
                              {box.x + r, box.y + r}};
    constexpr int kCorner = 6;
    for (int corner = 0; corner < 4; ++corner) {
        for (int i = 0; i <= kCorner; ++i) {
            const float angle = (static_cast<float>(corner - 1) + static_cast<float>(i) / kCorner) * 1.5707963f;
            way.push_back(centers[corner] + Point{std::cos(angle) * r, std::sin(angle) * r});
        }
    }
    way.push_back(way.front());
    float around = 0.0f;
    for (std::size_t i = 0; i + 1 < way.size(); ++i)
        around += std::hypot(way[i + 1].x - way[i].x, way[i + 1].y - way[i].y);
    const float period = around / std::max(1.0f, std::round(around / (dash + gap)));  // so that the pattern closes
    const float on = period * dash / (dash + gap);
    std::vector<Point> piece;
    float at = 0.0f;
    for (std::size_t i = 0; i + 1 < way.size(); ++i) {
        const Point a = way[i], b = way[i + 1];
        const float length = std::hypot(b.x - a.x, b.y - a.y);
        for (float done = 0.0f; done < length - 1e-4f;) {
            const float phase = std::fmod(at, period);
            const bool drawn = phase < on;
            const float step = std::min(length - done, std::max((drawn ? on : period) - phase, 1e-3f));
            if (drawn) {
                if (piece.empty()) piece.push_back(between(a, b, done / length));
                piece.push_back(between(a, b, (done + step) / length));
            }
            if (!drawn || phase + step >= on - 1e-3f) {
                gui::polyline(list_, piece, area(ink), false, thickness);
                piece.clear();
            }
            done += step;
            at += step;
        }
    }
    gui::polyline(list_, piece, area(ink), false, thickness);
}

void Painter::arrow(Point from, Point to, Ink ink, float thickness, float head) {
    const Point way = to - from;
    const float length = std::hypot(way.x, way.y);
    if (length < 1.0f || length > 1e5f) return;
    const Point along = way * (1.0f / length), across{-along.y, along.x};
    const float size = std::min(head, length);
    const Point neck = to - along * (size * 0.8f);
    line(from, neck, ink, thickness, true);
    const Point back = to - along * size;
    triangle(to, back + across * (size * 0.42f), back - across * (size * 0.42f), ink);
}

// ---- scopes ----------------------------------------------------------------------------------------------------

PaintScope Painter::opacity(float alpha) {
    opacities_.push_back(opacity_);
    opacity_ *= std::clamp(alpha, 0.0f, 1.0f);
    return {*this, [](Painter& painter) {
                painter.opacity_ = painter.opacities_.back();
                painter.opacities_.pop_back();
            }};
}

PaintScope Painter::clip(Rect rect) {
    if (list_ == gui::current_list()) {  // so that nothing outside it can be pressed
        gui::push_clip(rect);
        return {*this, [](Painter&) { gui::pop_clip(); }};
    }
    list_->PushClipRect(low(rect), high(rect), true);
    return {*this, [](Painter& painter) { painter.list_->PopClipRect(); }};
}

PaintScope Painter::onto(ImDrawList* list) {
    lists_.push_back(list_);
    list_ = list;
    return {*this, [](Painter& painter) {
                painter.list_ = painter.lists_.back();
                painter.lists_.pop_back();
            }};
}

Rect Painter::clip_rect() const {
    const ImVec2 a = list_->GetClipRectMin(), b = list_->GetClipRectMax();
    return {a.x, a.y, b.x - a.x, b.y - a.y};
}

bool Painter::visible(Rect rect) const { return clip_rect().overlaps(rect); }

}  // namespace app
