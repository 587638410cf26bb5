// The card of a word's flow: the names of the keys, the other words' rows as dots, and the followed row in figures.

#include <array>

#include "app/layout/flow/word_picture.h"

namespace app::flow::word {
namespace {

constexpr float kLeastShare = 0.005f;  ///< smaller weights are dots

}  // namespace

void Picture::draw_card() {
    const auto& heads = l.graph().weights;
    // The edges of the other heads, behind the shown one.
    for (int h = std::min(static_cast<int>(heads.size()), 5); h-- > 0;) {
        if (h == l.in.head) continue;
        const int behind = h < l.in.head ? h + 1 : h;
        l.b.scene.cards.push_back({card.moved(5 * s * static_cast<float>(behind), 5 * s * static_cast<float>(behind)),
                                   Hue::Rule, false, 1, h});
    }
    l.b.scene.cards.push_back({card});
    l.card = card;
    l.b.scene.bands.push_back({panel, Hue::Query, 0.07f, 7 * s});
    // Slanted names need a line's distance: if that is too much, in smaller type; else those without figures are left out.
    constexpr float kLine = 16, kSmallLine = 13, kShortName = 34;  // a slanted "… 12" stays between its neighbours and in the card
    const auto distance = [&](int j) {
        float least = card.w;
        for (const int k : {j - 1, j + 1})
            if (k >= 0 && k < nk()) least = std::min(least, std::abs(column(k) - column(j)));
        return least * kSlantedRise;
    };
    float closest = card.w;
    for (int j = 0; j < nk(); ++j)
        if (!key_slot(j).is_band()) closest = std::min(closest, distance(j));
    const bool small_names = slanted && closest < kLine * u, left_out = slanted && closest < kSmallLine * u;
    float last_named = card.x - card.w;
    for (int j = 0; j < nk(); ++j) {
        const float lit = key_lit(j), half = column_wide(j) / 2;
        const Rect strip{column(j) - half + 1.5f * s, words_base - 16 * u, 2 * half - 3 * s,
                         panel.y - words_base + 16 * u};
        if (lit > 0) l.b.scene.bands.push_back({strip, Hue::Key, 0.1f * lit, 5 * s});
        // The number of the others is level where it fits.
        const std::string more = key_slot(j).is_band() ? name_of_more(key_slot(j), compact && slanted ? kShortName * u : 2 * half) : std::string();
        // A number that is wider than its column reaches into the margin of the card.
        const float over = slanted || more.empty() ? 0 : std::max(0.0f, measure(more, Type::Small) - 2 * half);
        const bool rises = slanted && (more.empty() || measure(more, Type::Small) > 2 * half);
        LabelSprite name{{column(j) + (rises ? 3 * s : std::min(over / 2, 12 * s)), words_base},
                         more.empty() ? key_name(j) : more,
                         lit > 0.5f ? Type::BodyStrong : key_slot(j).is_band() || small_names ? Type::Small : Type::Body,
                         lit > 0.5f              ? Hue::Key
                         : key_slot(j).is_band() ? Hue::Soft
                                                 : Hue::Ink,
                         rises ? Align::Left : Align::Center,
                         1,
                         rises ? 76 * u : 2 * half + over};
        name.slanted = rises;
        // The last name begins further left rather than leave the card.
        if (rises) {
            const float reach = std::min(measure(name.text, name.type), name.fit) * kSlantedRun;
            name.at.x = std::max(column(j) - half * 0.7f, std::min(name.at.x, card.right() - 4 * s - reach));
        }
        if (same_words() && !key_slot(j).is_band())
            l.b.scene.asks.push_back({{column(j) - half, words_base - 20 * u, 2 * half, 26 * u}, key_slot(j).first});
        // The strongest key is never left out, and no other is too close to it.
        const bool others = !left_out || key_slot(j).is_band() ||
                            (has_figures(j) && (column(j) - last_named) * kSlantedRise >= kSmallLine * u && (j > now.key || (column(now.key) - column(j)) * kSlantedRise >= kSmallLine * u));
        if (lit <= 0.5f && !others) continue;
        last_named = column(j);
        l.b.scene.labels.push_back(std::move(name));
    }
    draw_dots();
    // The followed row enters.
    const auto enters = static_cast<float>(phase(made(w.scores), 0, 0.3));
    for (int i = 0; i < nq() && enters > 0; ++i) {
        const float lit = query_lit(i);
        if (lit <= 0) continue;
        const Rect row = query_rows.row(i);
        const float x = row.right() + 3 * s, end = mixed(x, panel.x, enters), y = panel.y + 18.5f * u;
        l.b.scene.ribbons.push_back({x, row.y + 3 * s, row.bottom() - 3 * s, end,
                                     mixed(row.center().y, y, enters) - 13 * u,
                                     mixed(row.center().y, y, enters) + 13 * u, Hue::Query, kLit * lit});
    }
}

/// The rows of the other words: a disc for each weight.
void Picture::draw_dots() const {
    const float room = panel.y - first_line - 4 * u;
    if (compact || nq() < 2 || room < 4 * u * static_cast<float>(nq() - 1)) return;
    const attn::Step& weights = step(w.weights.step);
    const double there = made(w.weights);
    const float row = room / static_cast<float>(nq() - 1), most = std::min({row * 0.48f, 8.2f * u, narrowest * 0.45f});
    float y = first_line;
    for (int i = 0; i < nq(); ++i) {
        const float high = row * (1 - query_lit(i));
        if (high <= 0.5f * s) continue;
        const float alpha = 1 - query_lit(i);
        const float middle = y + high / 2;
        l.b.scene.asks.push_back({{card.x, y, columns_left - card.x, high}, query_slot(i).first});
        if (row >= 10.5f * u)
            label({columns_left - 9 * u, middle + 4.2f * u}, query_name(i), Type::Small, Hue::Soft, Align::Right, alpha,
                  columns_left - card.x - 12 * u);
        for (int j = 0; j < nk() && there > 0; ++j) {
            const float value = key_slot(j).is_band() ? sum_of(weights.value.one_row(query_slot(i).first), key_slot(j)) : weights.value(query_slot(i).first, key_slot(j).first);
            const Rect cell{columns[static_cast<std::size_t>(j)].x, y, column_wide(j), high};
            if (row >= 24 * u && !key_slot(j).is_band()) {
                l.b.scene.cells.push_back({{w.weights.step, query_slot(i).first, key_slot(j).first},
                                           cell.inset(1.5f * s),
                                           l.b.colors(w.weights.step),
                                           alpha * 0.55f * static_cast<float>(there)});
                l.b.scene.cells.back().hatched = hatched_weight(query_slot(i).first, key_slot(j).first);
                pick_at(w.weights.step, query_slot(i).first, key_slot(j).first, cell);
                continue;
            }
            const bool dot = !(value >= kLeastShare);
            if (dot && !key_slot(j).is_band() && hatched_weight(query_slot(i).first, key_slot(j).first)) continue;
            const float r =
                dot ? std::min(1.3f * s, most) : (most * 0.2f + most * 0.8f * std::sqrt(std::min(1.0f, value)));
            const Rect at = rect_around({column(j), middle}, 2 * r, 2 * r);
            l.b.scene.bars.push_back({at, dot ? Hue::Faint : Hue::Score,
                                      alpha * static_cast<float>(there) * (dot ? 0.5f : mixed(0.35f, 0.75f, value)),
                                      r});
            if (!key_slot(j).is_band()) pick_at(w.weights.step, query_slot(i).first, key_slot(j).first, cell);
        }
        y += high;
    }
}

void Picture::draw_cells_of(attn::StepId id, float y, float high, double there, bool strong) const {
    const attn::Step& of = step(id);
    const ColorScale colors = l.b.colors_of_row(id, asker());
    for (int j = 0; j < nk(); ++j) {
        const FlowSlot slot = key_slot(j);
        // The first product slowly, then all others.
        const int order = (j - now.key + nk()) % nk();
        const double from = order == 0 ? 0.3 : 0.62 + 0.3 * order / std::max(1, nk());
        const auto alpha = static_cast<float>(phase(there, from, std::min(1.0, from + 0.12)));
        const Rect cell = rect_around({column(j), y + high / 2}, std::min(column_wide(j) - 2.5f * s, 76 * u), high);
        if (slot.is_band()) {
            inside(cell, "…", Type::NumberSmall, Hue::Soft, alpha);
            continue;
        }
        if (alpha <= 0) continue;
        const float value = of.value(asker(), slot.first);
        const Type type = j == now.key ? (strong ? Type::NumberStrong : Type::Number) : of_figures.value_or(Type::NumberSmall);
        const bool has_figure = j == now.key || has_figures(j);
        if (t < 1 && std::isfinite(value)) {
            const int before = query_slot(was.query).first;
            const float past = of.value(before, slot.first);
            if (has_figure)
                inside(cell, figure(std::isfinite(past) ? mixed(past, value, t) : value, cell.w - s, type), type, Hue::Ink, alpha);
        } else if (strong) {
            CellSprite c{{id, asker(), slot.first}, cell, colors, alpha};
            c.hatched = !std::isfinite(value);
            c.number = has_figure;
            l.b.scene.cells.push_back(c);
        } else if (has_figure) {
            inside(cell, figure(value, cell.w - s, type), type, j == now.key ? Hue::Ink : Hue::Soft, alpha);
        }
        pick_at(id, asker(), slot.first, cell);
    }
}

/// Glasses that are filled by the shares.
void Picture::draw_shares(float y, float bottom) const {
    const double there = made(w.weights);
    const auto filled = static_cast<float>(ease(phase(there, 0.1, 0.8)));
    const float over = 19 * u, high = bottom - y - over, most_wide = 52 * u;
    for (int j = 0; j < nk(); ++j) {
        const FlowSlot slot = key_slot(j);
        const float wide = std::min(column_wide(j) * 0.74f, most_wide);
        const Rect glass{column(j) - wide / 2, y + over, wide, high};
        l.b.scene.bands.push_back({glass, Hue::Score, 0.07f, 4 * s});
        if (is_masked(j)) {
            CellSprite hatch{{w.weights.step, asker(), slot.first}, glass, {}, 0.6f};
            hatch.hatched = true;
            l.b.scene.cells.push_back(hatch);
            continue;
        }
        if (there <= 0) continue;
        const float value = share(j), lit = key_lit(j), bar = std::max(1.5f * s, high * std::min(1.0f, value) * filled);
        l.b.scene.bars.push_back(
            {{glass.x, glass.bottom() - bar, wide, bar}, Hue::Score, mixed(0.55f, 1, lit), std::min(4 * s, bar / 2)});
        const float room = column_wide(j) - 2 * s;
        const Type type = lit > 0.5f                                           ? Type::NumberStrong
                          : !compact || measure("0.000", Type::Number) <= room ? Type::Number
                                                                               : Type::NumberSmall;
        const std::string text = lit > 0.5f || compact || slot.is_band() || has_figures(j) ? figure(value, room, type) : std::string();
        if (lit > 0.5f || !has_only_zeros(text))
            label({column(j), glass.bottom() - bar - 5 * u}, text, type, lit > 0.5f ? Hue::Score : Hue::Soft,
                  Align::Center, static_cast<float>(phase(there, 0.5, 0.8)));
        if (slot.is_band()) continue;
        pick_at(w.weights.step, asker(), slot.first, glass);
    }
}

/// A step's name, or its symbol if the name does not fit.
std::string Picture::name_within(attn::StepId id, float room, Type type) const {
    constexpr std::string_view kInScores = "\\s ";
    const attn::Role role = step(id).tag.role;
    const std::string name(label_of(attn::role_id(role), l.in.stage.language));
    const std::string_view symbol = look_of(role).symbol;
    const bool letter = symbol.size() == kInScores.size() + 1 && symbol.starts_with(kInScores);
    return measure(name, type) <= room || !letter ? name : std::string(symbol.substr(kInScores.size()));
}

/// What makes the second line of the row out of the first, as long as there is room for.
std::string Picture::name_of_second_line(float room) const {
    if (w.divisor <= 0) return std::string(label_of(attn::role_id(step(w.read.step).tag.role), l.in.stage.language));
    const std::string root = "√" + std::to_string(w.divisor);
    return measure("÷ " + root, Type::Small) <= room ? "÷ " + root : "/" + root;
}

void Picture::draw_row() const {
    const bool scaled = w.read.step != w.scores.step && panel.h >= 120 * u;
    const float line = 25 * u, second = 21 * u, top = panel.y + 6 * u, names_at = columns_left - 8 * u;
    const float fit = columns_left - panel.x - 10 * u;
    label({names_at, top + line / 2 + 4.6f * u},
          w.products ? "q·k" : name_within(w.scores.step, fit, Type::BodyStrong), Type::BodyStrong, Hue::Query, Align::Right, 1, fit);
    draw_cells_of(w.scores.step, top, line, made(w.scores), true);
    float y = top + line;
    if (scaled) {
        label({names_at, y + second / 2 + 4.6f * u}, name_of_second_line(fit), Type::Small, Hue::Soft, Align::Right, 1, fit);
        draw_cells_of(w.read.step, y, second, made(w.read), false);
        y += second;
    }
    draw_shares(y + 2 * u, panel.bottom() - 8 * u);
    label({names_at, panel.bottom() - 10 * u}, name_within(w.weights.step, fit, Type::Small), Type::Small, Hue::Score,
          Align::Right, 1, fit);
}

}  // namespace app::flow::word
