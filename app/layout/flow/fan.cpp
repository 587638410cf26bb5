// Heads stacked behind each other, and fanned out side by side: each card moves from one place to the other, with its
// own weights on it, and with ribbons in its head's colour from queries, keys and values and on to the output.

#include <algorithm>
#include <cmath>

#include "app/layout/flow/parts.h"

namespace app::flow {
namespace {

constexpr int kSheets = 4;        ///< heads drawn behind the front one, at most
constexpr float kSheetStep = 10;  ///< design pixels by which each is visible
// Design pixels.
constexpr float kBeside = 54;                     ///< between the cards and what they read and make, for ribbons
constexpr float kBetween = 18;                    ///< between cards
constexpr float kTitle = 28, kPad = 12;           ///< of a card
constexpr float kLargest = 250, kLeastSide = 18;  ///< of a card's side
constexpr float kTight = 14;                      ///< between cards and what they read, if there is hardly any room
constexpr float kSmallCard = 140;                 ///< smaller cards have less padding around their matrix
constexpr float kFramed = 9;                      ///< narrower blocks of columns have no frame
constexpr float kRibbon = 0.30f;
/// For the first half of the way, the cards carry their matrices out of the previous one; then names and ribbons
/// appear.
constexpr double kHalfWay = 0.5;

/// The columns of a node that a head reads: with fewer key heads than heads, several heads share them.
std::optional<FlowNode::Columns> columns_of(const FlowNode& node, int head, int heads) {
    const auto groups = static_cast<int>(node.heads.size());
    if (groups == 0) return std::nullopt;
    const FlowNode::Columns part =
        node.heads[static_cast<std::size_t>(std::clamp(head * groups / std::max(1, heads), 0, groups - 1))];
    return part.count > 0 ? std::optional(part) : std::nullopt;
}

/// The area for the heads: between the matrices before the card and those after it.
Rect room_for_heads(const Layout& l) {
    const float s = l.b.style().scale;
    int first = l.column_count, last = -1;
    for (int i = 0; i < l.count(); ++i)
        if (l.box(i).square) {
            first = std::min(first, l.column(i));
            last = std::max(last, l.column(i));
        }
    float left = l.area.x, right = l.area.right();
    for (int i = 0; i < l.count(); ++i) {
        if (l.box(i).square) continue;
        if (l.column(i) < first) left = std::max(left, l.box(i).right());
        if (l.column(i) > last) right = std::min(right, l.box(i).left());
    }
    const Rect between_them{left + kBeside * s, l.area.y, right - left - 2 * kBeside * s, l.area.h};
    if (between_them.w > kLargest * 0.4f * s) return between_them;
    // Hardly any room: the ribbons are short, and the cards stay within the previous card.
    const float from = std::max(l.card.x, left + kTight * s), to = std::min(l.card.right(), right - kTight * s);
    return {from, l.area.y, std::max(0.0f, to - from), l.area.h};
}

/// The i-th of `count` places side by side in `room`, in the number of rows that makes them largest.
Rect place_of(const Layout& l, Rect room, int i, int count) {
    const float s = l.b.style().scale, gap = kBetween * s;
    int columns = 1;
    float side = 0;
    for (int c = 1; c <= count; ++c) {
        const int rows = (count + c - 1) / c;
        const float fits = std::min((room.w - gap * static_cast<float>(c - 1)) / static_cast<float>(c),
                                    (room.h - gap * static_cast<float>(rows - 1)) / static_cast<float>(rows));
        if (fits > side + 0.5f) {
            side = fits;
            columns = c;
        }
    }
    side = std::clamp(side, kLeastSide * s, kLargest * s);
    const int rows = (count + columns - 1) / columns, row = i / columns;
    const int in_row = std::min(columns, count - row * columns);
    const auto size = [&](int n) { return side * static_cast<float>(n) + gap * static_cast<float>(n - 1); };
    return {room.center().x - size(in_row) / 2 + (side + gap) * static_cast<float>(i % columns),
            room.center().y - size(rows) / 2 + (side + gap) * static_cast<float>(row), side, side};
}

struct Head {
    int number = 0;
    int behind = 0;  ///< 0 for the front one, when they are stacked
    Rect rect;
};

std::vector<Head> heads_of(const Layout& l) {
    const auto count = static_cast<int>(l.graph().weights.size());
    const float s = l.b.style().scale;
    const auto moved = static_cast<float>(ease(l.in.fan));
    const Rect room = room_for_heads(l);
    // Side by side in reading order, whichever way the picture is oriented.
    const Rect seen = l.b.turned(room);
    std::vector<Head> heads;
    for (int h = 0; h < count; ++h) {
        const int behind = (h - l.in.head + 2 * l.in.heads) % l.in.heads;
        const float off = kSheetStep * s * static_cast<float>(std::min(behind, kSheets));
        heads.push_back(
            {h, behind, stage::between(l.card.moved(off, off), l.b.turned(place_of(l, seen, h, count)), moved)});
    }
    // The front one is drawn last.
    std::sort(heads.begin(), heads.end(), [](const Head& a, const Head& z) { return a.behind > z.behind; });
    return heads;
}

/// The area of the matrix, below the title, whichever way the picture is oriented.
Rect body_of(const Layout& l, const Head& head) {
    const float s = l.b.style().scale;
    const Rect seen = l.b.turned(head.rect);
    const float pad = kPad * s * std::clamp(seen.w / (kSmallCard * s), 0.4f, 1.0f);
    const Rect body{seen.x + pad, seen.y + kTitle * s, seen.w - 2 * pad, seen.h - kTitle * s - pad};
    return l.b.turned(body);
}

void weights(Layout& l, const Head& head, float alpha) {
    const attn::StepId id = l.graph().weights[static_cast<std::size_t>(head.number)];
    const Rect body = body_of(l, head);
    if (body.w < 2 || body.h < 2) return;
    Grid grid = l.b.grid(id, {}, 1);
    grid.transposed = false;
    const auto rows = static_cast<float>(grid.rows), cols = static_cast<float>(grid.cols);
    grid.cell = std::min(body.h / rows, body.w / cols);
    grid.gap = std::min(l.b.style().gap * 0.6f, grid.cell * 0.1f);
    grid.origin = {body.center().x - grid.cell * cols / 2, body.center().y - grid.cell * rows / 2};
    MatrixSprite& m = l.b.matrix(id, grid);
    m.alpha = alpha;
    m.smallest = 3;
    m.pickable = l.in.fan >= 1;
    if (l.b.focused(id)) m.ring = *l.b.in.focus;
}

void card_of(Layout& l, const Head& head) {
    const float s = l.b.style().scale;
    const auto shown = static_cast<float>(phase(l.in.fan, kHalfWay, 1)), late = static_cast<float>(ease(l.in.fan));
    CardSprite card{head.rect, Hue::Score, true, head.behind > kSheets ? late : 1.0f, head.number};
    l.b.scene.cards.push_back(card);
    if (const auto carried = static_cast<float>(phase(l.in.fan, 0, kHalfWay)); carried > 0) weights(l, head, carried);
    if (shown <= 0) return;
    const Rect seen = l.b.turned(head.rect);
    const bool chosen = head.number == l.in.head;
    LabelSprite title{{seen.x + kPad * s, seen.y + kTitle * s * 0.66f},
                      fill_in(l.b.words(Str::head_number), {attn::number_of(head.number, l.in.stage.count)}),
                      chosen ? Type::BodyStrong : Type::Body,
                      Hue::Score,
                      Align::Left,
                      shown,
                      seen.w - 2 * kPad * s};
    title.head = head.number;
    l.b.scene.labels.push_back(std::move(title));
    if (!chosen) return;
    BandSprite frame{head.rect.inset(-3 * s), Hue::Score, shown, 14 * s, true};
    frame.head = head.number;
    l.b.scene.bars.push_back(frame);
}

/// The i-th of `count` bands of an edge.
Rect band(Rect edge, int i, int count) {
    const float high = edge.h / static_cast<float>(count);
    return {edge.x, edge.y + high * (static_cast<float>(i) + 0.1f), edge.w, high * 0.8f};
}

void head_ribbon(Layout& l, Rect from, Rect to, int head, float alpha) {
    RibbonSprite r{from.right(), from.y, from.bottom(), to.x, to.y, to.bottom(), Hue::Score, alpha, false, true};
    r.head = head;
    l.b.scene.ribbons.push_back(r);
}

/// Ribbons for the queries, keys and values that the heads read, from each head's share of a node's edge.
void ribbons(Layout& l, const std::vector<Head>& heads) {
    const auto alpha = kRibbon * static_cast<float>(phase(l.in.fan, kHalfWay, 1));
    if (alpha <= 0) return;
    const auto count = static_cast<int>(heads.size());
    std::vector<int> read, made;
    for (const FlowEdge& e : l.graph().edges) {
        const bool into = l.box(e.to).square && !l.box(e.from).square;
        if (into || e.kind == FlowKind::Mixed) read.push_back(e.from);
        if (e.kind == FlowKind::Mixed) made.push_back(e.to);
    }
    for (std::vector<int>* nodes : {&read, &made}) {
        std::sort(nodes->begin(), nodes->end());
        nodes->erase(std::unique(nodes->begin(), nodes->end()), nodes->end());
    }
    for (const Head& head : heads) {
        const Rect card = head.rect.inset(0, head.rect.h * 0.22f);
        for (std::size_t i = 0; i < read.size(); ++i) {
            if (l.box(read[i]).square) continue;
            const Box& from = l.box(read[i]);
            const Rect edge{from.left(), from.top(), from.width(), from.height()};
            head_ribbon(l, band(edge, head.number, count),
                        band(card, static_cast<int>(i), static_cast<int>(read.size())), head.number, alpha);
        }
        for (const int node : made) {
            const Box& to = l.box(node);
            const Rect edge{to.left(), to.top(), to.width(), to.height()};
            head_ribbon(l, card, band(edge, head.number, count), head.number, alpha);
        }
    }
}

/// The chosen head in front, and behind it the edges of the others.
void stacked(Layout& l) {
    const StageStyle& s = l.b.style();
    const int behind = std::min(l.in.heads - 1, kSheets);
    for (int i = behind; i > 0; --i)
        l.b.scene.cards.push_back(
            {l.card.moved(kSheetStep * s.scale * static_cast<float>(i), kSheetStep * s.scale * static_cast<float>(i)),
             Hue::Score, false, 1.0f - 0.18f * static_cast<float>(i)});
    l.b.scene.cards.push_back({l.card});
}

/// Where tokens are columns, the name of the joined heads is below the heading.
constexpr float kOverNames = 44;

void heading(Layout& l) {
    const StageStyle& s = l.b.style();
    const auto alpha = 1 - static_cast<float>(phase(l.in.fan, 0, kHalfWay));
    const std::string words =
        fill_in(l.b.words(Str::flow_head), {attn::number_of(l.in.head, l.in.stage.count), std::to_string(l.in.heads)});
    const Rect sheet = l.b.turned(l.card);
    const bool given = std::any_of(l.boxes.begin(), l.boxes.end(), [](const Box& box) { return box.given; });
    if (l.b.columns() && !given) {  // the keys come in from above
        const float room = l.card.h * 0.5f;
        l.b.text({sheet.x + 16 * s.scale, sheet.bottom() - kOverNames * s.scale}, words, Type::BodyStrong, Hue::Score,
                 Align::Left, alpha);
        l.b.scene.labels.back().fit = room;
        return;
    }
    l.b.text({sheet.right() - 16 * s.scale, sheet.y + 26 * s.scale}, words, Type::BodyStrong, Hue::Score, Align::Right,
             alpha);
}

}  // namespace

void frame_of_head(Layout& l, int i) {
    const Box& box = l.box(i);
    if (l.in.heads < 2 || box.square || box.spread) return;
    const auto part = columns_of(l.node(i), l.in.head, l.in.heads);
    if (!part) return;
    const float s = l.b.style().scale;
    const bool fanned = l.in.fan >= kHalfWay && !l.graph().weights.empty();
    for (int head = 0; head < l.in.heads; ++head) {
        if (head != l.in.head && !fanned) continue;
        const FlowNode::Columns own = *columns_of(l.node(i), head, l.in.heads);
        const float x = box.left() + box.grid.pitch_x() * static_cast<float>(own.first);
        const Rect rect{x, box.top(), box.grid.pitch_x() * static_cast<float>(own.count), box.height()};
        if (fanned && rect.w < kFramed * s) continue;
        BandSprite frame{rect.inset(fanned ? -s : -4 * s), Hue::Score, l.strength(i), 7 * s, true, !fanned};
        if (fanned) frame.head = head;
        l.b.scene.bars.push_back(frame);
    }
}

void draw_card(Layout& l) {
    if (l.card.empty()) return;
    if (l.in.fan <= 0 || l.graph().weights.empty()) {
        stacked(l);
        if (l.in.heads > 1) heading(l);
        return;
    }
    const std::vector<Head> heads = heads_of(l);
    ribbons(l, heads);
    for (const Head& head : heads) card_of(l, head);
    heading(l);
}

}  // namespace app::flow
