// Lines from queries on the left to keys on the right, as thick as their weights; heads by colour.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/content/number_text.h"
#include "app/explain/blank.h"
#include "app/screens/heads/lines_painter.h"

namespace app {
namespace {

/// The distance from a line, in pixels at scale 1, at which the pointer still hits it.
constexpr float kReach = 5;
constexpr float kMostRow = 58;        ///< maximum distance between tokens, at scale 1
constexpr float kProportion = 1.35f;  ///< ratio of the picture's width to its height
/// From one token at most this many lines are drawn, the thickest: more could not be distinguished.
constexpr std::size_t kMostOfSpot = 600;
/// Relative opacity of the lines that are not in focus.
constexpr float kBehind = 0.4f;

/// A weight looks the same in every text: even rows stay pale, and a weight near 1 is strong.
float alpha_of(float weight) { return 0.05f + 0.90f * std::sqrt(std::min(weight, 1.0f)); }

}  // namespace

float LinesPainter::divisor() const {
    return choice().shown == "strongest" ? 1.0f : static_cast<float>(std::max<std::size_t>(data.drawn.size(), 1));
}

void LinesPainter::fit(Rect body) {
    // Lines that are much wider than high all look horizontal.
    const float widest_body = std::max(f.px(680), body.h * kProportion);
    if (body.w > widest_body) body = rect_around(body.center(), widest_body, body.h);
    const bool wide = body.w >= f.px(520);
    given_w = wide ? f.px(72) : 0;
    received_w = wide ? f.px(132) : f.px(80);
    const float names = std::max(widest_name(f, place.query_names, Type::BodyStrong),
                                 widest_name(f, place.key_names, Type::BodyStrong));
    // The column titles also need room if the names are single letters.
    float heads = 0;
    for (const std::string_view role : {"queries", "keys"})
        heads = std::max(heads, p().width(label_of(role, f.view().language), Type::SmallStrong));
    name_w = std::min(std::max(names + f.px(18), heads + f.px(9)), body.w * 0.24f);
    left = body.x + given_w + name_w;
    right = body.right() - received_w - name_w;
    const float head = f.theme.line_height(Type::Small) + f.px(4);
    area = {body.x, body.y + head, body.w, std::max(1.0f, body.h - head)};
    const auto column = [&](std::size_t count) {
        LinesColumn c;
        c.count = static_cast<int>(count);
        c.each = std::min(f.px(kMostRow), area.h / std::max(1.0f, static_cast<float>(count)));
        c.top = area.y + (area.h - c.each * static_cast<float>(count)) / 2;
        return c;
    };
    queries = column(place.query_names.size());
    keys = column(place.key_names.size());
}

void LinesPainter::find_spot() {
    const Point at = gui::mouse();
    if (!area.contains(at) || !p().visible({at.x, at.y, 1, 1})) return;
    const bool key = at.x > right - f.px(4);
    if (!key && at.x >= left + f.px(4)) return;
    const int index = (key ? keys : queries).at(at.y);
    if (index >= 0) spot = TokenSpot{key, index};
}

bool LinesPainter::spot_in_words() {
    const int query = query_in_words(f);
    if (spot || query < 0 || query >= queries.count) return false;
    spot = TokenSpot{false, query};
    return true;
}

float LinesPainter::strand(std::size_t map) const {
    const auto count = static_cast<float>(data.drawn.size());
    const float apart = std::min(f.px(4.5f), std::min(queries.each, keys.each) * 0.55f / count);
    return (static_cast<float>(map) - (count - 1) / 2) * apart;
}

float LinesPainter::weight(const DrawnMap& map, int query, int key) const {
    if (map.weights) return finite((*map.weights)(query, key));
    const auto [row, added] = rows.try_emplace({map.head, query});
    if (added) row->second = row_on_disk(f.trace(), data, place, map.head, query).value_or(attn::RowVector::Zero(keys.count));
    return finite(row->second(key));
}

void LinesPainter::line(const attn::AttentionLine& one, float strength) const {
    const DrawnMap& map = data.drawn[static_cast<std::size_t>(one.map)];
    const auto [index, query, key, weight] = one;
    if (weight <= 0) return;
    const float aside = strand(static_cast<std::size_t>(index));
    const Point from{left, queries.y(query) + aside}, to{right, keys.y(key) + aside};
    const float bend = (to.x - from.x) / 2;
    // Nothing is claimed: neither a head's colour nor a weight's thickness.
    if (place.is_blank(query, key))
        return p().curve(from, {from.x + bend, from.y}, {to.x - bend, to.y}, to, Ink(Hue::Faint, kSaysNothing * strength), f.px(0.8f));
    p().curve(from, {from.x + bend, from.y}, {to.x - bend, to.y}, to, color(map).faded(alpha_of(weight) * strength),
              f.px(0.8f + 6.2f * std::min(weight, 1.0f)));
}

bool LinesPainter::reaches_threshold(std::size_t map, int query, float weight) const {
    return weight >= data.lines.least[map][static_cast<std::size_t>(query)];
}

void LinesPainter::lines_of_spot() const {
    std::vector<attn::AttentionLine> all;
    const bool of_drawn = spot->key && !reads_columns();
    for (const attn::AttentionLine& one : data.lines.lines)
        if (of_drawn && one.key == spot->index) all.push_back(one);
    for (std::size_t m = 0; m < data.drawn.size() && !of_drawn; ++m)
        for (int i = 0; i < (spot->key ? queries.count : keys.count); ++i) {
            const int query = spot->key ? i : spot->index, key = spot->key ? spot->index : i;
            const float there = weight(data.drawn[m], query, key);
            if (reaches_threshold(m, query, there)) all.push_back({static_cast<int>(m), query, key, there});
        }
    if (all.size() > kMostOfSpot) {
        const auto end = all.begin() + static_cast<std::ptrdiff_t>(kMostOfSpot);
        std::nth_element(all.begin(), end, all.end(),
                         [](const auto& a, const auto& b) { return a.weight > b.weight; });
        all.erase(end, all.end());
    }
    for (const attn::AttentionLine& one : all) line(one, 1);
}

void LinesPainter::lines(std::optional<QueryKey> meant) const {
    if (spot) return lines_of_spot();
    for (const attn::AttentionLine& one : data.lines.lines) {
        const bool is_meant = meant && *meant == QueryKey{one.query, one.key};
        if (!is_meant) line(one, meant ? kBehind : 1);
    }
    if (!meant) return;
    for (std::size_t m = 0; m < data.drawn.size(); ++m)
        line({static_cast<int>(m), meant->query, meant->key, weight(data.drawn[m], meant->query, meant->key)}, 1);
}

const attn::AttentionLine* LinesPainter::under_pointer() const {
    const Point at = gui::mouse();
    if (spot || !area.contains(at) || at.x <= left || at.x >= right || !p().visible({at.x, at.y, 1, 1}))
        return nullptr;
    const float wanted = (at.x - left) / (right - left);
    float low = 0, high = 1;
    for (int i = 0; i < 24; ++i) {  // x = 1.5 t − 1.5 t² + t³ increases with t
        const float t = (low + high) / 2;
        (1.5f * t - 1.5f * t * t + t * t * t < wanted ? low : high) = t;
    }
    const float share = low * low * (3 - 2 * low);
    const attn::AttentionLine* best = nullptr;
    float nearest = f.px(kReach);
    for (const attn::AttentionLine& one : data.lines.lines) {
        const float aside = strand(static_cast<std::size_t>(one.map));
        const float from = queries.y(one.query) + aside, to = keys.y(one.key) + aside;
        const float away = std::abs(from + (to - from) * share - at.y);
        if (away <= nearest) {
            nearest = away;
            best = &one;
        }
    }
    return best;
}

QueryKey LinesPainter::strongest_of(TokenSpot token) const {
    QueryKey out{token.key ? 0 : token.index, token.key ? token.index : 0};
    if (token.key && !reads_columns()) {
        for (const attn::AttentionLine& one : data.lines.lines)  // the thinnest first
            if (one.key == token.index) out.query = one.query;
        return out;
    }
    std::vector<const attn::Matrix*> maps;
    for (const DrawnMap& map : data.drawn) maps.push_back(map.weights.get());
    const auto average = [&](QueryKey at) {
        if (reads_columns()) return finite(attn::average_at(maps, at.query, at.key));
        float sum = 0;
        for (const DrawnMap& map : data.drawn) sum += weight(map, at.query, at.key);
        return sum / static_cast<float>(data.drawn.size());
    };
    float best = average(out);
    for (int i = 0; i < (token.key ? queries.count : keys.count); ++i) {
        const QueryKey tried = token.key ? QueryKey{i, token.index} : QueryKey{token.index, i};
        if (const float mean = average(tried); mean > best) {
            best = mean;
            out = tried;
        }
    }
    return out;
}

void LinesPainter::press_token() const {
    change_heads(f, [token = *spot](HeadsChoice& h) {
        auto& picked = token.key ? h.keys : h.queries;
        const auto at = std::lower_bound(picked.begin(), picked.end(), token.index);
        if (at != picked.end() && *at == token.index)
            picked.erase(at);
        else
            picked.insert(at, token.index);
    });
}

void LinesPainter::say_line(const attn::AttentionLine& one) const {
    const std::string& from = place.query_names[static_cast<std::size_t>(one.query)];
    const std::string& to = place.key_names[static_cast<std::size_t>(one.key)];
    const int head = data.drawn[static_cast<std::size_t>(one.map)].head;
    const std::string number = weight_text(one.weight);
    const auto cell = weight_at(f.trace(), data, head, {one.query, one.key});
    const attn::StepId step = cell ? attn::find_id(f.trace(), cell->tag) : attn::kNoStep;
    if (const auto blank = step == attn::kNoStep ? std::nullopt : blank_claim(f.trace(), attn::Cell{step, cell->row, cell->col}))
        return void(tooltip(f.ui, rect_around(gui::mouse(), f.px(8), f.px(8)), f.area, f.say(*blank, {from, to})));
    const std::string words = head >= 0 && place.maps.size() > 1
                                  ? f.say(Str::line_says, {from, to, f.number(head), number})
                                  : f.say(Str::line_says_several, {from, to, number});
    tooltip(f.ui, rect_around(gui::mouse(), f.px(8), f.px(8)), f.area, words);
}

void LinesPainter::touch(const attn::AttentionLine* under) const {
    const Touch touch = touch_area(f.ui, "heads_lines", area, false);
    std::optional<CellRef> cell;
    const int alone = data.drawn.size() == 1 ? data.drawn[0].head : -1;
    if (spot) cell = weight_at(f.trace(), data, alone, strongest_of(*spot));
    if (under) {
        const int head = data.drawn[static_cast<std::size_t>(under->map)].head;
        cell = weight_at(f.trace(), data, head, {under->query, under->key});
    }
    if (!touch.hovered) cell.reset();
    point_at_weight(f, cell);
    if (!touch.hovered) return;
    if (spot || under) gui::set_cursor(gui::Cursor::Hand);
    if (under) say_line(*under);
    if (touch.clicked && spot) press_token();
    if (touch.clicked && under) pin_weight(f, cell);
}

void LinesPainter::record() const {
    for (const bool key : {false, true}) {
        const LinesColumn& column = key ? keys : queries;
        for (int i = 0; i < column.count && column.count <= 100; ++i)
            f.ui.record((key ? "key_" : "query_") + std::to_string(i),
                        rect_around({key ? right + name_w / 2 : left - name_w / 2, column.y(i)}, name_w * 0.6f,
                                    column.each * 0.8f));
    }
}

namespace {

std::string count_sentence(const Frame& f) {
    const attn::AttentionLines& lines = f.derived.part<HeadsData>().lines;
    const std::string drawn = std::to_string(lines.lines.size());
    if (static_cast<long long>(lines.lines.size()) < lines.remaining)
        return f.say(Str::lines_thickest, {drawn, std::to_string(lines.remaining)});
    return f.say(Str::lines_drawn, {drawn, std::to_string(lines.all)});
}

/// For maps that stay in their file, what a key shows.
std::string passing_sentence(const Frame& f) {
    return holds_drawn(f.derived.part<HeadsData>()) || f.view().figure || f.view().present.on ? std::string() : std::string(f.say(Str::lines_in_passing));
}

/// The number of lines, and what the pointer can do; and a button that clears the picked tokens.
Rect foot(const Frame& f, Rect area) {
    const HeadsChoice& h = f.view().part<HeadsChoice>();
    const float high = f.theme.line_height(Type::Small);
    float room = area.w;
    if (!h.queries.empty() || !h.keys.empty()) {
        const std::string_view words = f.say(Str::picks_clear);
        const float w = f.painter().width(words, Type::Small);
        const Point at{area.right() - w, area.bottom() - high / 2 + f.painter().middle_to_baseline(Type::Small)};
        if (link(f.ui, "picks_clear", at, words, {Type::Small}, Hue::Accent))
            change_heads(f, [](HeadsChoice& c) {
                c.queries.clear();
                c.keys.clear();
            });
        room -= w + f.px(12);
    }
    const Rect above = caption_below(f, {area.x, area.y, room, area.h},
                                     f.view().figure || f.view().present.on ? count_sentence(f) : count_sentence(f) + " · " + std::string(f.say(Str::pick_hint)));
    const Rect sentence = caption_below(f, {area.x, area.y, area.w, above.h}, head_sentence(f));
    const Rect budget = caption_below(f, caption_below(f, sentence, budget_sentence(f)), passing_sentence(f));
    return caption_below(f, caption_below(f, budget, hidden_sentence(f)), measure_sentence(f));
}

}  // namespace

void draw_heads_lines(const Frame& f, Rect area) {
    const Rect body = foot(f, heads_controls(f, area));
    if (body.h < f.px(60)) return;
    LinesPainter painter{f, f.derived.part<HeadsData>(), *f.derived.part<HeadsData>().here(), body};
    painter.fit(body);
    painter.find_spot();
    const attn::AttentionLine* under = painter.under_pointer();
    const bool by_words = !under && painter.spot_in_words();
    std::optional<QueryKey> meant;
    if (under)
        meant = QueryKey{under->query, under->key};
    else if (f.derived.focus_pinned)
        meant = focus_pair(f);
    painter.lines(meant);
    painter.names(false, meant);
    painter.names(true, meant);
    painter.bars(true, [&](const DrawnMap& map, int i) { return painter.received(map, i); });
    if (painter.shows_given()) painter.bars(false, [&](const DrawnMap& map, int i) { return painter.given(map, i); });
    painter.titles();
    if (by_words) painter.spot.reset();  // it is not under the pointer
    painter.touch(under);
    painter.record();
}

}  // namespace app
