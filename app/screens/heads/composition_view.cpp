// The page of compositions: a map of readers by writers, and the largest pairs as bars. A click shows the reader.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/content/number_text.h"
#include "app/frame/interventions.h"
#include "app/frame/map_touch.h"
#include "app/frame/signed_map.h"
#include "app/screens/heads/maps.h"

namespace app {
namespace {

constexpr Str kComposesTitles[] = {Str::composes_queries, Str::composes_keys, Str::composes_values};
constexpr Str kComposesSays[] = {Str::composes_queries_says, Str::composes_keys_says, Str::composes_values_says};
constexpr int kCompositionKey = 2046;           ///< for heads_matrix_key()
constexpr float kLeastPairs = 230;              ///< design pixels

Rect composition_controls(const Frame& f, Rect area) {
    if (f.view().figure || f.view().present.on) return area;
    ControlRows flow(f, area, f.px(28), f.px(12));
    std::vector<std::string_view> titles;
    for (const Str title : kComposesTitles) titles.push_back(f.say(title));
    int chosen = static_cast<int>(composes_by(f.view().part<HeadsChoice>().composes));
    if (segmented(f.ui, "composes", flow.next(segments_width(f.ui, titles)), titles, chosen))
        change_heads(f, [chosen](HeadsChoice& h) { h.composes = attn::kComposes[static_cast<std::size_t>(chosen)]; });
    const float top = flow.bottom() + f.px(6);
    return {area.x, top, area.w, std::max(0.0f, area.bottom() - top)};
}

std::string composed_head(const Frame& f, const attn::Tag& tag) {
    const std::string name = attn::head_place_text(tag.layer, std::max(tag.head, 0), f.counts_from());
    return tag.part == attn::Part::Encoder ? f.say(Str::put_of_encoder, {name}) : name;
}

std::string pair_words(const Frame& f, const CompositionData& data, int reader, int writer) {
    return f.say(Str::composition_pair, {composed_head(f, data.all->heads[static_cast<std::size_t>(writer)]), composed_head(f, data.all->heads[static_cast<std::size_t>(reader)])});
}

void choose_reader(const Frame& f, const CompositionData& data, int reader) {
    const attn::Tag& tag = data.all->heads[static_cast<std::size_t>(reader)];
    choose_head(f, {tag.of_head(attn::kNoHead), std::max(tag.head, 0)});
}

bool is_shown(const Frame& f, const attn::Tag& tag) {
    const auto& shown = f.derived.shown_head;
    return shown && shown->at.part == tag.part && shown->at.layer == tag.layer && shown->head == std::max(tag.head, 0);
}

void draw_pairs(const Frame& f, Rect area, const CompositionData& data) {
    const float line = f.theme.line_height(Type::SmallStrong);
    f.painter().text_fit({area.x, area.y, area.w, line}, f.say(Str::composition_most), {Type::SmallStrong}, Hue::Soft);
    const Rect rows{area.x, area.y + line + f.px(6), area.w, std::max(0.0f, area.h - line - f.px(6))};
    std::vector<SignedBar> bars;
    for (std::size_t i = 0; i < std::min(data.largest.size(), signed_bars_in(f, rows.h)); ++i) {
        const ComposedPair& pair = data.largest[i];
        bars.push_back({pair_words(f, data, pair.reader, pair.writer), pair.score, is_shown(f, data.all->heads[static_cast<std::size_t>(pair.reader)]), true});
    }
    const auto figure = [](double value) { return number_text(static_cast<float>(value), 3); };
    if (const auto pressed = draw_signed_bars(f, rows, "composed", bars, {}, figure, BarsFrom::Left)) choose_reader(f, data, data.largest[*pressed].reader);
}

}  // namespace

void draw_heads_composition(const Frame& f, Rect area) {
    const CompositionData& data = f.derived.part<HeadsData>().composition;
    Rect body = composition_controls(f, area);
    point_at_weight(f, std::nullopt);
    if (data.none) return say_in_middle(f, body, f.say(Str::composition_none));
    if (!data.map) return say_in_middle(f, body, f.say(Str::computing));
    body = caption_below(f, body, f.say(kComposesSays[static_cast<std::size_t>(data.by)], {number_text(static_cast<float>(data.all->chance), 3)}));
    const float pairs = std::max(f.px(kLeastPairs), body.w * 0.28f);
    const bool beside = body.w - pairs > f.px(kLeastPairs) && !f.view().figure;
    Rect left = body;
    if (beside) {
        draw_pairs(f, {body.right() - pairs, body.y, pairs, body.h}, data);
        left.w -= pairs + f.px(20);
    }
    MatrixLook look;
    look.value = data.map.get();
    look.owner = data.map;
    look.key = heads_matrix_key(data.serial, kCompositionKey);
    look.scale = {Hue::Score, 0, data.largest.empty() ? 1 : data.largest.front().score, false};
    const auto name = [&f, &data](const std::vector<int>& of) {
        return [&f, &data, &of](int i) { return composed_head(f, data.all->heads[static_cast<std::size_t>(of[static_cast<std::size_t>(i)])]); };
    };
    look.rows = name(data.readers);
    look.cols = name(data.writers);
    look.row_hue = Hue::Query;
    look.col_hue = Hue::Output;
    look.largest_cell = f.px(76);
    for (std::size_t r = 0; r < data.readers.size(); ++r)
        if (is_shown(f, data.all->heads[static_cast<std::size_t>(data.readers[r])])) look.lit_row = static_cast<int>(r);
    const float line = f.theme.line_height(Type::Small), legend = f.view().present.on ? 0 : f.px(30);
    const Rect inner{left.x, left.y, left.w, std::max(1.0f, left.h - legend - line)};
    const auto spot = draw_matrix(f, "composition", inner, look);
    const Touch touch = touch_area(f.ui, "composition_map", inner, false);
    const bool pair = spot && spot->row >= 0 && spot->col >= 0 && std::isfinite((*data.map)(spot->row, spot->col));
    std::string words(f.say(Str::composition_axes));
    if (pair) {
        const int reader = data.readers[static_cast<std::size_t>(spot->row)], writer = data.writers[static_cast<std::size_t>(spot->col)];
        words = f.say(Str::named_value, {pair_words(f, data, reader, writer), number_text((*data.map)(spot->row, spot->col), 3)});
        if (touch.hovered) gui::set_cursor(gui::Cursor::Hand);
        if (touch.clicked && !moved_map(f)) choose_reader(f, data, reader);
    }
    const Rect said{left.x, inner.bottom(), left.w, line};
    f.painter().text_fit(said, words, {Type::Small, Align::Center}, pair ? Hue::Ink : Hue::Soft);
    if (legend == 0) return;
    const float bar = std::min(f.px(160), left.w * 0.5f);
    draw_legend(f, {left.center().x - bar / 2, said.bottom() + f.px(4), bar, f.px(7)}, look.scale, false);
}

}  // namespace app
