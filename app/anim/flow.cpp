#include "app/anim/flow.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "app/anim/flow_parts.h"

namespace app {
namespace flow {
namespace {

constexpr float kTwoLines = 46;  ///< a matrix as high has room for a caption and a legend beside it
constexpr float kSmallestSymbol = 0.6f;
constexpr float kLeastCell = 3;  ///< smaller cells are a texture

void sprite(Layout& l, int i, int first_row, const Grid& grid) {
    const Box& box = l.box(i);
    MatrixSprite& m = l.b.matrix(l.node(i).step, grid);
    m.first_row = box.rows.first + first_row;
    m.alpha = l.strength(i);
    m.smallest = kLeastCell;
    m.pickable = m.alpha > 0.5f || !box.square;
    if (l.b.focused(l.node(i).step)) m.ring = *l.b.in.focus;
    if (!l.in.playing || l.node(i).stop != l.in.stage.pose.stop || box.spread) return;
    const attn::Cell from = l.b.focus_in(l.node(i).step);
    m.reveal = stage::reveal_of(stage::pace(l.in.stage.pose.progress), {from.step, from.row - box.rows.first, 0},
                                grid.rows, grid.cols);
    m.placeholders = true;
}

void matrix(Layout& l, int i) {
    const Box& box = l.box(i);
    if (!box.spread) return sprite(l, i, 0, box.grid);
    for (int r = 0; r < box.rows.count; ++r) {
        Grid strip = box.grid;
        strip.origin.y = box.row(r).y;
        sprite(l, i, r, strip);
    }
}

/// Whether one of the names is wider than its column; of long texts the rest is taken to be no wider.
bool crowded(const Layout& l, int i) {
    constexpr int kMeasured = 64;
    for (int r = 0; r < std::min(kMeasured, l.box(i).rows.count); ++r)
        if (l.b.in.measure(l.b.row_name(l.step(i), r), Type::BodyStrong) > l.box(i).pitch - 4 * l.b.style().scale)
            return true;
    return false;
}

/// Above the first matrices, slanted where they are wider than a column; below the last ones level or not at all.
void name_of_column(Layout& l, int i, int r, bool below, bool narrow) {
    const Box& box = l.box(i);
    const StageStyle& s = l.b.style();
    const bool on = r == l.lit.row_of(l.step(i));
    if (below && !on && narrow) return;
    const Rect column = l.b.turned(box.row(r));
    const Point at = below ? Point{column.center().x, column.bottom() + s.label * 1.4f}
                           : Point{column.center().x, column.y - 10 * s.scale};
    LabelSprite label{at,
                      l.b.row_name(l.step(i), r),
                      on ? Type::BodyStrong : Type::Body,
                      Hue::Ink,
                      Align::Center,
                      l.strength(i),
                      s.label_width};
    label.slanted = !below && narrow;
    if (label.slanted) label.align = Align::Left;
    l.b.scene.labels.push_back(std::move(label));
}

/// Names at the rows of the first matrices and of the last.
void names(Layout& l, int i, bool right) {
    const Box& box = l.box(i);
    const StageStyle& s = l.b.style();
    const int lit = l.lit.row_of(l.step(i));
    const int every = std::max(1, static_cast<int>(std::ceil(s.label * 1.25f / box.pitch)));
    const bool narrow = l.b.columns() && crowded(l, i);
    for (int r = 0; r < box.rows.count; ++r) {
        const bool on = r == lit;
        if (!on && (r % every != 0 || (lit >= 0 && std::abs(r - lit) < every))) continue;
        if (l.b.columns()) {
            name_of_column(l, i, r, right, narrow);
            continue;
        }
        const float x = right ? box.right() + 10 * s.scale : box.left() - 10 * s.scale;
        l.b.scene.labels.push_back({{x, box.row(r).center().y + s.label * 0.36f},
                                    l.b.row_name(l.step(i), r),
                                    on ? Type::BodyStrong : Type::Body,
                                    Hue::Ink,
                                    right ? Align::Left : Align::Right,
                                    l.strength(i) * (right && !on ? 0.6f : 1.0f),
                                    s.label_width});
    }
}

bool leaves(const Layout& l, int i) {
    return std::any_of(l.graph().edges.begin(), l.graph().edges.end(), [&](const FlowEdge& e) { return e.from == i; });
}

/// Room for what is said above or below a box: nearly half way to its neighbours. The first column's has its names'
/// too.
struct Room {
    float left = 0, width = 0;
};
Room room_around(const Layout& l, int i) {
    constexpr float kFurthest = 60, kShare = 0.45f;  // design pixels; of the way
    constexpr float kBeforeFirst = 22;               // design pixels that the picture's margin leaves to a name
    float before = 1e9f, after = 1e9f;
    for (int k = 0; k < l.count(); ++k) {
        if (l.node(k).column < l.node(i).column) before = std::min(before, l.box(i).left() - l.box(k).right());
        if (l.node(k).column > l.node(i).column) after = std::min(after, l.box(k).left() - l.box(i).right());
    }
    const float most = kFurthest * l.b.style().scale;
    const bool first = l.node(i).column == 0;
    const float beside = std::clamp(std::min(before, after) * kShare, 0.0f, most);
    const float left = std::max(l.box(i).left() - (first ? most : beside),
                                l.in.stage.area.x - kBeforeFirst * l.b.style().scale),
                right = l.box(i).right() + (first ? std::clamp(after * kShare, 0.0f, most) : beside);
    return {left, right - left};
}

/// Where steps follow each other closer than lines of text not each is named: the first that has room is.
bool has_room(Layout& l, Rect line) {
    for (const Rect& other : l.written)
        if (other.overlaps(line)) return false;
    l.written.push_back(line);
    return true;
}

void legend_below(Layout& l, int i, const CaptionSprite& c) {
    const StageStyle& s = l.b.style();
    const float w = c.room - 12 * s.scale;
    if (l.in.fan > 0.5) return;
    l.b.scene.legends.push_back(
        {{c.at.x - w / 2, c.at.y + 12 * s.scale, w, s.legend_h * 0.8f}, l.b.colors(l.node(i).step)});
}

/// With tokens as columns: left of a matrix its name, right of one on the card its symbol and its legend.
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
    c.at = {x + c.room / 2, area.center().y + (legend ? -6 * s.scale : s.label * 0.36f)};
    if (!box.square) c.title = l.hue(i) == Hue::Input ? Hue::Soft : l.hue(i);
    const float high = s.label * (box.square ? 2.4f : 1.6f);
    if (!has_room(l, {x, c.at.y - high * 0.7f, c.room, high})) return;
    if (legend) legend_below(l, i, c);
    l.b.scene.captions.push_back(c);
}

void said(Layout& l, int i) {
    if (l.b.columns()) return said_beside(l, i);
    const Box& box = l.box(i);
    const StageStyle& s = l.b.style();
    CaptionSprite c;
    c.step = l.node(i).step;
    c.rows = static_cast<int>(l.step(i).value.rows());
    c.cols = box.cols;
    c.alpha = l.strength(i);
    const Room room = room_around(l, i);
    c.room = room.width;
    c.smallest = kSmallestSymbol;
    if (box.square) {
        c.at = {box.grid.area().center().x, box.bottom() + 26 * s.scale};
        const float w = std::min(s.legend_w * 0.6f, room.width * 0.8f);
        if (l.in.fan <= 0.5)
            l.b.scene.legends.push_back(
                {{box.grid.area().center().x - w / 2, box.bottom() + 36 * s.scale, w, s.legend_h * 0.8f},
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
        if (l.node(i).column == 0) names(l, i, false);
        if (!leaves(l, i) && l.node(i).column == l.graph().columns - 1) names(l, i, true);
    }
}

namespace {

/// Turned over the diagonal: what was left is above. What is written has its place already.
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
    flow::place_boxes(l);
    flow::draw_edges(l);
    flow::draw_nodes(l);
    if (l.b.columns()) flow::turn(scene);
    scene.convention = in.stage.convention;
}

namespace {

/// A weight of one row, and where its number stands.
struct RowShare {
    attn::StepId step;
    int col;
    double weight;
};

/// Online softmax never holds its weights: they are the powers of all tiles against the last maximum, over their sum,
/// whatever tile is looked at.
std::vector<RowShare> shares_of_tiles(const attn::Trace& trace, attn::Tag tile, int row) {
    std::vector<RowShare> out;
    double most = -std::numeric_limits<double>::infinity(), sum = 0;
    for (attn::StepId id = 0; id < trace.size(); ++id) {
        const attn::Step& step = trace[id];
        tile.time = step.tag.time;
        if (step.op != attn::Op::ExpShift || step.tag != tile) continue;
        const attn::Matrix& scores = trace[step.inputs[0]].value.matrix();
        for (int col = 0; col < static_cast<int>(scores.cols()); ++col) {
            out.push_back({id, col, static_cast<double>(scores(row, col))});
            most = std::max(most, out.back().weight);
        }
    }
    for (RowShare& share : out) sum += share.weight = std::isinf(most) ? 0 : std::exp(share.weight - most);
    for (RowShare& share : out) share.weight = sum > 0 ? share.weight / sum : 0;
    return out;
}

std::vector<RowShare> shares_of_row(const attn::Trace& trace, attn::StepId id, int row) {
    const attn::Step& step = trace[id];
    if (step.op == attn::Op::ExpShift) return shares_of_tiles(trace, step.tag, row);
    std::vector<RowShare> out;
    for (int col = 0; col < static_cast<int>(step.value.cols()); ++col)
        out.push_back({id, col, static_cast<double>(step.value(row, col))});
    return out;
}

/// The token that the lit key is: what is cut into tiles begins further on.
int lit_key(const FlowInput& in, const flow::Lit& lit) {
    if (lit.key < 0) return -1;
    const attn::Step& step = in.stage.trace[in.stage.focus->step];
    return lit.key + (flow::of_tokens(step.cols) ? step.cols.first : step.rows.first);
}

}  // namespace

std::optional<FlowMessage> flow_message(const FlowInput& in) {
    const attn::Trace& trace = in.stage.trace;
    const flow::Lit lit = flow::lit_of(in);
    for (const FlowEdge& e : in.graph.edges) {
        if (e.kind != FlowKind::Mixed || e.product == attn::kNoStep) continue;
        const attn::StepId id = trace[e.product].inputs[0];
        const attn::Step& weights = trace[id];
        if (!flow::of_tokens(weights.rows) || !flow::of_tokens(weights.cols)) continue;
        const auto rows = static_cast<int>(weights.value.rows());
        const int row = lit.query < 0 ? rows - 1 : std::clamp(lit.query, 0, rows - 1);
        const std::vector<RowShare> shares = shares_of_row(trace, id, row);
        if (shares.empty()) continue;
        const auto largest = std::max_element(shares.begin(), shares.end(),
                                              [](const RowShare& a, const RowShare& b) { return a.weight < b.weight; });
        const int key = lit_key(in, lit);
        const RowShare& said = key >= 0 && key < std::ssize(shares) ? shares[static_cast<std::size_t>(key)] : *largest;
        return FlowMessage{{said.step, row, said.col},
                           in.stage.labels.of(weights.rows, row),
                           in.stage.labels.of(trace[said.step].cols, said.col),
                           static_cast<float>(said.weight),
                           largest->weight == 0};
    }
    return std::nullopt;
}

}  // namespace app
