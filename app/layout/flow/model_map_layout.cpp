// The picture of the map: cards, thumbnails and arrows, with as much detail as can be seen at this size.

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/layout/flow/model_map.h"
#include "app/layout/parts.h"

namespace app {
namespace mapping {
namespace {

// Design pixels.
constexpr float kTinyTile = 30;         ///< narrower ones are plain boxes with one thumbnail
constexpr float kTitledTile = 84;       ///< narrower ones have no title
constexpr float kTitle = 27;            ///< its height
constexpr float kMostPad = 14;          ///< padding of a tile
constexpr float kStrip = 64;            ///< width of a block's result, at most
constexpr float kLeastWithStrips = 60;  ///< narrower ones show only the heads
constexpr float kNumbered = 58;         ///< smaller heads have no number
constexpr float kHeadNumber = 15;           ///< the number's height
constexpr float kLeastCell = 5;         ///< smaller cells are drawn as a texture
constexpr float kLeastArrow = 5;
constexpr float kLargestHead = 300;
/// The width of a strip, as a share of the tile's.
constexpr float kStripShare = 0.1f;
/// The largest ratio of width to height of a row of weights.
constexpr float kWidest = 4;
constexpr float kWaiting = 0.25f;
/// The distance below a tile to the middle of the gap, in heights of a tile.
constexpr float kLaneShare = 0.12f;

struct Layout {
    const MapInput& in;
    stage::Builder b;
    float s = 1;
    Camera camera{};
    float most = 1;  ///< the range of the weights' colours, over all heads

    Rect rect(int place) const {
        const Rect area = in.stage.area, unit = in.map.tile(place, in.place);
        return camera(Rect{area.x + unit.x * area.w, area.y + unit.y * area.h, unit.w * area.w, unit.h * area.h});
    }
    bool is_seen(Rect r) const { return r.overlaps(in.stage.area.inset(-40 * s)); }
    /// How far a tile has turned into its flow.
    double opened(int place) const { return place == in.place && in.flow ? unfolded(in.camera.zoom) : 0; }
    float alpha(int place) const { return in.made >= 0 && place > in.made ? kWaiting : 1.0f; }
};

/// A matrix stretched to a rectangle. Zoomed out, all weights share one colour range, so that heads can be compared;
/// with `own` it changes to the flow's own.
void thumbnail(Layout& l, attn::StepId id, Rect r, float alpha, float own) {
    Grid grid = l.b.grid(id, {r.x, r.y}, 1);
    if (grid.lines() == 0 || grid.uprights() == 0) return;
    grid.cell = r.h / static_cast<float>(grid.lines());
    grid.narrow = r.w / static_cast<float>(grid.uprights()) / grid.cell;
    grid.gap = std::min({l.b.style().gap * 0.6f, grid.cell * 0.1f, grid.pitch_x() * 0.1f});
    MatrixSprite& m = l.b.matrix(id, grid);
    m.alpha = alpha;
    m.smallest = kLeastCell;
    m.thumbnail = true;
    if (!m.scale.diverging) m.scale.high = l.most + (m.scale.high - l.most) * own;
    if (l.b.focused(id)) m.ring = *l.b.in.focus;
}

/// The ratio of width to height of a matrix of weights, as drawn.
float aspect_of(const Layout& l, attn::StepId id) {
    const Grid g = l.b.grid(id, {}, 1);
    const auto lines = static_cast<float>(std::max(1, g.lines())), uprights = static_cast<float>(std::max(1, g.uprights()));
    return std::clamp(uprights / lines, 1 / kWidest, kWidest);
}

/// The heads' places in an area: as many columns as make them largest.
struct HeadGrid {
    Rect room;
    int count = 0, cols = 1;
    float w = 0, h = 0, gap = 0, number = 0;

    HeadGrid(Rect room_, int count_, float aspect, float s) : room(room_), count(count_) {
        gap = std::clamp(room.h * 0.05f, 2.0f, 12 * s);
        for (const bool numbered : {true, false}) {
            number = numbered ? kHeadNumber * s : 0;
            fit(aspect, kLargestHead * s);
            if (count > 1 && h >= kNumbered * s) return;
            if (numbered) w = h = 0;
        }
    }
    void fit(float aspect, float largest) {
        w = h = 0;
        for (int c = 1; c <= count; ++c) {
            const int rows = (count + c - 1) / c;
            const float wide = (room.w - gap * static_cast<float>(c - 1)) / static_cast<float>(c),
                        high = (room.h - gap * static_cast<float>(rows - 1)) / static_cast<float>(rows) - number;
            const float fits = std::min({high, wide / aspect, largest});
            if (fits <= h + 0.25f) continue;
            h = fits;
            w = fits * aspect;
            cols = c;
        }
    }
    Rect at(int i) const {
        const int rows = (count + cols - 1) / cols, row = i / cols;
        const int in_row = std::min(cols, count - row * cols);
        const auto along = [&](int n, float side) { return side * static_cast<float>(n) + gap * static_cast<float>(n - 1); };
        return {room.center().x - along(in_row, w) / 2 + (w + gap) * static_cast<float>(i % cols),
                room.center().y - along(rows, h + number) / 2 + (h + number + gap) * static_cast<float>(row) + number, w, h};
    }
};

Rect mixed(Rect a, Rect z, float t) {
    return {a.x + (z.x - a.x) * t, a.y + (z.y - a.y) * t, a.w + (z.w - a.w) * t, a.h + (z.h - a.h) * t};
}

/// A thumbnail moving from the tile to its place in the flow; without one there, it moves behind the card of the
/// others.
void on_the_way(Layout& l, attn::StepId id, Rect r, float alpha, double opened) {
    if (opened <= 0) return thumbnail(l, id, r, alpha, 0);
    const auto t = static_cast<float>(ease(opened));
    Rect to = matrix_in(*l.in.flow, id);
    const bool placed = !to.empty();
    if (!placed && !l.in.flow->cards.empty()) to = l.in.flow->cards.back().rect.inset(20 * l.s);
    if (to.empty()) to = r;
    const float there = placed ? 1 - static_cast<float>(phase(opened, 0.75, 1)) : 1 - t;
    thumbnail(l, id, mixed(r, to, t), alpha * there, t);
}

void heads(Layout& l, const MapTile& tile, Rect room, float alpha, double opened) {
    if (tile.weights.empty() || room.w < 2 || room.h < 2) return;
    const auto count = static_cast<int>(tile.weights.size());
    const HeadGrid grid(room, count, aspect_of(l, tile.weights.front()), l.s);
    for (int i = 0; i < count; ++i) {
        const attn::StepId id = tile.weights[static_cast<std::size_t>(i)];
        on_the_way(l, id, grid.at(i), alpha, opened);
        if (grid.number <= 0 || opened > 0) continue;
        const Rect r = grid.at(i);
        LabelSprite label{{r.x + 1, r.y - 4 * l.s}, std::to_string(i + 1), Type::Small, Hue::Score, Align::Left, alpha, r.w};
        label.head = i;
        l.b.scene.labels.push_back(std::move(label));
    }
}

void results(Layout& l, const MapTile& tile, Rect room, float alpha, double opened) {
    const float wide = room.w / static_cast<float>(tile.results.size());
    for (std::size_t i = 0; i < tile.results.size(); ++i) {
        const Rect slot{room.x + wide * static_cast<float>(i), room.y, wide, room.h};
        const MapTile::Result& result = tile.results[i];
        on_the_way(l, result.step, slot.inset(wide * 0.14f, 0), alpha, opened);
    }
}

/// The area inside a tile's card.
Rect inside(const Layout& l, Rect card, bool titled) {
    const float pad = std::clamp(card.w * 0.035f, 1.0f, kMostPad * l.s), top = titled ? kTitle * l.s : pad;
    return {card.x + pad, card.y + top, card.w - 2 * pad, card.h - top - pad};
}

void tile(Layout& l, int place) {
    const Rect card = l.rect(place);
    if (!l.is_seen(card)) return;
    const MapTile& tile = l.in.map.tiles[static_cast<std::size_t>(place)];
    const double opened = l.opened(place);
    const float alpha = l.alpha(place), paper = 1 - static_cast<float>(phase(opened, 0, 0.8));
    const bool tiny = card.w < kTinyTile * l.s, titled = card.w >= kTitledTile * l.s && card.h >= 3 * kTitle * l.s;
    if (tiny)
        l.b.scene.bands.push_back({card, Hue::Paper, alpha, 2 * l.s});
    else if (paper > 0)
        l.b.scene.cards.push_back({card, Hue::Rule, true, paper * std::max(alpha, 0.6f)});
    if (place == l.in.place && !tiny && paper > 0)
        l.b.scene.bars.push_back({card.inset(-3 * l.s), Hue::Score, paper, 13 * l.s, true});
    if (titled && paper > 0 && !l.in.titles.empty()) {
        const Type type = card.w < 260 * l.s ? Type::SmallStrong : Type::BodyStrong;
        const float pad = std::clamp(card.w * 0.035f, 4.0f, kMostPad * l.s);
        l.b.scene.labels.push_back({{card.x + pad, card.y + kTitle * l.s * 0.74f},
                                    l.in.titles[static_cast<std::size_t>(place)],
                                    type,
                                    Hue::Ink,
                                    Align::Left,
                                    paper * std::max(alpha, 0.6f),
                                    card.w - 2 * pad});
    }
    Rect room = inside(l, card, titled);
    if (!tile.results.empty() && !tile.weights.empty() && room.w >= kLeastWithStrips * l.s) {
        const float wide = std::min(kStrip * l.s, card.w * kStripShare) * static_cast<float>(tile.results.size());
        results(l, tile, {room.right() - wide, room.y, wide, room.h}, alpha, opened);
        room.w -= wide + room.w * 0.03f;
    }
    heads(l, tile, room, alpha, opened);
}

void arrow(Layout& l, std::vector<Point> points, float alpha, float width) {
    PathSprite line;
    line.hue = Hue::Faint;
    line.alpha = alpha;
    line.width = width;
    if (points.size() > 2) {
        line.points.assign(points.begin(), points.end() - 1);
        l.b.scene.paths.push_back(line);
    }
    line.points.assign(points.end() - 2, points.end());
    line.arrow = true;
    l.b.scene.paths.push_back(std::move(line));
}

/// Arrows from a tile to the next: horizontally if that is next to it, else down and in from above.
void links(Layout& l) {
    for (const MapLink& link : l.in.map.links) {
        const Rect a = l.rect(link.from), z = l.rect(link.to);
        const float gap = std::abs(z.x - a.right()), width = std::clamp(a.w * 0.008f, 1.2f * l.s, 3 * l.s);
        if (!l.is_seen(a) && !l.is_seen(z)) continue;
        const auto alpha = 1 - static_cast<float>(unfolded(l.in.camera.zoom));
        if (alpha <= 0) return;
        const float air = std::min(gap * 0.12f, 5 * l.s);
        const MapTile &from = l.in.map.tiles[static_cast<std::size_t>(link.from)],
                      &to = l.in.map.tiles[static_cast<std::size_t>(link.to)];
        if (from.row == to.row && to.col == from.col + 1) {
            if (gap < kLeastArrow * l.s) continue;
            arrow(l, {{a.right() + air, a.center().y}, {z.x - air, z.center().y}}, alpha, width);
        } else if (to.row > from.row && z.y - a.bottom() >= kLeastArrow * l.s) {
            const float y = a.bottom() + a.h * kLaneShare;
            arrow(l, {{a.center().x, a.bottom() + air}, {a.center().x, y}, {z.center().x, y}, {z.center().x, z.y - air}},
                  alpha, width);
        }
    }
}

}  // namespace
}  // namespace mapping

Rect matrix_in(const Scene& scene, attn::StepId step) {
    Rect whole{};
    for (const MatrixSprite& m : scene.matrices) {
        if (m.step != step) continue;
        const Rect r = m.grid.area();
        const float x = whole.empty() ? r.x : std::min(whole.x, r.x), y = whole.empty() ? r.y : std::min(whole.y, r.y);
        whole = {x, y, std::max(whole.empty() ? 0 : whole.right(), r.right()) - x,
                 std::max(whole.empty() ? 0 : whole.bottom(), r.bottom()) - y};
    }
    return whole;
}

void lay_out_map(const MapInput& in, Scene& scene) {
    scene.clear();
    scene.area = in.stage.area;
    scene.convention = in.stage.convention;
    if (in.map.tiles.empty() || in.stage.area.empty()) return;
    mapping::Layout l{in, {in.stage, scene}, in.stage.style.scale, camera_of(in.camera, in.stage.area)};
    l.b.afar = true;
    float most = 0;
    for (const MapTile& tile : in.map.tiles)
        for (const attn::StepId id : tile.weights)
            if (!is_gone_through(in.stage.trace[id].value) || in.stage.ranges.known(static_cast<std::size_t>(id))) most = std::max(most, l.b.colors(id).high);
    if (most > 0) l.most = most;
    mapping::links(l);
    for (int i = 0; i < static_cast<int>(in.map.tiles.size()); ++i) mapping::tile(l, i);
}

}  // namespace app
