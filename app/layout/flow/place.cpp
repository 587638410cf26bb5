// The layout of a flow's matrices: one column for each step of the way, keys above queries above values, the square
// ones on a card.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/layout/flow/parts.h"

namespace app::flow {
namespace {

// Design pixels.
constexpr float kRow = 26, kCell = 14, kSquare = 40;  ///< maximum sizes
constexpr float kSquareAlone = 64;                    ///< if there is nothing else in the picture
constexpr float kLeast = 1.5f;
constexpr std::size_t kManyColumns = 8;                   ///< more are placed closer together
constexpr float kMostGaps = 0.55f;                        ///< of the available width
constexpr float kNarrow = 1100, kMostGapsNarrow = 0.34f;  ///< for a long chain in a narrower window
constexpr float kLeastGap = 26, kMostShare = 64;
/// Room in which ribbons of single tokens fan out, and room for those onto and off the card.
constexpr float kFanGap = 104, kCardGap = 40;
constexpr float kCardPad = 30;
constexpr float kTowerShare = 0.84f;  ///< share of the height for scores and weights below each other
constexpr float kTowerGap = 4;        ///< between the caption of one and the next
constexpr float kUnderTower = 64;     ///< for the values, which flow on below
constexpr float kUnderCard = 36;      ///< for the same below a card that is low in the picture
constexpr int kSpreadAtMost = 14, kSpreadFolded = 18;
constexpr float kStrip = 20, kSpreadPitch = 104;
constexpr float kFeatures = 150;  ///< maximum width of a matrix of features

int order_of(Hue hue) {
    switch (hue) {
        case Hue::Key:
            return 0;
        case Hue::Query:
            return 1;
        case Hue::Value:
            return 3;
        default:
            return 2;
    }
}

/// The nodes of a column, from the top.
std::vector<int> column_of(const Layout& l, int column) {
    std::vector<int> out;
    for (int i = 0; i < l.count(); ++i)
        if (l.column(i) == column) out.push_back(i);
    // What is mixed is at the bottom, like values: its ribbon runs under the card.
    const auto order = [&](int i) {
        const bool mixed = std::any_of(l.graph().edges.begin(), l.graph().edges.end(),
                                       [&](const FlowEdge& e) { return e.from == i && e.kind == FlowKind::Mixed; });
        return mixed && l.hue(i) != Hue::Input ? order_of(Hue::Value) : order_of(l.hue(i));
    };
    std::stable_sort(out.begin(), out.end(), [&](int a, int z) { return order(a) < order(z); });
    return out;
}

bool enters(const Layout& l, int i) {
    return std::none_of(l.graph().edges.begin(), l.graph().edges.end(), [&](const FlowEdge& e) { return e.to == i; });
}

void shape(Layout& l, int i) {
    const attn::Step& step = l.step(i);
    Box& box = l.box(i);
    box.rows = l.b.rows_of(l.node(i).step);
    box.cols = static_cast<int>(step.value.cols());
    box.square = hue_of(step.tag) == Hue::Score && of_tokens(step.cols) && step.tag.role != attn::Role::Logits;
}

/// A square matrix in a column with others is treated like them, because its legend would be where the next one has its
/// name.
void square_alone(Layout& l) {
    std::vector<bool> others(static_cast<std::size_t>(l.column_count), false);
    for (int i = 0; i < l.count(); ++i)
        if (!l.box(i).square) others[static_cast<std::size_t>(l.column(i))] = true;
    for (int i = 0; i < l.count(); ++i)
        if (others[static_cast<std::size_t>(l.column(i))]) l.box(i).square = false;
}

struct Sizes {
    float row = 0, cell = 0, square = 0;
    float features = 0;  ///< maximum width of a matrix of features
};

/// As high as the fullest column allows.
Sizes heights(const Layout& l) {
    const float s = l.b.style().scale, room = l.area.h;
    Sizes z{kRow * s, kCell * s, (l.column_count > 1 ? kSquare : kSquareAlone) * s, kFeatures * s};
    for (int c = 0; c < l.column_count; ++c) {
        float rows = 0, titles = 0, squares = 0, around_given = 0;
        for (const int i : column_of(l, c)) {
            const Box& box = l.box(i);
            (box.square ? squares : rows) += static_cast<float>(box.rows.count);
            titles += l.before() + 10 * s;
            if (box.given) around_given += l.over_given(i) + l.after();
        }
        if (rows > 0) z.row = std::min(z.row, std::max(kLeast, (room - titles) / rows));
        if (squares > 0 && l.tower) {
            z.square = std::min(z.square,
                                std::max(kLeast, (room * kTowerShare - squares * (l.before() + l.after())) / squares));
            continue;
        }
        if (around_given > 0) {
            z.square = std::min(z.square, std::max(kLeast, (room - around_given) / squares));
            continue;
        }
        // The keys come down above the scores.
        if (squares > 0) z.square = std::min(z.square, std::max(kLeast, (room * 0.68f - titles - l.after()) / squares));
    }
    z.cell = std::min(z.cell, z.row);
    return z;
}

float width_of(const Layout& l, int i, const Sizes& z) {
    const Box& box = l.box(i);
    const auto cols = static_cast<float>(box.cols);
    return box.square ? cols * z.square : std::min(cols * z.cell, z.features);
}

/// The minimum width of a column with a named box: that of the name.
float least_width(const Layout& l, int column) {
    float w = 0;
    for (int i = 0; i < l.count(); ++i)
        if (l.column(i) == column && l.is_shut(i) && !l.b.columns())
            w = std::max(w, l.title_room(i) + 16 * l.b.style().scale);
    return w;
}

std::vector<float> widths(const Layout& l, const Sizes& z) {
    std::vector<float> out(static_cast<std::size_t>(l.column_count), 0);
    for (int i = 0; i < l.count(); ++i) {
        float& w = out[static_cast<std::size_t>(l.column(i))];
        w = std::max(w, width_of(l, i, z) + (l.is_shut(i) ? 16 * l.b.style().scale : 0));  // for its frame
        w = std::max(w, least_width(l, l.column(i)));
    }
    return out;
}

/// Shrinks columns until they fit into `room`: the square ones first, as long as they take the larger part.
void squeeze(const Layout& l, Sizes& z, float room) {
    const float squares_share = l.b.columns() ? 0.6f : l.tower ? 0.62f : 0.44f;
    float square = 0, others = 0;
    const std::vector<float> w = widths(l, z);
    std::vector<bool> squares(w.size(), false);
    for (int i = 0; i < l.count(); ++i)
        if (l.box(i).square) squares[static_cast<std::size_t>(l.column(i))] = true;
    for (std::size_t c = 0; c < w.size(); ++c) (squares[c] ? square : others) += w[c];
    if (square + others <= room) return;
    const float wanted = std::max(room * squares_share, room - others);
    if (square > wanted) {
        z.square *= std::max(0.02f, wanted / square);
        square = wanted;
    }
    const float factor = std::clamp((room - square) / std::max(1.0f, others), 0.02f, 1.0f);
    z.cell *= factor;
    z.features *= factor;
    // Boxes are never narrower than their names: everything else shrinks first.
    for (int again = 0; again < 4; ++again) {
        float all = 0, named = 0;
        const std::vector<float> now = widths(l, z);
        for (std::size_t c = 0; c < now.size(); ++c) {
            all += now[c];
            if (now[c] <= least_width(l, static_cast<int>(c)) + 0.5f) named += now[c];
        }
        if (all <= room + 0.5f || all <= named) return;
        const float less = std::max(0.05f, (room - named) / (all - named));
        z.square *= less;
        z.cell *= less;
        z.features *= less;
    }
}

/// The gap right of each column: its minimum, and how much of the remaining room it can use. Ribbons that fan out from
/// single tokens need the most; matrices on the card are close together.
struct Gaps {
    std::vector<float> least, weight;
};

Gaps gaps_of(const Layout& l) {
    const float s = l.b.style().scale;
    const auto columns = static_cast<std::size_t>(l.column_count);
    std::vector<bool> square(columns, false), spread(columns, false);
    for (int i = 0; i < l.count(); ++i) {
        const auto c = static_cast<std::size_t>(l.column(i));
        if (l.box(i).square) square[c] = true;
        if (l.box(i).spread) spread[c] = true;
    }
    Gaps gaps{std::vector<float>(columns, 0), std::vector<float>(columns, 0)};
    for (std::size_t c = 0; c + 1 < columns; ++c) {
        const bool onto = square[c] != square[c + 1];
        const float tight = columns > kManyColumns ? 0.6f : 1.0f;
        const float least = spread[c] ? kFanGap : onto ? kCardPad + kCardGap : kLeastGap;
        gaps.least[c] = least * tight * s;
        gaps.weight[c] = spread[c] ? 2.0f : square[c] && square[c + 1] ? 0.3f : onto ? 1.2f : 1.0f;
    }
    return gaps;
}

void set_grid(Layout& l, int i, float x, float y, float column_w, const Sizes& z) {
    Box& box = l.box(i);
    const float s = l.b.style().scale;
    const float w = width_of(l, i, z);
    Grid& g = box.grid;
    g.rows = box.spread ? 1 : box.rows.count;
    g.cols = box.cols;
    g.cell = box.square ? z.square : box.spread ? std::min(box.pitch, kStrip * s) : z.row;
    if (!box.spread) box.pitch = g.cell;
    const float pitch_x = w / std::max(1.0f, static_cast<float>(box.cols));
    g.narrow = pitch_x / g.cell;
    g.gap = std::min({l.b.style().gap * 0.8f, g.cell * 0.12f, pitch_x * 0.14f});
    g.origin = {x + (column_w - w) / 2, y};
}

float height_of(const Layout& l, int i, const Sizes& z) {
    const Box& box = l.box(i);
    const auto rows = static_cast<float>(box.rows.count);
    if (box.spread) return box.pitch * rows;
    return rows * (box.square ? z.square : z.row);
}

/// Scores and weights of a long text: below each other, as low as the values below them allow.
bool place_tower(Layout& l, int c, float x, float w, const Sizes& z) {
    const std::vector<int> nodes = column_of(l, c);
    if (!l.tower || nodes.empty() || !l.box(nodes.front()).square) return false;
    const float s = l.b.style().scale;
    float high = 0;
    for (const int i : nodes) high += height_of(l, i, z) + l.after() + kTowerGap * s;
    float y = std::max(l.area.y + l.before(), l.area.bottom() - kUnderTower * s - high);
    for (const int i : nodes) {
        set_grid(l, i, x, y, w, z);
        y += height_of(l, i, z) + l.after() + kTowerGap * s;
    }
    return true;
}

/// How far the name of a last row extends below it.
float name_below(const Layout& l, int i, const Sizes& z) {
    const Box& box = l.box(i);
    if (box.given || l.b.columns() || !of_tokens(l.step(i).rows)) return 0;
    return std::max(0.0f, l.b.style().label * 1.25f - (box.spread ? box.pitch : z.row)) / 2;
}

/// Stacked with equal gaps; the square ones level with the queries.
void place_column(Layout& l, int c, float x, float w, const Sizes& z) {
    if (place_tower(l, c, x, w, z)) return;
    const float s = l.b.style().scale;
    const Rect area = l.area;
    const std::vector<int> nodes = column_of(l, c);
    for (const int i : nodes)
        if (l.box(i).spread)
            l.box(i).pitch = std::min(kSpreadPitch * s, (area.h - l.before() * static_cast<float>(nodes.size())) /
                                                            static_cast<float>(l.box(i).rows.count) /
                                                            static_cast<float>(nodes.size()));
    const auto before = [&](int i) { return l.box(i).given ? l.over_given(i) : l.before(); };
    const auto after = [&](int i) { return l.box(i).given ? l.after() : 0.0f; };
    float total = c == 0 && !nodes.empty() ? name_below(l, nodes.back(), z) : 0;
    for (const int i : nodes) total += height_of(l, i, z) + before(i) + after(i);
    const float free = std::max(0.0f, area.h - total) / static_cast<float>(nodes.size() + 1);
    float y = area.y + free;
    for (const int i : nodes) {
        y += before(i);
        set_grid(l, i, x, y, w, z);
        y += height_of(l, i, z) + after(i) + free;
    }
}

bool shares_column(const Layout& l, int i) {
    for (int k = 0; k < l.count(); ++k)
        if (k != i && l.column(k) == l.column(i)) return true;
    return false;
}

/// Puts the square matrices level with the queries that flow into them, if nothing else is in their column.
void level_squares(Layout& l) {
    // The values flow on below the card.
    const bool under = std::any_of(l.graph().edges.begin(), l.graph().edges.end(), [](const FlowEdge& e) { return e.kind == FlowKind::Mixed; });
    const float foot = l.area.bottom() - l.after() - (under ? kUnderCard * l.b.style().scale : 0);
    for (int i = 0; i < l.count(); ++i) {
        if (!l.box(i).square || shares_column(l, i)) continue;
        for (const FlowEdge& e : l.graph().edges) {
            if (e.to != i || e.kind != FlowKind::Rows) continue;
            const Box& from = l.box(e.from);
            if (from.rows.count == l.box(i).rows.count && !from.spread)
                l.box(i).grid.origin.y = std::max(
                    l.area.y, std::min(from.middle() - l.box(i).height() / 2, foot - l.box(i).height()));
        }
    }
}

/// The sheet under the square matrices, wide enough for their captions.
void set_card(Layout& l) {
    const float s = l.b.style().scale, pad = kCardPad * s;
    float left = 1e9f, right = -1e9f, top = 1e9f, bottom = -1e9f, named = 0;
    for (int i = 0; i < l.count(); ++i) {
        const Box& box = l.box(i);
        if (!box.square) continue;
        left = std::min(left, box.left());
        right = std::max(right, box.right());
        top = std::min(top, box.top());
        bottom = std::max(bottom, box.bottom());
        if (box.given) named = std::max(named, l.over_given(i));
    }
    if (left > right) return;
    float keys = top;
    for (const FlowEdge& e : l.graph().edges)
        if (e.kind == FlowKind::Columns && l.box(e.to).square) keys = std::min(keys, l.box(e.from).top());
    const float roof = std::max(l.area.y, std::min(keys - 14 * s, top - 44 * s));
    l.card = {left - pad, roof, right - left + 2 * pad, bottom + l.after() - roof};
    if (named <= 0) return;
    const float heading = l.b.columns() && l.in.heads > 1 ? 30 * s : 0;
    const float edge = left - l.names - 8 * s - heading, over = std::max(l.area.y, top - named);
    l.card = {edge, over, right + pad - edge, bottom + l.after() - over};
}

}  // namespace

float Layout::over_given(int i) const {
    constexpr int kMeasured = 64;
    const float s = b.style().scale;
    float widest = 0;
    for (int c = 0; c < std::min(kMeasured, box(i).cols); ++c)
        widest = std::max(widest, b.in.measure(name_of_key(i, c), Type::BodyStrong));
    widest = std::min(widest, b.style().label_width);
    if (b.columns()) return widest + 22 * s;
    return widest * kSlantedRise + b.style().label + (in.heads > 1 ? 34.0f : 10.0f) * s;
}

void place_boxes(Layout& l) {
    const StageStyle& style = l.b.style();
    const float s = style.scale;
    const Rect area = l.area;
    l.boxes.resize(l.graph().nodes.size());
    float names = 0;
    for (int i = 0; i < l.count(); ++i) shape(l, i);
    square_alone(l);
    fold(l);
    set_tower(l);
    for (int i = 0; i < l.count(); ++i) l.box(i).given = l.box(i).square && enters(l, i) && l.column(i) == 0;
    for (int i = 0; i < l.count(); ++i) {
        const int most = l.box(i).folded && !l.b.columns() ? kSpreadFolded : kSpreadAtMost;
        l.box(i).spread = enters(l, i) && l.column(i) == 0 && !l.box(i).square && l.box(i).rows.count <= most;
        if (!of_tokens(l.step(i).rows)) continue;
        for (int r = 0; r < std::min(64, l.box(i).rows.count); ++r)
            names = std::max(names, l.b.in.measure(l.name_of(i, r), Type::BodyStrong));
    }
    names = std::min(names, style.label_width) + 14 * s;
    if (l.b.columns()) names = std::max(names * kSlantedRise + style.label, style.label * 2.4f);
    l.names = names;
    Sizes z = heights(l);
    Gaps gaps = gaps_of(l);
    const float room = area.w - 2 * names;
    const auto sum = [](const std::vector<float>& v) { return std::accumulate(v.begin(), v.end(), 0.0f); };
    // If there is hardly any room, the gaps shrink, too.
    const bool tight = static_cast<std::size_t>(l.column_count) > kManyColumns && area.w < kNarrow * s;
    const float most_gaps = tight ? kMostGapsNarrow : kMostGaps;
    if (const float least = sum(gaps.least); least > room * most_gaps)
        for (float& gap : gaps.least) gap *= room * most_gaps / least;
    squeeze(l, z, room - sum(gaps.least));
    if (sum(widths(l, z)) + sum(gaps.least) > room + 1) {
        l.cramped = true;
        squeeze(l, z, room - sum(gaps.least));
    }
    const std::vector<float> w = widths(l, z);
    // The remaining width is distributed by how much each gap can use.
    const float natural = sum(w) + sum(gaps.least), over = std::max(0.0f, room - natural);
    const float share = std::min(kMostShare * s, over / std::max(0.01f, sum(gaps.weight)));
    float x = area.x + names + std::max(0.0f, (over - share * sum(gaps.weight)) / 2);
    for (std::size_t c = 0; c < w.size(); ++c) {
        place_column(l, static_cast<int>(c), x, w[c], z);
        x += w[c] + gaps.least[c] + share * gaps.weight[c];
    }
    level_squares(l);
    set_card(l);
}

}  // namespace app::flow
