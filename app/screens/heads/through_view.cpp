// Through the layers: how much of each token arrives at each, by rollout, by flow, or as the mean of all maps.

#include <algorithm>
#include <cmath>

#include "app/content/number_text.h"
#include "app/screens/heads/maps.h"

namespace app {
namespace {

constexpr Str kThroughTitles[] = {Str::through_rollout, Str::through_flow, Str::through_average};
constexpr Str kThroughSays[] = {Str::through_rollout_says, Str::through_flow_says, Str::through_average_says};
constexpr int kThroughKey = 2047;  ///< for heads_matrix_key()

Rect through_controls(const Frame& f, Rect area) {
    const ThroughData& data = f.derived.part<HeadsData>().through;
    ControlRows flow(f, area, f.px(28), f.px(12));
    std::vector<std::string_view> titles;
    for (const Str title : kThroughTitles) titles.push_back(f.say(title));
    int chosen = static_cast<int>(attn::find_through(f.view().part<HeadsChoice>().through).value_or(attn::Through::Rollout));
    if (segmented(f.ui, "heads_through", flow.next(segments_width(f.ui, titles)), titles, chosen))
        change_heads(f, [chosen](HeadsChoice& h) { h.through = attn::through_id(static_cast<attn::Through>(chosen)); });
    if (data.layers > 1) {
        const std::string all = std::to_string(data.layers);
        const float label = f.painter().width(f.say(Str::through_layers, {all, all}), Type::Small) + f.px(8);
        const Rect rect = flow.next(label + f.px(110));
        f.painter().text_in({rect.x, rect.y, label, rect.h}, f.say(Str::through_layers, {std::to_string(data.used), all}), {Type::Small}, Hue::Soft);
        auto used = static_cast<float>(data.used);
        if (slider(f.ui, "heads_layers", {rect.x + label, rect.y, rect.w - label, rect.h}, used, {1, static_cast<float>(data.layers), 1, static_cast<float>(data.layers), false}))
            change_heads(f, [to = static_cast<int>(std::lround(used)), most = data.layers](HeadsChoice& h) { h.layers = to >= most ? 0 : to; });
    }
    hiding_flags(f, flow);
    const float top = flow.bottom() + f.px(6);
    return {area.x, top, area.w, std::max(0.0f, area.bottom() - top)};
}

}  // namespace

void draw_heads_through(const Frame& f, Rect area) {
    const ThroughData& data = f.derived.part<HeadsData>().through;
    Rect body = caption_below(f, through_controls(f, area), f.say(kThroughSays[static_cast<std::size_t>(data.which)]));
    body = caption_below(f, body, hidden_sentence(f));
    point_at_weight(f, std::nullopt);
    if (data.too_long) return say_in_middle(f, body, f.say(Str::through_too_long, {std::to_string(attn::kMostFlowTokens)}));
    if (!data.map) return say_in_middle(f, body, f.say(data.stacks == 0 ? Str::through_none : Str::computing));
    const HeadsPlace& place = f.derived.part<HeadsData>().places[static_cast<std::size_t>(data.place)];
    MatrixLook look;
    look.value = data.map.get();
    look.owner = data.map;
    look.key = heads_matrix_key(f.derived.part<HeadsData>().page_revision, kThroughKey);
    look.scale = {Hue::Score, 0, f.view().shared_scale || data.most <= 0 ? 1 : data.most, false};
    look.rows = names_from(place.query_names);
    look.cols = names_from(place.key_names);
    look.largest_cell = f.px(76);  // there is only one map, and its numbers matter
    look.row_hue = Hue::Output;
    look.col_hue = Hue::Input;
    // The row that the stage follows; without one the last, which is what a text is continued from.
    const auto pair = focus_pair(f);
    look.lit_row = pair && pair->query < place.queries() ? pair->query : place.queries() - 1;
    if (look.lit_row >= 0) data.map->row(look.lit_row).maxCoeff(&look.lit_col);
    span_bulk(f, look);
    const float line = f.theme.line_height(Type::Small), legend = f.px(30);
    const Rect inner{body.x, body.y, body.w, std::max(1.0f, body.h - legend - line)};
    const auto spot = draw_matrix(f, "through", inner, look);
    const Rect said{body.x, inner.bottom(), body.w, line};
    std::string words = f.say(Str::through_axes, {f.number(data.used - 1)});
    if (spot && spot->row < place.queries() && spot->col < place.keys())
        words = f.say(Str::through_cell, {place.key_names[static_cast<std::size_t>(spot->col)], place.query_names[static_cast<std::size_t>(spot->row)],
                                          number_text((*data.map)(spot->row, spot->col), 3)});
    f.painter().text_fit(said, words, {Type::Small, Align::Center}, spot ? Hue::Ink : Hue::Soft);
    const float bar = std::min(f.px(160), body.w * 0.5f);
    draw_legend(f, {body.center().x - bar / 2, said.bottom() + f.px(4), bar, f.px(7)}, look.scale, false, look.more);
}

}  // namespace app
