#include "app/screens/flow/zoom.h"

#include <algorithm>
#include <cmath>

#include "app/frame/flow_camera.h"
#include "app/frame/map_touch.h"
#include "app/screens/flow/tower_view.h"

namespace app {
namespace {

constexpr float kFlowWheelZoom = 1.18f;  ///< per notch of the wheel
/// A matrix with this share of the picture is better seen on the stage.
constexpr float kFillsPicture = 0.8f;

/// A point of the screen, in units of the sides of the place at the playhead.
Point in_place(const Frame& f, Rect area, Point point) {
    const Camera seen = camera_of(flow_camera(f), area);
    const Point at = (point - seen.offset) * (1 / seen.zoom);
    return {(at.x - area.x) / area.w, (at.y - area.y) / area.h};
}

bool fills_picture(const Frame& f, Rect area, attn::StepId step) {
    const Rect r = matrix_in(f.scratch.scene, step);
    return r.w >= area.w * kFillsPicture || r.h >= area.h * kFillsPicture || f.view().flow.zoom >= kMaxFlowZoom * 0.99f;
}

void turn_wheel(const Frame& f, Rect area, float wheel, const std::optional<CellRef>& pointed) {
    const FlowCamera look = flow_camera(f);
    if (wheel > 0 && look.zoom > 1 && pointed && fills_picture(f, area, attn::find_id(f.trace(), pointed->tag)))
        return f.push(EnterMatrix{*pointed});
    const float zoom = std::clamp(look.zoom * std::pow(kFlowWheelZoom, wheel), f.derived.map.least_zoom(), kMaxFlowZoom);
    const Point under = in_place(f, area, gui::mouse());  // stays in place
    const Point off = area.center() - gui::mouse();
    LookAt to{f.derived.place, {zoom, under.x + off.x / area.w / zoom, under.y + off.y / area.h / zoom}, false};
    // The tile under the pointer becomes the one that opens.
    const int tile = f.derived.map.any() && wheel > 0 && look.zoom < kUnfolded ? tile_under(f, area, gui::mouse()) : -1;
    if (tile >= 0 && tile != to.place) {
        to.camera = moved_to(f.derived.map, to.camera, to.place, tile);
        to.place = tile;
    }
    f.push(to);
}

}  // namespace

void zoom_and_pan(const Frame& f, const Touch& touch, Rect area, const std::optional<CellRef>& pointed) {
    if (const float wheel = touch.hovered ? gui::wheel() : 0; wheel != 0) turn_wheel(f, area, wheel, pointed);
    if (!touch.held) return;
    const Point moved = gui::mouse_delta();
    f.scratch.panned += std::abs(moved.x) + std::abs(moved.y);
    FlowCamera look = flow_camera(f);
    const bool whole = look.zoom == 1 || look.zoom <= f.derived.map.least_zoom();
    if (f.scratch.panned < f.px(kFlowClickSlack) || whole || moved == Point{}) return;
    look.x -= moved.x / (area.w * look.zoom);
    look.y -= moved.y / (area.h * look.zoom);
    f.push(LookAt{f.derived.place, look, false});
}

int tile_under(const Frame& f, Rect area, Point point) {
    if (f.derived.map.tower) return floor_under(f, point);
    return area.contains(point) ? f.derived.map.at(in_place(f, area, point), f.derived.place) : -1;
}

}  // namespace app
