#include "app/frame/map_touch.h"

#include <algorithm>
#include <cmath>

namespace app {
namespace {

constexpr float kDoubleClickZoom = 6.0f;  ///< relative to the whole
/// A zoom below this does not count: the whole and its cells have the same size.
constexpr float kHardlyCloser = 1.02f;

bool has_maps(Screen screen) { return row_of(screen).maps; }

}  // namespace

void touch_map(const Frame& f, std::string_view id, const MapWindow& w, CellTouch cells) {
    MapHand& hand = f.scratch.map;
    hand.most_zoom = std::max(hand.most_zoom, w.most_zoom);
    if (w.most_zoom < kHardlyCloser || f.view().sheet != Sheet::None || gui::any_popup()) return;
    const Point at = gui::mouse();
    const bool on_it = w.seen.contains(at) && f.painter().visible({at.x, at.y, 1, 1});
    MapLook look = w.look;
    if (const float wheel = on_it ? gui::wheel() : 0; wheel != 0) look = zoomed(w, at, std::pow(kMapWheelZoom, wheel));
    if (on_it && gui::mouse_clicked() && gui::mod_shift() == cells.paints && !gui::mod_alt()) {
        hand.held = id;
        hand.moved = 0;
    }
    if (on_it && gui::mouse_double_clicked() && !cells.opens && !cells.paints) {
        look = w.whole() ? zoomed(w, at, std::min(kDoubleClickZoom, w.most_zoom)) : MapLook{};
        hand.moved = f.px(kMapClickSlack);  // so that it is no click on a cell
    }
    if (hand.held == id && gui::mouse_down()) {
        const Point by = gui::mouse_delta();
        hand.moved += std::abs(by.x) + std::abs(by.y);
        if (moved_map(f) && !w.whole() && by != Point{}) look = panned(w, by);
        if (moved_map(f) && !w.whole()) gui::set_cursor(gui::Cursor::Hand);
    } else if (hand.held == id) {
        hand.held.clear();
    }
    if (look != w.look) f.change_view([look](ViewState& v) { v.map = look; });
}

bool moved_map(const Frame& f) { return f.scratch.map.moved >= f.px(kMapClickSlack); }

void zoom_map(const Frame& f, float factor) {
    f.change_view([factor, most = f.scratch.map.most_zoom](ViewState& v) {
        v.map.zoom = std::clamp(std::min(v.map.zoom, most) * factor, 1.0f, most);
    });
}

bool can_zoom_map(const Frame& f) {
    return has_maps(f.view().screen) && f.scratch.map.most_zoom > kHardlyCloser &&
           f.view().map.zoom < f.scratch.map.most_zoom;
}

bool shows_part_of_map(const Frame& f) {
    return has_maps(f.view().screen) && f.scratch.map.most_zoom > kHardlyCloser && f.view().map.zoom > 1;
}

}  // namespace app
