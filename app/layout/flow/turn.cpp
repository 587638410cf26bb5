#include "app/layout/flow/turn.h"

#include <algorithm>
#include <cmath>

#include "app/layout/flow/model_map.h"

namespace app {
namespace {

constexpr double kTurn = 0.9;  ///< seconds
/// Phases: the old picture begins to fade and is gone, the new one begins to appear and is there.
constexpr double kGoes = 0.2, kGone = 0.75, kComes = 0.3, kThere = 0.85;

/// The place of one matrix in both pictures: of those that they share, the one made last.
struct Anchor {
    Rect before, after;
};
std::optional<Anchor> anchor_of(const Scene& before, const Scene& after, const FlowGraph& from, const FlowGraph& to) {
    for (auto node = from.nodes.rbegin(); node != from.nodes.rend(); ++node) {
        const auto same = [&](const FlowNode& n) { return n.step == node->step; };
        if (std::none_of(to.nodes.begin(), to.nodes.end(), same)) continue;
        const Anchor found{matrix_in(before, node->step), matrix_in(after, node->step)};
        if (!found.before.empty() && !found.after.empty()) return found;
    }
    return std::nullopt;
}

Camera camera_that_shows(Rect what, Rect at) {
    const float zoom = at.h / what.h;
    return {zoom, at.center() - what.center() * zoom};
}

}  // namespace

std::optional<FlowTurn> flow_turn(const std::vector<FlowPlace>& places, const Timeline& timeline, double time) {
    const int stop = pose_at(timeline, time).stop;
    if (stop < 1 || timeline.stops.empty()) return std::nullopt;
    const auto picture = [&](int at) { return std::pair(flow_place_of(places, timeline, at), open_block(timeline, at)); };
    if (picture(stop) == picture(stop - 1)) return std::nullopt;
    const Stop& now = timeline.stops[static_cast<std::size_t>(stop)];
    const double length = std::min(kTurn, now.motion);  // in a stop's rest, the transition is over
    if (length <= 0 || time >= now.start + length) return std::nullopt;
    return FlowTurn{stop - 1, phase(time, now.start, now.start + length)};
}

void carry_over(Scene& before, Scene& after, const FlowGraph& from, const FlowGraph& to, Rect area, double passed) {
    const auto t = static_cast<float>(ease(passed));
    const auto anchor = anchor_of(before, after, from, to);
    if (!anchor) {
        look_through({1, {-t * area.w, 0}}, before);
        look_through({1, {(1 - t) * area.w, 0}}, after);
        return;
    }
    // Sizes change exponentially, so that the zoom appears uniform.
    const float high = anchor->before.h * std::pow(anchor->after.h / anchor->before.h, t);
    const Point center = between(anchor->before.center(), anchor->after.center(), t);
    const Rect at{center.x, center.y - high / 2, 0, high};
    look_through(camera_that_shows(anchor->before, at), before);
    look_through(camera_that_shows(anchor->after, at), after);
}

float seen_before(double passed) { return 1 - static_cast<float>(phase(passed, kGoes, kGone)); }
float seen_after(double passed) { return static_cast<float>(phase(passed, kComes, kThere)); }

}  // namespace app
