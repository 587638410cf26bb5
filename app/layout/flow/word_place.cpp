// Where the parts of a word's flow are.

#include "app/layout/flow/word_picture.h"

namespace app::flow::word {
namespace {

constexpr float kMostRest = 0.25f;  ///< the width of the column of the rest, at most, in all of them
constexpr float kLens = 7;          ///< design pixels: the least width of a column that has no figures

}  // namespace

/// Few numbers of a head have room for their figures; of many, each is a stripe.
float Picture::block_width() const {
    const auto cols = static_cast<float>(step(w.keys.step).value.cols());
    // A small picture has no room for both the figures of a head and the row of many keys: the figures are dropped.
    const bool both = !compact || area.w - cols * 38 * u - 116 * u - own_names >= static_cast<float>(nk() + 1) * 24 * u;
    return cols <= kFewCells && both ? cols * (compact ? 38 * u : std::clamp(area.w * kBlockShare / cols, 33 * u, 42 * u))
                             : 168 * u;
}

void Picture::place_columns() {
    area = l.in.stage.area;
    area.h = floor_ - area.y;
    float widest = 0;
    const Type type = Type::Body;
    for (int j = 0; j < nk(); ++j) widest = std::max(widest, measure(key_name(j), type));
    if (!same_words())
        for (int i = 0; i < nq(); ++i) widest = std::max(widest, measure(query_name(i), type));
    names = std::clamp(widest + 4 * u, 30 * u, 104 * u);
    const bool narrow = area.w < 1120 * u;
    strips = w.projected && area.w >= 1060 * u ? (narrow ? 64 * s : 96 * s) : 0;
    braid = std::clamp(area.w * 0.13f, 70 * s, 190 * s);
    gap = (narrow ? 16 : 30) * s;
    const auto width = static_cast<float>(step(w.output.step).value.cols());
    right.w = narrow
                  ? 176 * u
                  : std::max(228 * u,
                             width <= kFewCells ? width * std::clamp(area.w * kBlockShare / width, 33 * u, 40 * u) : 0);
    right.x = area.right() - right.w;
    // The card of a short text is no wider than its columns need.
    float own = 0;
    for (int j = 0; j < nk(); ++j)
        if (key_slot(j).rest == 0) own = std::max({own, measure(key_name(j), Type::Small), measure(key_name(j), Type::BodyStrong) - 2 * u});
    for (int i = 0; !same_words() && i < nq(); ++i) own = std::max(own, measure(query_name(i), Type::BodyStrong));
    own_names = std::clamp(own + 12 * u, 24 * u, 80 * u);
    bus_wide = (narrow ? 40 : 58) * s;
    if (compact) {
        names = strips = braid = 0;
        bus_wide = 16 * s;
        right.w = 62 * u;
        right.x = area.right() - right.w;
    }
    const float left = area.x + names + strips + 12 * s + braid + own_names + block_width() + bus_wide;
    label_wide = std::min((compact ? 50 : 74) * u, (right.x - gap - left) * 0.24f);
    if (compact) return;
    // To keep the figures of the row, first the braid and then the words' vectors become narrower.
    float short_of = label_wide + static_cast<float>(nk()) * figure_room(Type::Number) + 27 * s - (right.x - gap - left);
    for (const auto& [part, least] : {std::pair{&braid, 64 * s}, std::pair{&strips, 44 * s}}) {
        const float given = std::clamp(short_of, 0.0f, std::max(0.0f, *part - least));
        *part -= given;
        short_of -= given;
    }
    // For the figures in their shortest form, the names of the lines and the bus give way, too.
    const float shortest = figure_room(Type::Number, true) * static_cast<float>(nk() - 1) + std::max(measure("00.00", Type::Number), figure_room(Type::Number)) + 3 * s;
    float lacks = label_wide + shortest + 27 * s - (right.x - gap - (area.x + names + strips + 12 * s + braid + own_names + block_width() + bus_wide));
    const float named = std::clamp(measure(name_of_second_line(74 * u), Type::Small) + 18 * u, 48 * u, 74 * u);
    for (const auto& [part, least] : {std::pair{&label_wide, named}, std::pair{&bus_wide, 28 * s}}) {
        const float given = std::clamp(lacks, 0.0f, std::max(0.0f, *part - least));
        *part -= given;
        lacks -= given;
    }
    const float most = label_wide + static_cast<float>(nk()) * 78 * u + 15 * s,
                free = std::max(0.0f, right.x - gap - left - most);
    braid += std::min(free * 0.5f, 90 * s);
    gap += std::max(0.0f, free - std::min(free * 0.5f, 90 * s));
}

Rect Picture::word_row(int i, bool asks) const {
    const bool own = asks && !same_words();
    if (own) {
        const float pitch = std::min(area.h * 0.42f / static_cast<float>(nq()), 46 * u),
                    high = pitch * static_cast<float>(nq());
        return {area.x, area.bottom() - high + pitch * static_cast<float>(i), names + strips + 12 * s, pitch};
    }
    // In a folded text, the query is drawn among the keys.
    int at = i;
    if (asks && nq() != nk())
        for (int j = 0; j < nk(); ++j)
            if (key_slot(j).has(query_slot(i).first)) at = j;
    const float all = same_words() ? area.h : area.h * 0.52f, top = 22 * u;
    const float pitch = std::min((all - top) / static_cast<float>(nk()), (nk() <= kFewWords ? 96 : 68) * u);
    const float left = same_words() ? std::max(0.0f, (all - top - pitch * static_cast<float>(nk())) / 2) : 0;
    return {area.x, area.y + top + left + pitch * static_cast<float>(at), names + strips + 12 * s, pitch};
}

void Picture::stack(Stack& into, attn::StepId id, float x, float y, float wide, float row, float lit, int count,
                    bool asks) const {
    into = {id};
    const float top = y;
    for (int i = 0; i < count; ++i) {
        const float high = mixed(row, lit, asks ? query_lit(i) : key_lit(i));
        into.rows.push_back({x, y, wide, high});
        y += high;
    }
    into.cells = {x, top, wide, y - top};
}

void Picture::place_rows() {
    if (compact) return place_values_alone();
    const Rect& a = area;
    const float x = a.x + names + strips + 12 * s + braid + own_names, wide = block_width();
    const bool few = nk() <= kFewWords && nq() <= kFewWords;
    const float title = 27 * u, lit = (few ? 34 : 29) * u, apart = 10 * u, most_apart = 64 * u;
    const auto rest = static_cast<float>(2 * (nk() - 1) + nq() - 1);
    const float room = a.h - 3 * (title + lit) - 2 * apart;
    const float row = rest > 0 ? std::clamp(room / rest, 2 * s, (few ? 26 : 18) * u) : 0;
    const float spare = std::min(most_apart, std::max(0.0f, room - row * rest) / 2) + apart;
    // A short text is centred instead of stretched over the whole height.
    const float used = 3 * (title + lit) + row * rest + 2 * spare, above = std::max(0.0f, a.h - used) * 0.4f;
    area = {a.x, a.y + above, a.w, std::max(used, a.h - 2 * above)};
    float y = area.y + title;
    stack(key_rows, w.keys.step, x, y, wide, row, lit, nk(), false);
    y = key_rows.cells.bottom() + spare + title;
    stack(query_rows, w.queries.step, x, y, wide, row, lit, nq(), true);
    y = query_rows.cells.bottom() + spare + title;
    stack(value_rows, w.values.step, x, y, wide, row, lit, nk(), false);
}

/// The values at the bottom, the followed row next to the card.
void Picture::place_values_alone() {
    constexpr float kShare = 0.36f;  // of the height
    const float x = area.x + own_names, wide = block_width(), title = 27 * u, lit = 29 * u;
    const float row =
        nk() > 1 ? std::clamp((area.h * kShare - title - lit) / static_cast<float>(nk() - 1), 2 * s, 22 * u) : 0;
    const float high = lit + row * static_cast<float>(nk() - 1);
    stack(value_rows, w.values.step, x, area.bottom() - high, wide, row, lit, nk(), false);
    key_rows = {w.keys.step};
    for (int j = 0; j < nk(); ++j) key_rows.rows.push_back({x, area.y, wide, lit});
    key_rows.cells = {x, area.y, wide, lit};
    query_rows = {w.queries.step};
    for (int i = 0; i < nq(); ++i) query_rows.rows.push_back({x, area.y, wide, lit});
    query_rows.cells = {x, area.y, wide, lit};
}

/// Of one row: all columns alike if their figures fit, else those of the strongest keys have their figures and the others
/// only their colour. The strongest key has room for all of its digits.
std::vector<float> Picture::column_widths(const Followed& of, float wide, float whole, float rest) const {
    std::vector<float> out(keys.size(), 0);
    std::vector<std::size_t> order;
    for (std::size_t j = 0; j < keys.size(); ++j) {
        if (keys[j].is_band()) out[j] = rest;
        else order.push_back(j);
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t z) {
        const auto is_pinned = [&](std::size_t j) { return keys[j].first == l.in.key; };
        return is_pinned(a) != is_pinned(z) ? is_pinned(a) : of.shares[a] > of.shares[z];
    });
    if (order.empty()) return out;
    const auto best = static_cast<std::size_t>(of.key);
    const auto count = static_cast<float>(order.size());
    const float even = wide / count, extra = std::clamp(whole - even, 0.0f, wide * 0.3f), each = (wide - extra) / count;
    const float least = figure_room(Type::Number, true);
    for (const std::size_t j : order) out[j] = each + (j == best ? extra : 0);
    if (each >= least) return out;
    const float narrow = std::min(kLens * u, wide / (count + 4));
    const auto others = static_cast<std::size_t>(std::max(0.0f, (wide - whole - narrow * (count - 1)) / (least - narrow)));
    const auto with = std::min(others, order.size() - 1);
    const float left = order.size() - 1 > with ? (wide - whole - least * static_cast<float>(with)) / static_cast<float>(order.size() - 1 - with) : narrow;
    std::size_t given = 0;
    for (const std::size_t j : order) out[j] = j == best ? whole : given++ < with ? least : left;
    return out;
}

void Picture::place_columns_of_card() {
    const float all = panel.right() - 8 * s - columns_left, whole = std::max(measure("00.00", Type::Number), figure_room(Type::Number)) + 3 * s;
    columns.clear();
    std::vector<float> widths;
    if (compact) {
        // The keys have the room: the rest needs less than one column, but has its number.
        float count = 0, words = 0;
        for (const FlowSlot& slot : keys) {
            if (slot.rest == 0) ++count;
            else words = measure("… " + std::to_string(slot.rest), Type::Small) + 4 * s;
        }
        const auto share = [&](float columns_) { return columns_ * all / (count + columns_); };
        const auto extra_with = [&](float taken) { return std::clamp(whole - (all - taken) / std::max(1.0f, count), 0.0f, (all - taken) * 0.3f); };
        const auto each_with = [&](float taken) { return (all - taken - extra_with(taken)) / std::max(1.0f, count); };
        float others = words > 0 ? std::max(share(0.5f), std::min(words, share(0.65f))) : 0;
        // Figures of the keys go before that number.
        const float half = 0.5f * (all - std::clamp(whole - all / (count + 0.5f), 0.0f, all * 0.3f)) / (count + 0.5f);
        if (words > 0 && each_with(others) < figure_room(Type::Number)) others = half;
        const float extra = extra_with(others), rest = each_with(others);
        for (int j = 0; j < nk(); ++j) widths.push_back(key_slot(j).rest > 0 ? others : rest + extra * key_lit(j));
        narrowest = rest;
    } else {
        // The rest has room for how many it is, and for its share.
        float rest = 0;
        for (const FlowSlot& slot : keys)
            if (slot.rest > 0)
                rest = std::min(all * kMostRest, std::max(measure("… " + std::to_string(slot.rest), Type::Small), measure("0.00", Type::Number)) + 6 * s);
        widths = column_widths(now, all - rest, whole, rest);
        const std::vector<float> before = t < 1 ? column_widths(was, all - rest, whole, rest) : widths;
        narrowest = all;
        for (std::size_t j = 0; j < keys.size(); ++j) {
            widths[j] = mixed(before[j], widths[j], t);
            if (!keys[j].is_band()) narrowest = std::min(narrowest, widths[j]);
        }
    }
    float x = columns_left;
    for (const float wide : widths) {
        columns.push_back({x, card.y, wide, card.h});
        x += wide;
    }
}

/// With as many decimals as fit; empty if nothing fits.
std::string Picture::figure(float value, float room, Type type) const {
    if (!std::isfinite(value)) return "−∞";
    return short_row_text(value, [&](std::string_view words) { return measure(words, type) <= room; });
}

void Picture::place_card() {
    right = {right.x, area.y, right.w, area.h};
    const float x = key_rows.cells.right() + bus_wide;
    card = {x, area.y, right.x - gap - x, std::max(0.0f, value_rows.cells.y - (compact ? 12 : 24) * u - area.y)};
    columns_left = card.x + label_wide;
    panel = {card.x + 7 * s, card.y, card.w - 14 * s, 0};
    float widest = 0;
    place_columns_of_card();
    slanted = false;
    for (int j = 0; j < nk(); ++j) {
        if (key_slot(j).is_band()) continue;
        const float name = measure(key_name(j), Type::Body);
        widest = std::max(widest, name);
        slanted = slanted || name > column_wide(j) - 3 * s;
    }
    const float bus = compact ? 8 * s : std::min(14 * s + 4.6f * s * static_cast<float>(nk()), 60 * s);
    words_base = card.y + bus + (slanted ? std::min(widest, 76 * u) * kSlantedRise + 6 * u : 18 * u);
    lines_base = slanted ? card.y + bus : words_base - 18 * u;
    first_line = words_base + 8 * u;
    const float all = card.bottom() - first_line - 8 * s, least = std::min(all, 168 * u);
    const float dots = std::min(all - least, (nq() <= kFewWords ? 30 : 18) * u * static_cast<float>(nq() - 1));
    const bool has_dots = !compact && nq() > 1 && dots / static_cast<float>(nq() - 1) >= 4 * u;
    const float from = first_line + (has_dots ? dots + 4 * u : 0);
    panel = {panel.x, from, panel.w, std::min(card.bottom() - 7 * s - from, 236 * u)};
    card.h = panel.bottom() + 7 * s - card.y;
    if (!compact) return;
    // The strongest key is shown under the query, if the values leave room.
    const float title = 27 * u, high = query_rows.cells.h;
    float y = panel.y + 6 * u;
    has_key = y + 2 * high + title <= value_rows.cells.y - title - 4 * u;
    for (Stack* one : {&query_rows, &key_rows}) {
        for (Rect& row : one->rows) row.y = y;
        one->cells.y = y;
        y += high + title;
    }
}

WordStrip Picture::strip_of() const {
    return {l.b, w.after, [this](attn::StepId id) { return row_for(step(w.weights.step), asker_row, step(id)); },
            [this](const WordStep& box) { return made({box.step, box.stop}); }, l.in.unfolded, l.in.stage.area};
}

/// Places the strip and what it unfolds: at the bottom or, if it is short, below the output.
void Picture::place_strip() {
    floor_ = l.in.stage.area.bottom();
    strip_at = unfolded_at = {};
    if (lines == Lines::None) return;
    const Rect& all = l.in.stage.area;
    const WordStrip strip = strip_of();
    const float open = unfolded_height(strip), high = strip_height(l.b, lines == Lines::Figure ? StripLines::Figure : StripLines::Name);
    if (open > 0) {
        unfolded_at = {all.x, floor_ - open, all.w, open};
        floor_ -= open + 10 * u;
    }
    strip_at = {all.x, floor_ - high, all.w, high};
    if (!beside) floor_ -= high + (compact ? 18 : 22) * u;
}

}  // namespace app::flow::word
