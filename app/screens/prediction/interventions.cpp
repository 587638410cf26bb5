// Each part of the model replaced in turn: a map of how much the logit changes or, with another text's values, of how
// much of the difference between the two texts is recovered.

#include "app/frame/interventions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/content/number_text.h"
#include "app/explain/intervention_words.h"
#include "app/frame/hint.h"
#include "app/screens/prediction/parts.h"
#include "app/frame/signed_map.h"
#include "app/screens/prediction/sweep.h"
#include "app/ui/rich_text.h"
#include "core/attention/form.h"
#include "core/io/safe_text.h"

namespace app {
namespace {

// Design pixels.
constexpr float kLeastSweepBars = 250, kControlHigh = 28;

std::string sweep_text(double value) { return change_text(static_cast<float>(value)); }

std::string place_words(const Frame& f, const attn::Intervention& put) { return intervention_place_words(put, f.view().language, f.counts_from()); }

void choose_place(const Frame& f, const attn::Intervention& put) {
    if (attn::is_of_a_head(put.at)) return choose_head(f, {{attn::Role::Weights, attn::kNoHead, put.layer, attn::kNoTime, put.part}, put.head});
    change_prediction(f, [put](PredictionLook& look) { look.sweep.place = put; });
}

void turn_into(const Frame& f, const attn::Intervention& put) {
    f.edit([put](attn::Document& d) {
        if (const auto there = std::ranges::find(d.interventions, put); there != d.interventions.end())
            d.interventions.erase(there);
        else
            d.interventions.push_back(put);
    });
}

std::string replacing_words(const Frame& f, const attn::Intervention& put) {
    const bool there = std::ranges::find(f.state.document.interventions, put) != f.state.document.interventions.end();
    const Str does = there ? Str::sweep_take_back : attn::rule_of(put.by) ? Str::sweep_put_pattern : put.by == attn::PutBy::Zero ? Str::head_off : put.by == attn::PutBy::Mean ? Str::sweep_put_mean : Str::sweep_put_text;
    return f.say(Str::named_value, {place_words(f, put), f.say(does)});
}

/// How many rows the buttons for a place take: a head has two buttons.
int rows_of_buttons(const Frame& f, float wide, const attn::Intervention& put) {
    if (!attn::is_of_a_head(put.at)) return 1;
    return button_width(f.ui, replacing_words(f, put)) + f.px(8) + button_width(f.ui, f.say(Str::parts_show_head)) > wide ? 2 : 1;
}

void place_buttons(const Frame& f, Rect area, const attn::Intervention& put) {
    ControlRows flow(f, area, f.px(kControlHigh), f.px(8));
    const std::string named = replacing_words(f, put);
    if (button(f.ui, "sweep_put", flow.next(button_width(f.ui, named)), named, ButtonKind::Filled)) turn_into(f, put);
    if (!attn::is_of_a_head(put.at)) return;
    const std::string_view see = f.say(Str::parts_show_head);
    if (button(f.ui, "show_part", flow.next(button_width(f.ui, see)), see)) show_weights(f, {{attn::Role::Weights, attn::kNoHead, put.layer, attn::kNoTime, put.part}, put.head});
}

/// The rule by which a head's weights are forced.
void choose_rule(const Frame& f, ControlRows& flow, const attn::PatternRule& rule) {
    std::vector<std::string_view> names;
    for (const attn::PatternRule& one : attn::kPatternRules) names.push_back(label_of(one.id, f.view().language));
    int chosen = static_cast<int>(&rule - attn::kPatternRules.data());
    if (segmented(f.ui, "sweep_rule", flow.next(segments_width(f.ui, names)), names, chosen))
        change_prediction(f, [id = std::string(attn::kPatternRules[static_cast<std::size_t>(chosen)].id)](PredictionLook& l) {
            l.sweep.by = id;
            l.sweep.place.reset();
        });
}

/// Which words, by what each part is replaced, and the other text.
float draw_sweep_choices(const Frame& f, Rect area) {
    const SweepLook& look = f.view().part<PredictionLook>().sweep;
    ControlRows flow(f, area, f.px(kControlHigh), f.px(6));
    choose_tokens(f, flow, "sweep");
    const std::string_view title = f.say(Str::sweep_by);
    const std::string_view names[] = {f.say(Str::sweep_by_zero), f.say(Str::sweep_by_mean), f.say(Str::sweep_by_text), f.say(Str::sweep_by_pattern)};
    static_assert(std::size(names) == attn::kPutByBeforeRules + 1);
    const float words = f.painter().width(title, Type::Small) + f.px(8);
    const Rect by = flow.next(words + segments_width(f.ui, names));
    f.painter().text_in({by.x, by.y, words, by.h}, title, {Type::Small}, Hue::Soft);
    const attn::PatternRule* rule = attn::rule_of(look.put_by());
    int chosen = rule ? static_cast<int>(attn::kPutByBeforeRules) : static_cast<int>(look.put_by());
    if (segmented(f.ui, "sweep_by", {by.x + words, by.y, by.w - words, by.h}, names, chosen)) {
        const bool source = attn::has(attn::find_form(f.state.document.config.form)->reads, attn::Reads::Source);
        change_prediction(f, [by = std::string(attn::kPutBy[static_cast<std::size_t>(chosen)]), usual = source ? f.state.document.source : f.state.document.text](PredictionLook& l) {
            l.sweep.by = by;
            l.sweep.place.reset();
            if (l.sweep.from.empty()) l.sweep.from = usual;  // a word of it is soon changed
        });
    }
    if (rule) choose_rule(f, flow, *rule);
    if (look.put_by() != attn::PutBy::Text) return flow.bottom();
    const std::string_view places[] = {f.say(Str::prediction_stream), f.say(Str::sweep_parts)};
    int where = look.residual() ? 0 : 1;
    if (segmented(f.ui, "sweep_where", flow.next(segments_width(f.ui, places)), places, where))
        change_prediction(f, [where](PredictionLook& l) {
            l.sweep.places = kPatchedPlaces[where];
            l.sweep.place.reset();
        });
    TypedText& typing = f.scratch.sweep;
    if (!typing.active) typing.text = look.from;
    FieldLook field;
    field.placeholder = f.say(Str::sweep_text_hint);
    const gui::FieldResult typed = text_field(f.ui, "sweep_from", {area.x, flow.bottom() + f.px(8), area.w, f.theme.field_height}, typing.text, field);
    typing.active = typed.active;
    if (typed.changed) change_prediction(f, [text = typing.text](PredictionLook& l) { l.sweep.from = text; });
    return flow.bottom() + f.px(8) + f.theme.field_height;
}

std::string sweep_sentence(const Frame& f, const SweepData& data) {
    const PredictionData& words = f.derived.part<PredictionData>();
    const std::string logit = words.against ? f.say(Str::sweep_logits, {word_label(f, words.target), word_label(f, *words.against)}) : f.say(Str::sweep_logit, {word_label(f, words.target)});
    const std::string here = number_text(static_cast<float>(data.map.here), 3);
    if (data.by == attn::PutBy::Text) return f.say(Str::sweep_says_text, {logit, here, number_text(static_cast<float>(data.map.there), 3)});
    if (const attn::PatternRule* rule = attn::rule_of(data.by)) return f.say(Str::sweep_says_pattern, {logit, here, label_of(rule->id, f.view().language)});
    return f.say(Str::sweep_says, {logit, here, f.say(data.by == attn::PutBy::Mean ? Str::sweep_means : Str::sweep_zeros)});
}

Str sweep_note_of(attn::PutBy by) {
    if (attn::rule_of(by)) return Str::sweep_note_pattern;
    return by == attn::PutBy::Zero ? Str::sweep_note : by == attn::PutBy::Mean ? Str::sweep_note_mean : Str::sweep_note_text;
}

/// Why there is no map; empty: there is one.
std::string sweep_refusal(const Frame& f, const SweepData& data) {
    switch (data.refused) {
        case SweepRefusal::None:
            return data.map.cells.empty() ? std::string(f.say(data.computing || data.generation != f.derived.generation ? Str::computing : Str::prediction_none)) : std::string();
        case SweepRefusal::NoBlocks:
            return std::string(f.say(Str::sweep_no_blocks));
        case SweepRefusal::SameText:
            return std::string(f.say(Str::sweep_text_same));
        case SweepRefusal::OtherLength:
            return f.say(Str::sweep_text_length, {std::to_string(data.other_tokens), std::to_string(data.tokens)});
        case SweepRefusal::SameLogit:
            return std::string(f.say(Str::sweep_text_equal));
        case SweepRefusal::Error:
            return data.error;
    }
    return {};
}

bool has_runs_to_come(const Frame& f, const SweepData& data) {
    return (data.runs == 0 || data.done != data.runs) && (data.computing || f.view().part<PredictionLook>().sweep.stopped);
}

void draw_sweep_progress(const Frame& f, Rect row, const SweepData& data) {
    const bool stopped = f.view().part<PredictionLook>().sweep.stopped;
    if (draw_runs_to_come(f, row, "sweep", {data.done, data.runs, stopped})) change_prediction(f, [stopped](PredictionLook& look) { look.sweep.stopped = !stopped; });
}

/// A place of the residual stream is named by its row and its column, as in the map; its name in words is too long here.
std::string bar_words(const Frame& f, const SignedMap& map, const SweepMap::Cell& cell) {
    if (cell.put.at != attn::Site::Residual) return place_words(f, cell.put);
    return fmt::format("{} · {}", map.rows[cell.row], map.columns[static_cast<std::size_t>(cell.column)].title);
}

void draw_sweep_bars(const Frame& f, Rect area, const SweepData& data, const SignedMap& map) {
    std::vector<SignedBar> bars;
    const auto& order = data.map.largest_first;
    const std::size_t listed = std::min(order.size(), signed_bars_in(f, area.h));
    for (std::size_t i = 0; i < listed; ++i) {
        const SweepMap::Cell& cell = data.map.cells[order[i]];
        bars.push_back({bar_words(f, map, cell), cell.value, data.shown == order[i], true});
    }
    if (const auto pressed = draw_signed_bars(f, area, "sweep_bar", bars, {}, sweep_text)) choose_place(f, data.map.cells[order[*pressed]].put);
}

}  // namespace

bool draw_runs_to_come(const Frame& f, Rect row, std::string_view id, const RunsToCome& runs) {
    const std::string_view label = f.say(runs.stopped ? Str::sweep_go_on : Str::sweep_stop);
    const float wide = button_width(f.ui, label);
    const Rect at{row.right() - wide, row.y, wide, row.h};
    const bool pressed = button(f.ui, fmt::format("{}_{}", id, runs.stopped ? "go_on" : "stop"), at, label);
    const std::string all = std::to_string(runs.all);
    const float words = std::min(f.painter().width(f.say(Str::sweep_runs, {all, all}), Type::Small) + f.px(10), at.x - row.x);
    f.painter().text_fit({row.x, row.y, words, row.h}, f.say(Str::sweep_runs, {std::to_string(runs.done), all}), {Type::Small}, Hue::Soft);
    const float bar = at.x - row.x - words - f.px(10);
    if (bar > f.px(20)) progress_bar(f.ui, {row.x + words, row.center().y - f.px(2), bar, f.px(4)}, static_cast<float>(runs.done) / static_cast<float>(std::max<std::size_t>(1, runs.all)));
    return pressed;
}

void draw_prediction_interventions(const Frame& f, Rect area) {
    const PredictionData& words = f.derived.part<PredictionData>();
    if (words.row < 0) return draw_prediction_words(f, area);
    const SweepData& data = f.derived.part<SweepData>();
    float y = draw_prediction_text(f, {area.x, area.y, area.w, 0}) + f.px(8);
    const std::string refused = sweep_refusal(f, data);
    if (refused.empty()) {
        const RichText says = lay_out_rich(sweep_sentence(f, data), area.w, Type::Body, f.theme, f.painter().fonts());
        draw_rich(f.painter(), says, {area.x, y}, Hue::Ink);
        y += says.height() + f.px(4);
    }
    if (const std::string changed = changed_sentence(f); !changed.empty()) y += draw_lines(f.painter(), {area.x, y, area.w, area.bottom() - y}, changed, {Type::Small}, Hue::Soft, 2) + f.px(4);
    if (data.refused != SweepRefusal::NoBlocks) y = draw_sweep_choices(f, {area.x, y, area.w, area.bottom() - y}) + f.px(10);
    Rect body{area.x, y, area.w, std::max(0.0f, area.bottom() - y)};
    if (!refused.empty() && data.refused == SweepRefusal::None && f.view().part<PredictionLook>().sweep.stopped) return draw_sweep_progress(f, {body.x, body.y, std::min(body.w, f.px(kLeastSweepBars)), f.px(kControlHigh)}, data);
    if (!refused.empty()) return say_in_middle(f, body, refused);
    const float line = f.theme.line_height(Type::Small), buttons = f.px(kControlHigh + 8);
    const float least = 2 * line + buttons + 1.3f * line * static_cast<float>(std::min<std::size_t>(data.map.rows.size(), 12));
    if (body.h >= least + 3 * line) body = caption_below(f, body, f.say(sweep_note_of(data.by)));
    const SignedMap& map = data.drawn;
    const SignedMapLook look{.number = sweep_text,
                             .says =
                                 [&f, &data](std::size_t i) {
                                     const SweepMap::Cell& cell = data.map.cells[i];
                                     const std::string place = place_words(f, cell.put);
                                     return std::isfinite(cell.value) ? f.say(Str::named_value, {place, sweep_text(cell.value)}) : place;
                                 },
                             .shown = data.shown};
    const float bars = std::max(f.px(kLeastSweepBars), body.w * 0.34f), beside = body.w - bars - f.px(24), figures = least_width_with_figures(f, map);
    const bool alone = beside < figures && figures <= body.w;  // the bars repeat the map's figures, so they give way to them
    const float wide = alone ? body.w : beside;
    const Rect progress = alone ? Rect{body.x, body.y, body.w, f.px(kControlHigh)} : Rect{body.right() - bars, body.y, bars, f.px(kControlHigh)};
    const bool runs = has_runs_to_come(f, data);
    if (runs)
        draw_sweep_progress(f, progress, data);
    else if (!alone)
        f.painter().text_fit(progress, f.say(data.by == attn::PutBy::Text ? Str::sweep_recovered_most : Str::sweep_changed_most), {Type::SmallStrong}, Hue::Soft);
    const float top = alone && runs ? progress.bottom() : body.y;
    const float below = data.shown ? buttons * static_cast<float>(rows_of_buttons(f, wide, data.map.cells[*data.shown].put)) : 0;
    const PressedMap drawn = draw_signed_map(f, {body.x, top, wide, std::max(f.px(60), body.bottom() - below - top)}, "sweep", map, look);
    const float title = f.px(kControlHigh + 6);
    if (!alone) draw_sweep_bars(f, {progress.x, body.y + title, bars, std::max(0.0f, body.h - title)}, data, map);
    if (data.generation != f.derived.generation) return;  // of another run, so it cannot be acted upon
    if (drawn.pressed) choose_place(f, data.map.cells[*drawn.pressed].put);
    if (data.shown) place_buttons(f, {body.x, drawn.bottom + f.px(8), wide, f.px(kControlHigh)}, data.map.cells[*data.shown].put);
}

}  // namespace app
