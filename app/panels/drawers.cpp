// The columns beside the stage where a window has no room for them: over the picture, until Escape, their button or a
// press beside them closes them.

#include <algorithm>
#include <utility>

#include "app/frame/commands.h"
#include "app/frame/sheet.h"

namespace app {
namespace {

/// Of the window's width, that a drawer leaves of the picture.
constexpr float kLeftOver = 0.12f;

/// As wide as the column it stands for, from the edge it belongs to; under the bar on top, whose buttons close it.
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
    // The window has grown, or another screen came: what is beside the picture is no drawer.
    if (!is_drawer(f, place)) return f.change_view([](ViewState& v) { v.sheet = Sheet::None; });
    const Rect rect = drawer_rect(f, place);
    const SheetScope scope(f, sheet == Sheet::Steps ? "drawer.steps" : "drawer.cell", rect);
    Frame inside = f;
    inside.area = rect;
    sheet == Sheet::Steps ? draw_steps(inside) : draw_inspector(inside);
}

}  // namespace app
