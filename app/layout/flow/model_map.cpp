// Which places a model has, where their tiles are, and the camera over them.

#include "app/layout/flow/model_map.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "app/layout/flow/tower.h"

namespace app {
namespace mapping {
namespace {

using attn::Role;
using attn::StepId;

/// Gaps between tiles, for the arrows, relative to a tile's sides.
constexpr float kAcross = 0.1f, kDown = 0.24f;
/// The margin around all of them, for a shadow and some space, in sides of a tile.
constexpr float kAround = 0.03f;

const Section& main_of(const Timeline& timeline, const FlowPlace& place) {
    return timeline.sections[static_cast<std::size_t>(place.main)];
}

/// The steps of all heads, by name.
class Heads {
public:
    explicit Heads(const attn::Trace& trace) {
        for (StepId id = 0; id < trace.size(); ++id)
            if (trace[id].tag.head != attn::kNoHead) of_[key(trace[id].tag)].push_back(id);
    }
    std::vector<StepId> of(const attn::Trace& trace, StepId id) const {
        const auto found = of_.find(key(trace[id].tag));
        return trace[id].tag.head == attn::kNoHead || found == of_.end() ? std::vector<StepId>{id} : found->second;
    }

private:
    using Key = std::tuple<Role, int, int, attn::Part, int>;
    static Key key(const attn::Tag& t) { return {t.role, t.layer, t.time, t.part, t.pass}; }
    std::map<Key, std::vector<StepId>> of_;
};

struct Filler {
    const attn::Trace& trace;
    const Timeline& timeline;
    Heads heads{trace};

    template <class Each>
    void each_stop(const FlowPlace& place, Each each) const {
        const int first = timeline.sections[static_cast<std::size_t>(place.first)].first,
                  last = timeline.sections[static_cast<std::size_t>(place.last)].last;
        for (int stop = first; stop <= last; ++stop) each(timeline.stops[static_cast<std::size_t>(stop)]);
    }

    void fill(MapTile& tile, const FlowPlace& place) const {
        StepId weights = attn::kNoStep, shares = attn::kNoStep, fed = attn::kNoStep, last = attn::kNoStep;
        // What gathers all times at the end belongs to none of them.
        const int time = main_of(timeline, place).time;
        each_stop(place, [&](const Stop& stop) {
            const attn::Step& step = trace[stop.step];
            if (step.tag.time != time) return;
            if (step.tag.role == Role::Weights) weights = stop.step;
            if (stop.stage == Stage::Softmax) shares = stop.step;
            if (stop.stage == Stage::FeedForward) fed = stop.step;
            if (stop.stage != Stage::Predict) last = stop.step;
        });
        if (weights == attn::kNoStep) weights = shares;
        if (weights != attn::kNoStep) tile.weights = heads.of(trace, weights);
        if (fed != attn::kNoStep) tile.results.push_back({fed, FlowBlock::FeedForward});
        if (last != attn::kNoStep && last != weights && last != fed)
            tile.results.push_back({last, fed == attn::kNoStep ? FlowBlock::None : FlowBlock::AddNorm});
    }
};

/// The number of columns that makes the whole largest; if two do, the larger number.
int columns_for(int count) {
    int best = 1;
    float least = 1e9f;
    for (int cols = 1; cols <= count; ++cols) {
        const auto rows = static_cast<float>((count + cols - 1) / cols), across = static_cast<float>(cols);
        const float size = std::max(across * (1 + kAcross), rows * (1 + kDown));
        if (size <= least + 1e-4f) {
            least = size;
            best = cols;
        }
    }
    return best;
}

/// The rows of a map: consecutive places that are side by side.
std::vector<std::vector<int>> rows_of(const Timeline& timeline, const std::vector<FlowPlace>& places) {
    std::vector<std::vector<int>> rows;
    bool several = false;  // blocks at one time, or two stacks
    for (std::size_t i = 0; i < places.size(); ++i) {
        const Section& now = main_of(timeline, places[i]);
        const Section* before = i > 0 ? &main_of(timeline, places[i - 1]) : nullptr;
        if (!before || before->time != now.time || before->encoder != now.encoder)
            rows.emplace_back();
        else
            several = true;
        rows.back().push_back(static_cast<int>(i));
    }
    if (several && rows.size() > 1) return rows;
    const auto count = static_cast<int>(places.size()), cols = columns_for(count);
    rows.clear();
    for (int i = 0; i < count; ++i) {
        if (i % cols == 0) rows.emplace_back();
        rows.back().push_back(i);
    }
    return rows;
}

/// Each place leads to the next of its stack; the encoder's last one to all that attend to it.
void link(ModelMap& map, const Timeline& timeline, const std::vector<FlowPlace>& places) {
    int read = -1;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const Section& now = main_of(timeline, places[i]);
        const auto at = static_cast<int>(i);
        if (i > 0 && main_of(timeline, places[i - 1]).encoder == now.encoder) map.links.push_back({at - 1, at});
        if (now.encoder) read = at;
        if (now.cross && read >= 0) map.links.push_back({read, at});
    }
}

}  // namespace
}  // namespace mapping

ModelMap make_model_map(const attn::Trace& trace, const Timeline& timeline, const std::vector<FlowPlace>& places) {
    ModelMap map;
    if (places.empty()) return map;
    const mapping::Filler filler{trace, timeline};
    map.tiles.resize(places.size());
    for (std::size_t i = 0; i < places.size(); ++i) filler.fill(map.tiles[i], places[i]);
    const auto rows = mapping::rows_of(timeline, places);
    map.rows = static_cast<int>(rows.size());
    for (std::size_t r = 0; r < rows.size(); ++r) {
        map.cols = std::max(map.cols, static_cast<int>(rows[r].size()));
        for (std::size_t c = 0; c < rows[r].size(); ++c) {
            MapTile& tile = map.tiles[static_cast<std::size_t>(rows[r][c])];
            tile.row = static_cast<int>(r);
            tile.col = static_cast<int>(c);
        }
    }
    mapping::link(map, timeline, places);
    map.tower = is_tower(trace, timeline, places, map);
    return map;
}

Rect ModelMap::tile(int place, int from) const {
    if (tower) return {0, 0, 1, 1};
    const MapTile &to = tiles[static_cast<std::size_t>(place)], &at = tiles[static_cast<std::size_t>(from)];
    return {static_cast<float>(to.col - at.col) * (1 + mapping::kAcross), static_cast<float>(to.row - at.row) * (1 + mapping::kDown), 1, 1};
}

Rect ModelMap::whole(int from) const {
    if (!any() || tower) return {0, 0, 1, 1};
    const MapTile& at = tiles[static_cast<std::size_t>(from)];
    return Rect{-static_cast<float>(at.col) * (1 + mapping::kAcross), -static_cast<float>(at.row) * (1 + mapping::kDown),
                static_cast<float>(cols) * (1 + mapping::kAcross) - mapping::kAcross, static_cast<float>(rows) * (1 + mapping::kDown) - mapping::kDown}
        .inset(-mapping::kAround);
}

float ModelMap::least_zoom() const {
    if (!any()) return 1;
    if (tower) return kTowerZoom;
    const Rect all = whole(0);
    return std::max(kLeastFlowZoom, 1 / std::max(all.w, all.h));
}

int ModelMap::at(Point point, int from) const {
    if (tower) return -1;
    for (int i = 0; i < static_cast<int>(tiles.size()); ++i)
        if (tile(i, from).contains(point)) return i;
    return -1;
}

FlowCamera whole_of(const ModelMap& map, int place) {
    const Point middle = map.whole(place).center();
    return {map.least_zoom(), middle.x, middle.y};
}

FlowCamera moved_to(const ModelMap& map, FlowCamera camera, int from, int to) {
    if (from == to || !map.any()) return camera;
    const Rect other = map.tile(to, from);
    camera.x -= other.x;
    camera.y -= other.y;
    return camera;
}

FlowCamera clamped(FlowCamera c, const ModelMap& map, int place) {
    const float least = map.least_zoom();
    c.zoom = std::clamp(c.zoom, least, kMaxFlowZoom);
    // Close up only the place itself may be in view; farther out, more and more of its neighbours.
    const float far = least < 1 ? std::clamp(std::log(c.zoom) / std::log(least), 0.0f, 1.0f) : 0;
    const Rect all = map.any() ? map.whole(place) : Rect{0, 0, 1, 1};
    const float half = 0.5f / c.zoom;
    const auto inside = [&](float at, float low, float high) {
        const float from = low * far, to = 1 + (high - 1) * far;
        return to - from <= 2 * half ? (from + to) / 2 : std::clamp(at, from + half, to - half);
    };
    c.x = inside(c.x, all.x, all.right());
    c.y = inside(c.y, all.y, all.bottom());
    return c;
}

FlowCamera between(const FlowCamera& from, const FlowCamera& to, double t) {
    const auto e = static_cast<float>(ease(t));
    FlowCamera c;
    c.zoom = from.zoom * std::pow(to.zoom / from.zoom, e);
    // While zooming in, the final centre already stays in place: the visible area shrinks around one point.
    const float a = 1 / from.zoom, z = 1 / to.zoom;
    const float share = std::abs(z - a) < 1e-3f * a ? e : (1 / c.zoom - a) / (z - a);
    c.x = from.x + (to.x - from.x) * share;
    c.y = from.y + (to.y - from.y) * share;
    return c;
}

Camera camera_of(const FlowCamera& look, Rect area) {
    const Point middle{area.x + area.w * look.x, area.y + area.h * look.y};
    return {look.zoom, area.center() - middle * look.zoom};
}

double unfolded(float zoom) { return phase(zoom, kUnfolding, kUnfolded); }

}  // namespace app
