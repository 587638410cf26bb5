#include "app/frame/flow_camera.h"

#include <algorithm>

namespace app {
namespace {

constexpr float kFlowKeyZoom = 1.6f;  ///< per key press
constexpr float kNearestFlow = 4.0f;  ///< a picture with this zoom is better seen on the stage

/// The target of the camera's flight, or its position.
FlowCamera flow_aim(const Frame& f) {
    const FlowLook& look = f.view().flow;
    return look.flight ? look.flight->to : flow_camera(f);
}

}  // namespace

FlowCamera flow_camera(const Frame& f) {
    const FlowLook& look = f.view().flow;
    return look.flight ? look.camera() : clamped(look.camera(), f.derived.map, f.derived.place);
}

void look_at_whole(const Frame& f) { f.push(LookAt{f.derived.place, whole_of(f.derived.map, f.derived.place)}); }

bool can_zoom_flow(const Frame& f, bool closer) {
    if (f.view().screen == Screen::Stage) return !closer && f.view().flow.entered;
    if (f.view().screen != Screen::Flow || f.derived.places.empty() || f.view().passage) return false;
    return closer || flow_aim(f).zoom > f.derived.map.least_zoom();
}

void zoom_flow(const Frame& f, bool closer) {
    if (f.view().screen == Screen::Stage) return f.push(LeaveMatrix{});
    const FlowCamera now = flow_aim(f);
    const int place = f.derived.place;
    const float next = closer ? now.zoom * kFlowKeyZoom : now.zoom / kFlowKeyZoom;
    if (now.zoom < 1) {
        // First closer to the tile at the playhead, then into it.
        if (closer) return f.push(LookAt{place, next >= kUnfolding ? FlowCamera{} : FlowCamera{next}});
        return look_at_whole(f);
    }
    if (!closer && now.zoom == 1) return look_at_whole(f);
    if (!closer) return f.push(LookAt{place, {std::max(1.0f, next), now.x, now.y}});
    if (next < kNearestFlow) return f.push(LookAt{place, {next, now.x, now.y}});
    if (f.view().pinned) return f.push(EnterMatrix{*f.view().pinned});
    if (const auto& explained = f.derived.explained) f.push(EnterMatrix{{f.trace()[explained->step].tag, explained->row, explained->col}});
}

bool can_go_out(const Frame& f) {
    if (f.view().screen == Screen::Stage) return f.view().flow.entered;
    return f.view().screen == Screen::Flow && f.derived.map.any() && flow_aim(f).zoom > f.derived.map.least_zoom();
}

void go_out(const Frame& f) {
    if (f.view().screen == Screen::Stage) return f.push(LeaveMatrix{});
    if (flow_aim(f).zoom > 1) return f.push(LookAt{f.derived.place});
    look_at_whole(f);
}

}  // namespace app
