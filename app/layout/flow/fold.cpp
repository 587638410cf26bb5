// The flow of a long text: the tokens with the largest weights of one query, each with its row, and bands for the
// others.

#include <algorithm>
#include <functional>
#include <numeric>

#include "app/layout/flow/parts.h"

namespace app {

namespace {

/// By descending weight; equal ones in order.
std::vector<int> strongest_of_row(std::span<const float> weights, int most) {
    std::vector<int> shown(weights.size());
    std::iota(shown.begin(), shown.end(), 0);
    const auto weight = [&](int token) { return weights[static_cast<std::size_t>(token)]; };
    const auto strongest = shown.begin() + std::min(most, static_cast<int>(weights.size()));
    std::partial_sort(shown.begin(), strongest, shown.end(), [&](int a, int z) {
        return weight(a) > weight(z) || (!(weight(a) < weight(z)) && a < z);
    });
    shown.erase(strongest, shown.end());
    return shown;
}

}  // namespace

std::vector<FlowSlot> strongest_slots(std::span<const float> weights, int most, std::initializer_list<int> also) {
    std::vector<int> shown = strongest_of_row(weights, most);
    // The strongest one is never replaced.
    std::size_t replaced = shown.size();
    for (const int token : also) {
        if (token < 0 || token >= static_cast<int>(weights.size()) || std::find(shown.begin(), shown.end(), token) != shown.end()) continue;
        do --replaced;
        while (replaced > 0 && std::find(also.begin(), also.end(), shown[replaced]) != also.end());
        if (replaced < 1) break;
        shown[replaced] = token;
    }
    std::sort(shown.begin(), shown.end());
    const auto of = [&](int token) { return std::max(0.0f, weights[static_cast<std::size_t>(token)]); };
    double sum = 0, here = 0;
    for (int token = 0; token < static_cast<int>(weights.size()); ++token) sum += of(token);
    std::vector<FlowSlot> slots;
    for (const int token : shown) {
        slots.push_back({token, token, sum > 0 ? of(token) / sum : 0});
        here += slots.back().share;
    }
    const int rest = static_cast<int>(weights.size() - shown.size());
    if (rest > 0) slots.push_back({-1, -1, sum > 0 ? std::max(0.0, 1 - here) : 0, rest});
    return slots;
}

std::vector<FlowSlot> flow_slots(std::span<const float> weights, std::initializer_list<int> also) {
    const auto count = static_cast<int>(weights.size());
    const auto weight = [&](int token) { return weights[static_cast<std::size_t>(token)]; };
    std::vector<int> shown = strongest_of_row(weights, kFlowStrongest);
    std::erase_if(shown, [&](int token) { return !(weight(token) > 0); });
    for (const int token : also)
        if (token >= 0 && token < count) shown.push_back(token);
    std::sort(shown.begin(), shown.end());
    shown.erase(std::unique(shown.begin(), shown.end()), shown.end());

    double sum = 0;
    for (const float w : weights) sum += std::max(0.0f, w);
    const auto share = [&](int first, int last) {
        double part = 0;
        for (int token = first; token <= last; ++token) part += std::max(0.0f, weight(token));
        return sum > 0 ? part / sum : 0;
    };
    std::vector<FlowSlot> slots;
    int next = 0;
    const auto band = [&](int end) {
        if (next < end) slots.push_back({next, end - 1, share(next, end - 1)});
    };
    for (const int token : shown) {
        band(token);
        slots.push_back({token, token, share(token, token)});
        next = token + 1;
    }
    band(count);
    return slots;
}

namespace flow {
namespace {

/// Nodes that lead to keys or values of the mixture: all of their slots are shown, of others only the query's.
std::vector<bool> read_by_keys(const Layout& l) {
    std::vector<bool> read(l.boxes.size(), false);
    // Nodes are in the order of the trace: readers come after what they read.
    for (int i = l.count(); i-- > 0;)
        for (const FlowEdge& e : l.graph().edges) {
            if (e.from != i) continue;
            const bool square = l.box(e.to).square;
            if (e.kind != FlowKind::Rows || (!square && read[static_cast<std::size_t>(e.to)]))
                read[static_cast<std::size_t>(i)] = true;
        }
    return read;
}

}  // namespace

void fold(Layout& l) {
    const attn::StepId id = l.graph().mixing;
    if (id == attn::kNoStep) return;
    const attn::Step& weights = l.b.step(id);
    if (!of_tokens(weights.rows) || !of_tokens(weights.cols)) return;
    const auto rows = static_cast<int>(weights.value.rows()), cols = static_cast<int>(weights.value.cols());
    if (cols <= kFlowWhole && rows <= kFlowWhole) return;
    int query = l.in.query >= 0 ? l.in.query : l.graph().query;
    query = query < 0 ? rows - 1 : std::min(query, rows - 1);
    if (rows > kFlowWhole) l.queries = {{query, query, 1}};
    if (cols > kFlowWhole) {
        const attn::RowVector row = weights.value.one_row(query);
        const bool itself = weights.rows.kind == weights.cols.kind && rows == cols;
        const int pinned = l.in.query >= 0 ? l.lit.key : -1;
        l.keys = flow_slots({row.data(), static_cast<std::size_t>(cols)}, {itself ? query : -1, pinned});
    }
    const std::vector<bool> read = read_by_keys(l);
    for (int i = 0; i < l.count(); ++i) {
        Box& box = l.box(i);
        const attn::Step& step = l.step(i);
        if (!of_tokens(step.rows)) continue;
        const bool keys = read[static_cast<std::size_t>(i)];
        if (keys && box.rows.count == cols && !l.keys.empty()) box.folded = &l.keys;
        if (!keys && box.rows.count == rows && !l.queries.empty()) box.folded = &l.queries;
        if (box.square && of_tokens(step.cols) && box.cols == cols && !l.keys.empty()) box.folded_cols = &l.keys;
        if (box.folded) box.rows = {0, static_cast<int>(box.folded->size())};
        if (box.folded_cols) box.cols = static_cast<int>(box.folded_cols->size());
    }
}

std::string Layout::name_of(int i, int row) const {
    const Box& b_ = box(i);
    if (!b_.folded) return b.row_name(step(i), row);
    const FlowSlot slot = b_.slot(row);
    if (slot.is_band()) return fill_in(b.words(Str::flow_more), {std::to_string(slot.last - slot.first + 1)});
    return std::to_string(slot.first + 1) + " " + b.row_name(step(i), slot.first);
}

std::string Layout::name_of_key(int i, int col) const {
    const Box& b_ = box(i);
    const FlowSlot slot = b_.col_slot(col);
    if (slot.is_band()) return "";
    const std::string name = b.label(step(i).cols, slot.first);
    return b_.folded_cols ? std::to_string(slot.first + 1) + " " + name : name;
}

void draw_bands(Layout& l, int i) {
    const Box& box = l.box(i);
    if (!box.folded_cols || l.made(i) < 1) return;
    const bool weights = l.node(i).step == l.graph().mixing;
    const float s = l.b.style().scale;
    for (int r = 0; r < box.rows.count; ++r)
        for (int c = 0; c < box.cols; ++c) {
            const FlowSlot slot = box.col_slot(c);
            if (!slot.is_band()) continue;
            const Rect rect = box.grid.at(r, c);
            const auto alpha = weights ? static_cast<float>(0.06 + 0.5 * slot.share) : 0.08f;
            l.b.scene.bands.push_back({rect, Hue::Score, alpha * l.stacked(), std::min(6 * s, rect.w * 0.2f)});
            if (box.rows.count > 1) continue;  // only the query has sums
            const Rect seen = l.b.turned(rect);
            std::string text = weights ? number_text(static_cast<float>(slot.share)) : "…";
            if (l.b.in.measure(text, Type::NumberSmall) > seen.w) text = "…";
            if (l.b.in.measure(text, Type::NumberSmall) > seen.w) continue;
            l.b.text({seen.center().x, seen.center().y + s * 4}, std::move(text), Type::NumberSmall, Hue::Soft,
                     Align::Center, l.stacked());
        }
}

void set_tower(Layout& l) {
    if (l.b.columns()) return;
    int first = l.graph().columns, last = -1, squares = 0;
    for (int i = 0; i < l.count(); ++i) {
        if (!l.box(i).square) continue;
        if (!l.box(i).folded_cols || l.box(i).rows.count != 1) return;
        first = std::min(first, l.node(i).column);
        last = std::max(last, l.node(i).column);
        ++squares;
    }
    // Low windows with large type have no room for three rows with their captions.
    constexpr float kLeastBox = 18, kSaid = 112;  // design pixels
    const float s = l.b.style().scale;
    if (squares < 2 || static_cast<float>(squares) * (kLeastBox + kSaid) * s > 0.84f * l.area.h) return;
    for (int i = 0; i < l.count(); ++i)
        if (!l.box(i).square && l.node(i).column >= first && l.node(i).column <= last) return;
    l.tower = true;
    l.first_square = first;
    l.last_square = last;
    l.column_count = l.graph().columns - (last - first);
}

void draw_places(Layout& l, int i) {
    const Box& box = l.box(i);
    const float s = l.b.style().scale;
    for (int c = 0; c < box.cols; ++c) {
        const FlowSlot slot = box.col_slot(c);
        const Rect at = box.grid.at(0, c);
        std::string place = std::to_string(slot.first + 1);
        if (slot.is_band() || l.b.in.measure(place, Type::NumberSmall) > at.w) continue;
        l.b.text({at.center().x, box.bottom() + 13 * s}, std::move(place), Type::NumberSmall, Hue::Key, Align::Center,
                 l.strength(i));
    }
}

void draw_down(Layout& l, const FlowEdge& e, Hue hue, float alpha) {
    const Box &from = l.box(e.from), &to = l.box(e.to);
    for (int c = 0; c < std::min(from.cols, to.cols); ++c) {
        const Rect a = from.grid.at(0, c), z = to.grid.at(0, c);
        if (from.col_slot(c).is_band()) continue;
        const float half = l.b.style().scale;  // thin, because the caption of the upper row is drawn over it
        RibbonSprite r{a.bottom(),
                       a.center().x - half,
                       a.center().x + half,
                       z.y,
                       z.center().x - half,
                       z.center().x + half,
                       hue,
                       alpha,
                       true};
        l.b.scene.ribbons.push_back(r);
    }
}

}  // namespace flow
}  // namespace app
