// The connections between the matrices of a flow: one ribbon per token, in the colour of what it carries; a value's
// ribbon is as thick as its weight in the highlighted row.

#include <algorithm>
#include <array>
#include <cmath>

#include "app/layout/flow/parts.h"

namespace app::flow {
namespace {

constexpr float kLitAlpha = 0.46f, kAlpha = 0.15f;
constexpr float kMergeTotal = 46;      ///< design pixels: thickness of all values together
constexpr float kLeastMerge = 18;      ///< if there is hardly any room below the card
constexpr float kLeastFlowing = 1;     ///< design pixels: values in thinner bands do not travel
constexpr float kKeyBead = 10;         ///< design pixels: size of a key's numbers on its line
constexpr float kFewestPixels = 3.5f;  ///< rows lower than this are merged

/// The colour of a ribbon: into Q, K and V that of the projection, else that of its source.
Hue carried(const Layout& l, const FlowEdge& e) {
    const Hue from = l.hue(e.from);
    return from == Hue::Input ? l.hue(e.to) : from;
}

float alpha_of(const Layout& l, const FlowEdge& e, bool lit) {
    const float stacked = e.kind == FlowKind::Mixed ? l.stacked() : 1.0f;  // fanned-out heads have their own
    return (lit ? kLitAlpha : kAlpha) * std::min(l.strength(e.from), l.strength(e.to)) * stacked;
}

void ribbon(Layout& l, Rect from, Rect to, Hue hue, float alpha, bool behind = false) {
    l.b.scene.ribbons.push_back(
        {from.right(), from.y, from.bottom(), to.x, to.y, to.bottom(), hue, alpha, false, behind});
}

/// A row without the gap to its neighbours.
Rect inner(Rect row, float share) { return row.inset(0, row.h * (1 - share) / 2); }

/// A thin ribbon that climbs far in a narrow gap would break into dashes, so it is replaced by a line.
bool is_steep(Rect from, Rect to) {
    return std::abs(to.center().y - from.center().y) > 4 * std::max(1.0f, to.x - from.right());
}

std::vector<Point> stepped(const Layout& l, Rect from, Rect to) {
    const float middle = (from.right() + to.x) / 2;
    const std::array<Point, 4> corners{
        {{from.right(), from.center().y}, {middle, from.center().y}, {middle, to.center().y}, {to.x, to.center().y}}};
    return rounded(corners, 10 * l.b.style().scale);
}

/// A row of numbers in cells slides over unchanged, so that the numbers stay readable.
void slide(Layout& l, const FlowEdge& e, int r) {
    if (!l.in_the_making(e.to)) return;
    constexpr double kArrives = 0.5;
    const Box &from = l.box(e.from), &to = l.box(e.to);
    const double way = phase(l.made(e.to), 0.04, kArrives);
    if (way <= 0 || way >= 1) return;
    const auto moved = static_cast<float>(ease(way)), fade = static_cast<float>(1 - phase(way, 0.86, 1));
    const ColorScale colors = l.b.colors(l.node(e.from).step);
    constexpr int kMost = 40;  // more are too small to follow
    for (int c = 0; c < std::min({from.cols, to.cols, kMost}); ++c) {
        if (from.col_slot(c).is_band()) continue;
        const attn::Cell cell{l.node(e.from).step, from.slot(r).first, from.col_slot(c).first};
        CellSprite number{cell, stage::between(from.grid.at(r, c), to.grid.at(r, c), moved), colors,
                          fade * l.stacked()};
        number.hatched = !std::isfinite(l.b.value(cell));
        l.b.scene.cells.push_back(number);
    }
}

void rows_together(Layout& l, const FlowEdge& e) {
    const Box &from = l.box(e.from), &to = l.box(e.to);
    ribbon(l, {from.left(), from.top(), from.width(), from.height()}, {to.left(), to.top(), to.width(), to.height()},
           carried(l, e), alpha_of(l, e, false));
}

void rows(Layout& l, const FlowEdge& e) {
    const Box &from = l.box(e.from), &to = l.box(e.to);
    const bool thin = l.box(e.from).square;  // what leaves the weights is one number's share, not the row itself
    const bool pressed = std::min(from.pitch, to.pitch) < kFewestPixels * l.b.style().scale;
    const int lit = l.lit_row(e.to);
    if (l.tower && thin && to.square) {
        draw_down(l, e, carried(l, e), alpha_of(l, e, true) * 0.5f);
        return slide(l, e, 0);
    }
    if (pressed) rows_together(l, e);
    for (int z = 0; z < to.rows.count; ++z) {
        const bool on = z == lit;
        // The row of the same token; if neither is folded, the one at the same position.
        const int a = from.folded || to.folded ? from.row_with(to.slot(z).first) : z + e.first_row;
        if (a < 0 || a >= from.rows.count || (pressed && !on)) continue;
        const float leave = thin ? (on ? 0.2f : 0.14f)
                            : on ? 0.86f
                                 : 0.78f,
                    arrive = thin ? (on ? 0.3f : 0.2f)
                             : on ? 0.86f
                                  : 0.78f;
        const Rect at = inner(from.row(a), leave), end = inner(to.row(z), arrive);
        if (thin && is_steep(at, end))
            l.b.path(stepped(l, at, end), carried(l, e), (on ? 3 : 1.5f) * l.b.style().scale, alpha_of(l, e, on));
        else
            ribbon(l, at, end, carried(l, e), alpha_of(l, e, on));
        if (thin && l.box(e.to).square) {
            if (on) slide(l, e, a);
        } else if (on || !thin) {
            travel(l, e.from, e.to, a, on, {{{at, end}}});
        }
    }
}

/// Keys run to the right and come down onto their columns; those that start below the columns' tops climb first.
void columns(Layout& l, const FlowEdge& e) {
    const Box &from = l.box(e.from), &to = l.box(e.to);
    const float s = l.b.style().scale;
    const int before = from.folded ? 0 : e.first_row;  // rows of it that are not read here
    const int lit = l.lit.key < 0 ? -1 : from.row_with(l.lit.key) - before;
    const int count = std::min(from.rows.count - before, to.cols);
    const float least = to.grid.pitch_x();
    const int every = least < 4 * s ? static_cast<int>(std::ceil(4 * s / std::max(0.1f, least))) : 1;
    for (int j = 0; j < count; ++j) {
        if (j != lit && j % every != 0) continue;
        const float y = from.row(before + j).center().y, x = to.grid.col(j).center().x, top = to.top() - 4 * s;
        const float width = std::min(5 * s, std::max(1.2f * s, std::min(from.pitch, least) * 0.16f));
        const float radius = 18 * s;
        std::vector<Point> corners{{from.right() + 4 * s, y}};
        if (y < top - 8 * s) {
            corners.push_back({x, y});
        } else {
            const float order = static_cast<float>(count - 1 - j) / static_cast<float>(std::max(1, count));
            const float lane = std::max(l.card.y + 12 * s, top - 40 * s) + order * 24 * s;
            const float bus = to.left() - 16 * s - static_cast<float>(j) / static_cast<float>(count) * 10 * s;
            corners.push_back({bus, y});
            corners.push_back({bus, lane});
            corners.push_back({x, lane});
        }
        corners.push_back({x, top});
        const std::vector<Point> line = rounded(corners, radius);
        l.b.path(line, carried(l, e), j == lit ? width * 1.4f : width, alpha_of(l, e, j == lit) * 1.5f);
        travel(l, e.from, e.to, before + j, j == lit, {{}, line, kKeyBead * s});
    }
}

/// Every value flows, as thick as its weight, into one band, and the band into the row that it makes.
void mixed(Layout& l, const FlowEdge& e) {
    const Box &from = l.box(e.from), &to = l.box(e.to);
    const float s = l.b.style().scale;
    const attn::Step& product = l.b.step(e.product);
    const attn::Matrix& weights = l.b.step(product.inputs[0]).value;
    if (weights.rows() == 0 || weights.cols() != l.step(e.from).value.rows()) return;
    int query = l.lit.query;
    if (to.folded && to.rows.count == 1) query = to.slot(0).first;
    if (query < 0) query = l.in.query >= 0 ? l.in.query : l.graph().query;
    query = query < 0 ? static_cast<int>(weights.rows()) - 1 : std::min(query, static_cast<int>(weights.rows()) - 1);
    const int row = std::clamp(to.row_with(query), 0, to.rows.count - 1);
    float sum = 0;
    for (Eigen::Index j = 0; j < weights.cols(); ++j) sum += std::max(0.0f, weights(query, j));
    if (!(sum > 0) || !std::isfinite(sum)) return;
    const float under_card = l.card.empty() ? -1e9f : l.card.bottom() + 8 * s;
    const float thick = std::clamp(l.area.bottom() - under_card, kLeastMerge * s, kMergeTotal * s),
                span = to.left() - from.right();
    const float merge = to.left() - std::min(span * 0.25f, 60 * s);
    // Below the card there is the most room; without a card, at the values' own height.
    const float base = std::min(std::max(from.middle(), under_card + thick / 2), l.area.bottom() - thick / 2);
    // Under the card they are already bundled, and emerge again after it.
    const bool under = !l.card.empty() && l.card.x > from.right() && l.card.x < merge;
    const float dive = under ? std::min(l.card.x + l.card.w * 0.3f, merge) : merge;
    float y = base - thick / 2;
    // In a long text, neighbours are merged into one band as thick as all their weights.
    const int together = std::max(1, static_cast<int>(std::ceil(kFewestPixels * s / std::max(from.pitch, 0.01f))));
    for (int j = 0; j < from.rows.count; j += together) {
        const int last = std::min(j + together, from.rows.count) - 1;
        float share = 0;
        const int first_token = from.slot(j).first - from.rows.first,
                  last_token = from.slot(last).last - from.rows.first;
        for (int k = first_token; k <= last_token; ++k) share += std::max(0.0f, weights(query, k)) / sum;
        const float high = thick * share;
        const bool strong =
            share * static_cast<float>(weights.cols()) > static_cast<float>(last_token - first_token + 1);
        const float alpha = alpha_of(l, e, strong) * (strong ? 1.3f : 1.4f);
        const Rect own = inner(from.row(j), 0.78f), end = inner(from.row(last), 0.78f);
        const Rect whole{own.x, own.y, own.w, end.bottom() - own.y}, thin{dive, y, 0, high}, last_of{merge, y, 0, high};
        ribbon(l, whole, thin, carried(l, e), alpha, true);
        if (dive < merge) ribbon(l, thin, last_of, carried(l, e), alpha, true);
        // Each value is as thick as its weight; with hardly any weight it is not drawn on its way.
        if (together == 1 && high >= kLeastFlowing * s && !from.slot(j).is_band())
            travel(l, e.from, e.to, j, true, {{{whole, thin}, {thin, last_of}, {last_of, inner(to.row(row), 0.86f)}}});
        y += high;
    }
    const Rect band{merge, base - thick / 2, 0, thick};
    ribbon(l, band, inner(to.row(row), 0.86f), carried(l, e), alpha_of(l, e, true), true);
}

/// Around what is in between: along the top, and down again.
void around(Layout& l, const FlowEdge& e) {
    const Box &from = l.box(e.from), &to = l.box(e.to);
    const float s = l.b.style().scale;
    float roof = std::min(from.top(), to.top());
    for (int i = 0; i < l.count(); ++i)
        if (l.column(i) > l.column(e.from) && l.column(i) < l.column(e.to)) roof = std::min(roof, l.box(i).top());
    if (!l.card.empty() && l.card.x < to.left() && l.card.right() > from.right()) roof = std::min(roof, l.card.y);
    const float lane = std::max(l.area.y + 4 * s, roof - 34 * s);
    const float leaves = block_rect(l, e.from).right(), arrives = block_rect(l, e.to).x;
    const float out = leaves + 12 * s, down = arrives - 12 * s;
    const std::array<Point, 6> corners{{{leaves, from.middle()},
                                        {out, from.middle()},
                                        {out, lane},
                                        {down, lane},
                                        {down, to.middle()},
                                        {arrives, to.middle()}}};
    l.b.path(rounded(corners, 16 * s), carried(l, e), 5 * s, 0.3f * std::min(l.strength(e.from), l.strength(e.to)));
}

bool adjacent(const Layout& l, const FlowEdge& e) { return l.column(e.to) == l.column(e.from) + 1; }

/// Whether a box is in the straight line of an edge.
bool blocked(const Layout& l, const FlowEdge& e) {
    const Box &from = l.box(e.from), &to = l.box(e.to);
    const float low = std::min(from.top(), to.top()), high = std::max(from.bottom(), to.bottom());
    for (int i = 0; i < l.count(); ++i) {
        const int c = l.column(i);
        if (c <= l.column(e.from) || c >= l.column(e.to)) continue;
        if (l.box(i).top() < high && l.box(i).bottom() > low) return true;
    }
    return false;
}

}  // namespace

std::vector<Point> rounded(std::span<const Point> corners, float radius) {
    constexpr int kArc = 6;
    std::vector<Point> out{corners.front()};
    for (std::size_t i = 1; i + 1 < corners.size(); ++i) {
        const Point a = corners[i - 1], c = corners[i], z = corners[i + 1];
        const auto towards = [&](Point to) {
            const float length = std::max(1e-3f, std::hypot(to.x - c.x, to.y - c.y));
            return between(c, to, std::min(0.5f, radius / length));
        };
        const Point from = towards(a), to = towards(z);
        for (int k = 0; k <= kArc; ++k) {
            const float t = static_cast<float>(k) / kArc;
            out.push_back(between(between(from, c, t), between(c, to, t), t));
        }
    }
    out.push_back(corners.back());
    return out;
}

bool goes_around(const Layout& l, const FlowEdge& e) { return e.kind == FlowKind::Rows && !adjacent(l, e) && blocked(l, e); }

int Lit::row_of(const attn::Step& step) const {
    const Hue hue = hue_of(step.tag);
    return hue == Hue::Key || hue == Hue::Value ? key : query;
}

Lit lit_of(const FlowInput& in) {
    if (!in.stage.focus || in.stage.focus->step == attn::kNoStep) return {};
    const attn::Cell cell = *in.stage.focus;
    const attn::Step& step = in.stage.trace[cell.step];
    Lit lit;
    const Hue hue = hue_of(step.tag);
    const bool keys = hue == Hue::Key || hue == Hue::Value;
    if (of_tokens(step.rows)) (keys ? lit.key : lit.query) = cell.row;
    if (of_tokens(step.cols)) lit.key = cell.col;
    return lit;
}

void draw_edges(Layout& l) {
    for (const FlowEdge& e : l.graph().edges) {
        switch (e.kind) {
            case FlowKind::Columns:
                columns(l, e);
                break;
            case FlowKind::Mixed:
                mixed(l, e);
                break;
            case FlowKind::Rows:
                if (goes_around(l, e))
                    around(l, e);
                else
                    rows(l, e);
                break;
        }
    }
}

}  // namespace app::flow
