// The columns that are normally next to the stage, in a window too narrow for them: drawn over the picture until
// Escape, their button or a press outside closes them.

#include <algorithm>
#include <utility>

#include "app/frame/commands.h"
#include "app/frame/sheet.h"

namespace app {
namespace {

/// The part of the window's width that a drawer does not cover.
constexpr float kLeftOver = 0.12f;

/// As wide as the column that it replaces, at the same edge; below the top bar, whose buttons close it.
Rect drawer_rect(const Frame& f, Place place) {
    const bool left = place == Place::Left;
    const Rect window = f.window;
    const float wide = std::round(std::min(left ? std::max(f.theme.left_width, f.px(236)) : f.theme.right_width,
                                           window.w * (1 - kLeftOver)));
    const float top = std::round(place_rect(Place::Header, window, f.theme, panels_of(f.state)).bottom());
    return {left ? window.x : window.right() - wide, top, wide, std::max(0.0f, window.bottom() - top)};
}

}  // namespace

void draw_drawers(const Frame& f) {
    const Sheet sheet = f.view().sheet;
    if (sheet != Sheet::Steps && sheet != Sheet::Cell) return;
    const Place place = sheet == Sheet::Steps ? Place::Left : Place::Right;
    // The window has grown, or the screen has changed: the column no longer is a drawer.
    if (!is_drawer(f, place)) return f.change_view([](ViewState& v) { v.sheet = Sheet::None; });
    const Rect rect = drawer_rect(f, place);
    const SheetScope scope(f, sheet == Sheet::Steps ? "drawer.steps" : "drawer.cell", rect);
    Frame inside = f;
    inside.area = rect;
    sheet == Sheet::Steps ? draw_steps(inside) : draw_inspector(inside);
}

}  // namespace app
