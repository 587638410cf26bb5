#include "app/layout/flow/flow.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/layout/flow/parts.h"

namespace app {
namespace flow {
namespace {

constexpr float kTwoLines = 46;  ///< a matrix of this height has room for a caption and a legend next to it
constexpr float kSmallestSymbol = 0.6f;
constexpr float kBandHigh = 0.62f, kBandAlpha = 0.55f;  ///< of a row that is a band of several tokens
constexpr float kLeastCell = 3;                         ///< smaller cells are drawn as a texture

/// A pale area in place of a matrix whose cells have not been computed yet. Under cells that are 0 it still shows the
/// extent of a matrix of features.
void ghost(Layout& l, int i, const Grid& grid) {
    constexpr float kPlace = 0.1f, kUnder = 0.05f;
    const bool there = l.made(i) >= 1;
    if (there && l.box(i).square) return;
    const float alpha = (there ? kUnder : kPlace) * (l.box(i).square ? l.stacked() : 1.0f);
    l.b.scene.bands.push_back({grid.area(), l.hue(i), alpha, std::min(6 * l.b.style().scale, grid.cell * 0.3f)});
}

/// The part of a box that is already there, in its rows and columns.
Reveal reveal_in(const Layout& l, int i) {
    const Box& box = l.box(i);
    if (!l.in_the_making(i)) return {};
    const attn::Cell from = l.b.focus_in(l.node(i).step);
    return stage::reveal_of(stage::pace(l.made(i)), {from.step, std::max(0, box.row_with(from.row)), 0}, box.rows.count,
                            box.cols);
}

MatrixSprite& sprite(Layout& l, int i, const Grid& grid, int first_row, int first_col) {
    MatrixSprite& m = l.b.matrix(l.node(i).step, grid);
    m.first_row = first_row;
    m.first_col = first_col;
    m.alpha = l.box(i).square ? l.stacked() : 1;
    m.smallest = kLeastCell;
    m.pickable = m.alpha > 0.5f || !l.box(i).square;
    if (l.b.focused(l.node(i).step)) m.ring = *l.b.in.focus;
    return m;
}

/// One row by itself: a token's, or a band of several tokens compressed into one.
void strip(Layout& l, int i, int r, const Reveal& reveal) {
    const Box& box = l.box(i);
    const FlowSlot slot = box.slot(r);
    Grid grid = box.grid;
    grid.origin.y = box.row(r).y;
    grid.rows = slot.last - slot.first + 1;
    if (box.spread && !slot.is_band()) ghost(l, i, grid);
    if (l.waits(i)) return;
    if (slot.is_band()) {
        if (!reveal.shows(r, 0, box.rows.count, box.cols)) return;
        const float high = box.row(r).h * kBandHigh, wide = grid.pitch_x();
        grid.origin.y += (box.row(r).h - high) / 2;
        grid.cell = high / static_cast<float>(grid.rows);
        grid.narrow = wide / grid.cell;
        grid.gap = 0;
        MatrixSprite& m = sprite(l, i, grid, slot.first, 0);
        m.alpha *= kBandAlpha;
        m.smallest = 1e6f;  // one texture
        return;
    }
    MatrixSprite& m = sprite(l, i, grid, slot.first, 0);
    m.reveal.first_col = reveal.first_col;
    m.reveal.rows = reveal.rows;
    m.reveal.cells = r == reveal.first_row ? reveal.cells : reveal.shows(r, 0, box.rows.count, box.cols) ? 1e9f : 0;
}

/// Scores and weights of a long text: one number per slot that is a single token.
void single_cells(Layout& l, int i, const Reveal& reveal) {
    const Box& box = l.box(i);
    ghost(l, i, box.grid);
    if (l.waits(i)) return;
    for (int r = 0; r < box.rows.count; ++r)
        for (int c = 0; c < box.cols; ++c) {
            const FlowSlot row = box.slot(r), col = box.col_slot(c);
            if (row.is_band() || col.is_band() || !reveal.shows(r, c, box.rows.count, box.cols)) continue;
            Grid grid = box.grid;
            grid.rows = grid.cols = 1;
            grid.origin = {box.grid.origin.x + box.grid.pitch_x() * static_cast<float>(c),
                           box.grid.origin.y + box.grid.cell * static_cast<float>(r)};
            sprite(l, i, grid, row.first, col.first);
        }
}

void whole(Layout& l, int i, const Reveal& reveal) {
    const Box& box = l.box(i);
    ghost(l, i, box.grid);
    if (!l.waits(i)) sprite(l, i, box.grid, box.rows.first, 0).reveal = reveal;
}

void matrix(Layout& l, int i) {
    const Box& box = l.box(i);
    const Reveal reveal = reveal_in(l, i);
    if (box.folded_cols) {
        single_cells(l, i, reveal);
        return draw_bands(l, i);
    }
    if (!box.spread && !box.folded) return whole(l, i, reveal);
    if (!box.spread) ghost(l, i, box.grid);
    for (int r = 0; r < box.rows.count; ++r) strip(l, i, r, reveal);
}

/// Whether a name is wider than its column; the others of long texts are assumed to be no wider.
bool crowded(const Layout& l, int i) {
    constexpr int kMeasured = 64;
    for (int r = 0; r < std::min(kMeasured, l.box(i).rows.count); ++r)
        if (l.b.in.measure(l.name_of(i, r), Type::BodyStrong) > l.box(i).pitch - 4 * l.b.style().scale) return true;
    return false;
}

/// Above the first matrices, slanted if they are wider than a column; below the last ones horizontal or left out.
void name_of_column(Layout& l, int i, int r, bool below, bool narrow) {
    const Box& box = l.box(i);
    const StageStyle& s = l.b.style();
    const bool on = r == l.lit_row(i);
    if (below && !on && narrow) return;
    const Rect column = l.b.turned(box.row(r));
    const Point at = below ? Point{column.center().x, column.bottom() + s.label * 1.4f}
                           : Point{column.center().x, column.y - 10 * s.scale};
    LabelSprite label{
        at, l.name_of(i, r), on ? Type::BodyStrong : Type::Body, Hue::Ink, Align::Center, l.strength(i), s.label_width};
    label.slanted = !below && narrow;
    if (label.slanted) label.align = Align::Left;
    l.b.scene.labels.push_back(std::move(label));
}

/// Names at the rows of the first and of the last matrices.
void names(Layout& l, int i, bool right) {
    const Box& box = l.box(i);
    const StageStyle& s = l.b.style();
    const int lit = l.lit_row(i);
    const int every = std::max(1, static_cast<int>(std::ceil(s.label * 1.25f / box.pitch)));
    const bool narrow = l.b.columns() && crowded(l, i);
    for (int r = 0; r < box.rows.count; ++r) {
        const bool on = r == lit, band = l.box(i).slot(r).is_band();
        if (!on && (r % every != 0 || (lit >= 0 && std::abs(r - lit) < every))) continue;
        if (l.b.columns()) {
            name_of_column(l, i, r, right, narrow);
            continue;
        }
        const float x = right ? block_rect(l, i).right() + 10 * s.scale : box.left() - 10 * s.scale;
        if (right && x + s.label > l.in.stage.area.right()) continue;  // the same names are on the left
        l.b.scene.labels.push_back({{x, box.row(r).center().y + s.label * 0.36f},
                                    l.name_of(i, r),
                                    on     ? Type::BodyStrong
                                    : band ? Type::Small
                                           : Type::Body,
                                    band ? Hue::Soft : Hue::Ink,
                                    right ? Align::Left : Align::Right,
                                    l.strength(i) * (right && !on ? 0.6f : 1.0f),
                                    right ? std::min(s.label_width, l.in.stage.area.right() - x) : s.label_width});
    }
}

/// Above the columns of a matrix without keys as inputs: horizontal, or slanted if they are wider than a column.
void names_of_keys(Layout& l, int i) {
    const Box& box = l.box(i);
    const StageStyle& s = l.b.style();
    const int lit = l.lit.key < 0 ? -1 : box.col_with(l.lit.key);
    const float pitch = box.grid.pitch_x();
    bool narrow = false;
    constexpr int kMeasured = 64;
    for (int c = 0; c < std::min(kMeasured, box.cols); ++c)
        narrow = narrow || l.b.in.measure(l.name_of_key(i, c), Type::BodyStrong) > pitch - 4 * s.scale;
    narrow = narrow && !l.b.columns();
    const float least = l.b.columns() ? s.label * 1.25f : narrow ? s.label * 0.95f / kSlantedRise : 0;
    const int every = std::max(1, static_cast<int>(std::ceil(least / std::max(0.1f, pitch))));
    for (int c = 0; c < box.cols; ++c) {
        const bool on = c == lit;
        if (!on && (c % every != 0 || (lit >= 0 && std::abs(c - lit) < every))) continue;
        const float middle = box.grid.col(c).center().x, edge = box.top() - 9 * s.scale;
        LabelSprite name{l.b.columns() ? Point{edge, middle + s.label * 0.36f} : Point{middle, edge},
                         l.name_of_key(i, c), on ? Type::BodyStrong : Type::Body, Hue::Ink,
                         l.b.columns() ? Align::Right : narrow ? Align::Left : Align::Center, l.strength(i), s.label_width};
        name.slanted = narrow;
        l.b.scene.labels.push_back(std::move(name));
    }
}

bool leaves(const Layout& l, int i) {
    return std::any_of(l.graph().edges.begin(), l.graph().edges.end(), [&](const FlowEdge& e) { return e.from == i; });
}

/// The room for text above or below a box: nearly half the way to its neighbours; for the first column also that of its
/// names.
struct Room {
    float left = 0, width = 0;
};
Room room_around(const Layout& l, int i) {
    constexpr float kFurthest = 60, kShare = 0.45f;  // design pixels; share of the way
    constexpr float kBeforeFirst = 22;               // design pixels of the picture's margin that a name may use
    float before = 1e9f, after = 1e9f;
    for (int k = 0; k < l.count(); ++k) {
        if (l.column(k) < l.column(i)) before = std::min(before, l.box(i).left() - l.box(k).right());
        if (l.column(k) > l.column(i)) after = std::min(after, l.box(k).left() - l.box(i).right());
    }
    const float most = kFurthest * l.b.style().scale;
    const bool first = l.column(i) == 0;
    const float beside = std::clamp(std::min(before, after) * kShare, 0.0f, most);
    float left = std::max(l.box(i).left() - (first ? most : beside), l.in.stage.area.x - kBeforeFirst * l.b.style().scale),
          right = l.box(i).right() + (first ? std::clamp(after * kShare, 0.0f, most) : beside);
    // An edge along the top climbs next to the boxes of its start, and comes down next to those of its end.
    const float air = 8 * l.b.style().scale, title = l.box(i).top();
    for (const FlowEdge& e : l.graph().edges) {
        if (l.box(i).square || !goes_around(l, e)) continue;
        if (l.column(e.from) == l.column(i) && l.box(e.from).middle() > title) right = std::min(right, l.box(i).right() + air);
        if (l.column(e.to) == l.column(i) && l.box(e.to).middle() > title) left = std::max(left, l.box(i).left() - air);
    }
    return {left, right - left};
}

/// Claims the room for a text unless it overlaps another one: where steps are too close together, not all are named.
bool has_room(Layout& l, Rect line) {
    for (const Rect& other : l.written)
        if (other.overlaps(line)) return false;
    l.written.push_back(line);
    return true;
}

void legend_below(Layout& l, int i, const CaptionSprite& c) {
    const StageStyle& s = l.b.style();
    const float w = c.room - 12 * s.scale;
    if (l.in.fan > 0.5 || l.waits(i)) return;
    l.b.scene.legends.push_back(
        {{c.at.x - w / 2, c.at.y + 12 * s.scale, w, s.legend_h * 0.8f}, l.b.colors(l.node(i).step)});
}

/// Where tokens are columns: a matrix's name left of it; on the card, also its symbol and legend right of it.
void said_beside(Layout& l, int i) {
    const StageStyle& s = l.b.style();
    const Box& box = l.box(i);
    const Rect area = l.b.turned(Rect{box.left(), box.top(), box.width(), box.height()});
    const bool legend = box.square && area.h >= kTwoLines * s.scale;
    CaptionSprite c;
    c.step = l.node(i).step;
    c.rows = static_cast<int>(l.step(i).value.cols());
    c.cols = static_cast<int>(l.step(i).value.rows());
    c.alpha = l.strength(i);
    c.room = box.square ? l.after() - 22 * s.scale : l.before() - 16 * s.scale;
    const float x = box.square ? area.right() + 12 * s.scale : area.x - 8 * s.scale - c.room;
    c.room = std::min(c.room, l.in.stage.area.right() - 12 * s.scale - x);
    c.at = {x + c.room / 2, area.center().y + (legend ? -6 * s.scale : s.label * 0.36f)};
    if (!box.square) c.title = l.hue(i) == Hue::Input ? Hue::Soft : l.hue(i);
    const float high = s.label * (box.square ? 2.4f : 1.6f);
    if (!has_room(l, {x, c.at.y - high * 0.7f, c.room, high})) return;
    if (legend) legend_below(l, i, c);
    l.b.scene.captions.push_back(c);
}

void said(Layout& l, int i) {
    if (l.is_shut(i)) return draw_block(l, i);
    if (l.b.columns()) return said_beside(l, i);
    const Box& box = l.box(i);
    const StageStyle& s = l.b.style();
    CaptionSprite c;
    c.step = l.node(i).step;
    c.rows = static_cast<int>(l.step(i).value.rows());
    c.cols = static_cast<int>(l.step(i).value.cols());
    c.alpha = l.strength(i);
    const Room room = room_around(l, i);
    c.room = room.width;
    c.smallest = kSmallestSymbol;
    // Matrices that are too close together have no symbols, because these would overlap.
    constexpr float kLeastSymbol = 34;  // design pixels
    const bool close = box.square && room.width < kLeastSymbol * s.scale;
    if (close) return l.tower ? draw_places(l, i) : void();
    if (box.square) {
        const float down = l.tower ? 12 * s.scale : 0;  // below the positions of its tokens
        if (l.tower) draw_places(l, i);
        c.at = {box.grid.area().center().x, box.bottom() + down + 26 * s.scale};
        const float w = std::min(s.legend_w * 0.6f, room.width * 0.8f);
        if (l.in.fan <= 0.5 && !l.waits(i))
            l.b.scene.legends.push_back(
                {{box.grid.area().center().x - w / 2, box.bottom() + down + 36 * s.scale, w, s.legend_h * 0.8f},
                 l.b.colors(c.step)});
    } else {
        c.at = {room.left + room.width / 2, box.top() - 12 * s.scale};
        c.title = l.hue(i) == Hue::Input ? Hue::Soft : l.hue(i);
    }
    l.b.scene.captions.push_back(c);
}

}  // namespace

void draw_nodes(Layout& l) {
    draw_card(l);
    for (int i = 0; i < l.count(); ++i) {
        matrix(l, i);
        frame_of_head(l, i);
        if (l.strength(i) > 0) said(l, i);
        if (!of_tokens(l.step(i).rows)) continue;
        if (l.column(i) == 0) names(l, i, false);
        if (l.box(i).given) names_of_keys(l, i);
        else if (!leaves(l, i) && l.column(i) == l.column_count - 1) names(l, i, true);
    }
}

namespace {

/// Mirrors the scene's shapes along the diagonal: left becomes above. Text is already in place.
void turn(Scene& scene) {
    const auto over = [](Rect r) { return Rect{r.y, r.x, r.h, r.w}; };
    for (CardSprite& card : scene.cards) card.rect = over(card.rect);
    for (BandSprite& band : scene.bands) band.rect = over(band.rect);
    for (BandSprite& bar : scene.bars) bar.rect = over(bar.rect);
    for (RibbonSprite& ribbon : scene.ribbons) ribbon.down = !ribbon.down;
    for (PathSprite& path : scene.paths)
        for (Point& p : path.points) p = {p.y, p.x};
    for (MatrixSprite& m : scene.matrices) {
        Grid& g = m.grid;
        g.origin = {g.origin.y, g.origin.x};
        g.cell *= g.narrow;
        g.narrow = 1 / g.narrow;
        g.transposed = true;
    }
    for (CellSprite& cell : scene.cells) cell.rect = over(cell.rect);
}

}  // namespace
}  // namespace flow

void lay_out_flow(const FlowInput& in, Scene& scene) {
    scene.clear();
    scene.area = in.stage.area;
    if (in.graph.nodes.empty() || in.stage.area.empty()) return;
    flow::Layout l{in, {in.stage, scene}};
    l.area = l.b.turned(in.stage.area);
    l.lit = flow::lit_of(in);
    if (!in.playing) flow::light_what_is_said(in, l.lit);
    scene.convention = in.stage.convention;
    if (flow::lay_out_word(l)) return;
    flow::place_boxes(l);
    flow::draw_edges(l);
    flow::draw_nodes(l);
    if (l.b.columns()) flow::turn(scene);
}

}  // namespace app
