#include "app/frame/signed_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/frame/hint.h"

namespace app {
namespace {

// Design pixels.
constexpr float kBarRow = 24, kMostSignedCell = 96, kMostSignedRow = 46, kLeastFigureCell = 44;

/// The titles; with many rows or columns only some are named.
void name_cells(const Frame& f, const SignedMap& map, Point corner, Size cell, float names) {
    Painter& p = f.painter();
    const float line = f.theme.line_height(Type::Small);
    if (!map.corner.empty()) p.text_fit({corner.x - names, corner.y - line, names - f.px(6), line}, map.corner, {Type::Small, Align::Right}, Hue::Soft);
    for (std::size_t c = 0; c < map.columns.size(); ++c)
        p.text_fit({corner.x + cell.w * static_cast<float>(c), corner.y - line, cell.w, line}, map.columns[c].title, {Type::SmallStrong, Align::Center},
                   map.columns[c].head < 0 ? Ink(Hue::Soft) : Ink(f.theme.head_text(map.columns[c].head)));
    const auto apart = static_cast<std::size_t>(std::max(1.0f, std::ceil(line * 0.8f / cell.h)));
    for (std::size_t r = 0; r < map.rows.size(); r += apart)
        p.text_fit({corner.x - names, corner.y + cell.h * static_cast<float>(r), names - f.px(6), cell.h}, map.rows[r], {Type::Small, Align::Right}, Hue::Soft);
}

void draw_signed_cell(const Frame& f, const SignedMap::Cell& cell, const SignedMapLook& look, double largest, bool shown, Rect rect) {
    Painter& p = f.painter();
    const bool known = std::isfinite(cell.value);
    const auto reach = static_cast<float>(std::max(largest, 1e-12));
    const Color back = known ? cell_color(f.theme, Hue::Output, static_cast<float>(cell.value), {-reach, reach}, true) : f.theme[Hue::Back];
    p.fill(rect, back, f.px(4));
    if (known && rect.w >= f.px(kLeastFigureCell) && rect.h >= f.theme.em(Type::NumberSmall) * 1.2f)
        p.text_in(rect, look.number(cell.value), {Type::NumberSmall, Align::Center}, ink_on(back));
    if (cell.hatched) p.hatch(rect, Ink(Hue::Soft, 0.6f), f.px(6), f.px(1));
    if (shown) p.stroke(rect, Hue::Accent, f.px(4), f.px(2));
}

float width_of_titles(const Frame& f, const SignedMap& map) {
    return std::max(f.painter().width(map.corner, Type::Small), widest_name(f, map.rows, Type::Small)) + f.px(10);
}

}  // namespace

float least_width_with_figures(const Frame& f, const SignedMap& map) {
    float cell = std::max(f.px(kLeastFigureCell + 2), f.painter().width("−88.88", Type::NumberSmall) + f.px(6));
    for (const SignedMap::Column& column : map.columns) cell = std::max(cell, f.painter().width(column.title, Type::SmallStrong) + f.px(6));
    return width_of_titles(f, map) + cell * static_cast<float>(map.columns.size());
}

PressedMap draw_signed_map(const Frame& f, Rect area, std::string_view id, const SignedMap& map, const SignedMapLook& look) {
    const float line = f.theme.line_height(Type::Small);
    const float names = std::min(width_of_titles(f, map), area.w * 0.3f);
    const Size cell{std::min(f.px(kMostSignedCell), (area.w - names) / static_cast<float>(std::max<std::size_t>(1, map.columns.size()))),
                    std::min(f.px(kMostSignedRow), (area.h - line) / static_cast<float>(std::max<std::size_t>(1, map.rows.size())))};
    const Point corner{area.x + names, area.y + line};
    name_cells(f, map, corner, cell, names);
    PressedMap out;
    const Rect all{corner.x, corner.y, cell.w * static_cast<float>(map.columns.size()), cell.h * static_cast<float>(map.rows.size())};
    // A single area for all cells, of which there may be thousands.
    const Touch touch = touch_area(f.ui, fmt::format("{}_map", id), all, false);
    // Between two small cells there is no gap.
    const float gap = std::min(f.px(1), std::min(cell.w, cell.h) / 6);
    for (std::size_t i = 0; i < map.cells.size(); ++i) {
        const SignedMap::Cell& one = map.cells[i];
        const Rect room{corner.x + cell.w * static_cast<float>(one.column), corner.y + cell.h * static_cast<float>(one.row), cell.w, cell.h}, at = room.inset(gap);
        draw_signed_cell(f, one, look, map.largest, look.shown == i, at);
        const bool hovered = touch.hovered && room.contains(gui::mouse());
        if (!hovered && !f.ui.records()) continue;
        const std::string name = fmt::format("{}_{}_{}", id, one.row + 1, one.column + 1);
        f.ui.record(name, at);
        if (!hovered) continue;
        hint(f, name, room, look.says(i));
        if (one.pressable) gui::set_cursor(gui::Cursor::Hand);
        if (one.pressable && touch.clicked) out.pressed = i;
    }
    out.bottom = all.bottom();
    return out;
}

std::size_t signed_bars_in(const Frame& f, float height) { return static_cast<std::size_t>(std::max(0.0f, height / f.px(kBarRow))); }

std::optional<std::size_t> draw_signed_bars(const Frame& f, Rect area, std::string_view id, const std::vector<SignedBar>& bars, const std::vector<SignedBar>& below,
                                            const std::function<std::string(double)>& text, BarsFrom from) {
    Painter& p = f.painter();
    const float row = f.px(kBarRow), number = p.width("−88.888", Type::Number) + f.px(8);
    const double most = std::max(bars.empty() ? 0 : std::abs(bars.front().value), 1e-12);
    float names = 0;
    for (const auto* const some : {&bars, &below})
        for (const SignedBar& one : *some) names = std::max(names, p.width(one.words, Type::Small));
    names = std::min(names + f.px(10), area.w * 0.45f);
    const float wide = std::max(0.0f, area.w - names - number), reach = from == BarsFrom::Left ? wide : wide / 2, middle = area.x + names + wide - reach;
    const auto line = [&](std::size_t i, const SignedBar& one, bool strong) {
        const Rect at{area.x, area.y + row * static_cast<float>(i), area.w, row};
        p.text_fit({at.x, at.y, names - f.px(8), at.h}, one.words, {strong ? Type::SmallStrong : Type::Small}, strong ? Hue::Ink : Hue::Soft);
        p.text_in(at, text(one.value), {Type::Number, Align::Right}, Hue::Ink);
        return at;
    };
    std::optional<std::size_t> pressed;
    for (std::size_t i = 0; i < bars.size(); ++i) {
        const SignedBar& one = bars[i];
        const Rect at = line(i, one, one.shown);
        const float length = std::max(f.px(1), reach * static_cast<float>(std::abs(one.value) / most));
        p.fill({from == BarsFrom::Middle && one.value < 0 ? middle - length : middle, at.center().y - f.px(5), length, f.px(10)}, cell_color(f.theme, Hue::Output, one.value < 0 ? -0.8f : 0.9f, {-1, 1}, true), f.px(3));
        const Touch touch = touch_area(f.ui, fmt::format("{}{}", id, i + 1), at, false);
        if (touch.hovered && one.pressable) gui::set_cursor(gui::Cursor::Hand);
        if (touch.clicked && one.pressable) pressed = i;
    }
    p.line({middle, area.y}, {middle, area.y + row * static_cast<float>(bars.size())}, Hue::Rule, f.px(1));
    for (std::size_t i = 0; i < below.size(); ++i) line(bars.size() + i, below[i], below[i].shown);
    return pressed;
}

}  // namespace app
