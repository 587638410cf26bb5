// What the model predicts at a position: the likeliest tokens as bars, how one is chosen, and the button that inserts
// it.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/content/number_text.h"
#include "app/frame/hint.h"
#include "app/frame/control_rows.h"
#include "app/screens/prediction/parts.h"
#include "app/ui/rich_text.h"

namespace app {
namespace {

constexpr float kNextRow = 25, kLeastBar = 60, kPredictionSlider = 92;  ///< design pixels
constexpr std::array kTopKs = {0, 1, 2, 5, 10, 20, 50, 100, 200};

/// A slider with its value in words before it.
float dial(const Frame& f, ControlRows& flow, std::string_view id, const std::string& words, const std::string& widest, float value, const SliderRange& range) {
    const float label = f.painter().width(widest, Type::Small) + f.px(8);
    const Rect rect = flow.next(label + f.px(kPredictionSlider));
    f.painter().text_in({rect.x, rect.y, label, rect.h}, words, {Type::Small}, Hue::Soft);
    slider(f.ui, id, {rect.x + label, rect.y, rect.w - label, rect.h}, value, range);
    return value;
}

void how_to_take(const Frame& f, ControlRows& flow) {
    const std::string_view names[] = {f.say(Str::prediction_likeliest), f.say(Str::prediction_draw)};
    int chosen = f.view().part<PredictionLook>().draw ? 1 : 0;
    if (segmented(f.ui, "prediction_how", flow.next(segments_width(f.ui, names)), names, chosen))
        change_prediction(f, [chosen](PredictionLook& look) { look.draw = chosen == 1; });
}

void seed_dial(const Frame& f, ControlRows& flow) {
    const std::uint64_t seed = f.view().part<PredictionLook>().seed;
    const std::string_view title = f.say(Str::train_seed);
    const float words = f.painter().width(title, Type::Small) + f.px(6), side = f.px(28), number = f.px(30);
    const Rect rect = flow.next(words + 2 * side + number);
    f.painter().text_in({rect.x, rect.y, words, rect.h}, title, {Type::Small}, Hue::Soft);
    const auto other = [&](int by) { change_prediction(f, [by](PredictionLook& look) { look.seed += static_cast<std::uint64_t>(by); }); };
    const float x = rect.x + words;
    if (icon_button(f.ui, "prediction_seed_less", {x, rect.y, side, rect.h}, Icon::Minus, ButtonKind::Plain, seed > 0)) other(-1);
    f.painter().text_in({x + side, rect.y, number, rect.h}, std::to_string(seed), {Type::Number, Align::Center}, Hue::Ink);
    if (icon_button(f.ui, "prediction_seed_more", {x + side + number, rect.y, side, rect.h}, Icon::Plus)) other(1);
}

int place_of_k(int k) {
    const auto at = std::find_if(kTopKs.begin() + 1, kTopKs.end(), [k](int one) { return one >= k; });
    return k == 0 ? 0 : static_cast<int>(std::min(at, kTopKs.end() - 1) - kTopKs.begin());
}

/// Whether class token and distillation token predict the labels together, as in a DeiT.
bool says_by_two(const Frame& f) { return attn::find(f.trace(), {attn::Role::LogitSum}) != nullptr; }

/// The sentence above the bars: the selected position, and the number of candidates.
std::string selection_sentence(const Frame& f) {
    const PredictionData& data = f.derived.part<PredictionData>();
    const std::string count = std::to_string(data.vocabulary), place = std::to_string(data.above + data.row + 1);
    if (data.labels) return f.say(says_by_two(f) ? Str::prediction_says_label_two : Str::prediction_says_label, {count});
    if (data.own_place) return f.say(Str::prediction_says_own, {place, count});
    if (data.row < 0) return std::string(f.say(data.mask ? Str::prediction_hide : Str::prediction_no_mask));
    if (data.masked) return f.say(Str::prediction_says_masked, {place, count});
    if (!data.looks_back) return f.say(Str::prediction_says_at, {selected_token(f), count});
    return f.say(data.row == data.rows - 1 ? Str::prediction_says : Str::prediction_says_inside, {selected_token(f), count});
}

/// The button, and next to it how uncertain the model is.
float take_row(const Frame& f, Rect area) {
    const PredictionData& data = f.derived.part<PredictionData>();
    const std::string words = f.say(data.looks_back ? Str::prediction_take : Str::prediction_fill, {word_label(f, data.taken.word)});
    const float high = f.px(34), wide = std::min(area.w * 0.6f, button_width(f.ui, words) + f.px(12));
    const Rect at{area.x, area.y, wide, high};
    hint_of_command(f, "take_prediction", at);
    const bool there = data.own_place && data.actual && data.actual->word.id == data.taken.word.id;
    if (button(f.ui, "take_prediction", at, f.painter().fitted(words, Type::BodyStrong, wide - f.px(16)), ButtonKind::Filled, can_take_predicted(f) && !there)) take_predicted_token(f);
    std::string says = f.say(Str::prediction_uncertain, {fmt::format("{:.2f}", data.entropy), fmt::format("{:.1f}", std::exp2(data.entropy))});
    if (!data.refused.empty())
        says = data.refused;
    else if (data.actual && (data.looks_back || data.own_place))
        says = f.say(data.own_place ? Str::prediction_actual_own : Str::prediction_actual, {word_label(f, data.actual->word), chance_text(data.actual->word.probability), std::to_string(data.actual_rank)});
    else if (f.view().part<PredictionLook>().draw)
        says += (f.view().language == Language::Chinese ? "" : " ") + f.say(Str::prediction_kept, {std::to_string(data.candidates), std::to_string(data.vocabulary)});
    const Rect beside{at.right() + f.px(16), at.y, area.right() - at.right() - f.px(16), high};
    const float lines = lines_height(f.painter(), beside.w, says, Type::Small, 2);
    draw_lines(f.painter(), {beside.x, beside.center().y - lines / 2, beside.w, lines}, says, {Type::Small}, Hue::Soft, 2);
    return at.bottom();
}

/// The columns of the list.
struct PredictionColumns {
    Rect area;
    float token = 0, number = 0, change = 0, logit = 0, id = 0;
    bool draws = false, changed = false;

    PredictionColumns(const Frame& f, Rect all) : area(all), draws(f.view().part<PredictionLook>().draw), changed(f.derived.part<PredictionData>().divergence.has_value()) {
        const PredictionData& data = f.derived.part<PredictionData>();
        const Painter& p = f.painter();
        for (const PredictedToken& one : data.words) token = std::max(token, p.width(word_label(f, one.word), Type::Body));
        token = std::max(token, p.width(f.say(data.labels ? Str::prediction_label : Str::prediction_token), Type::Small));
        token = std::min(token + f.px(14), area.w * 0.26f);
        number = std::max(p.width(">99.9%", Type::Number), p.width(f.say(Str::prediction_probability), Type::Small)) + f.px(14);
        logit = std::max(p.width("−88.88", Type::NumberSmall), p.width(f.say(Str::prediction_logit), Type::Small)) + f.px(14);
        id = std::max(p.width(changed ? ">99.9%" : std::to_string(data.vocabulary), Type::NumberSmall), p.width(f.say(last_title()), Type::Small)) + f.px(12);
        if (changed) change = std::max(p.width("+99.9%", Type::NumberSmall), p.width(f.say(Str::changed_probability), Type::Small)) + f.px(14);
        if (bar() < f.px(kLeastBar)) change = 0;  // the mark on the bar shows it as well
        if (bar() < f.px(kLeastBar)) id = 0;
        if (bar() < f.px(kLeastBar)) logit = 0;
    }
    /// The last column: the probability before the changes made by hand, or the token's id.
    Str last_title() const { return changed ? Str::changed_before : Str::prediction_id; }
    float bar() const { return area.w - token - number * (draws ? 2 : 1) - change - logit - id; }
    Rect column(float y, float high, float right, float wide) const { return {area.right() - right - wide, y, wide, high}; }
    Rect of_id(float y, float high) const { return column(y, high, 0, id); }
    Rect of_logit(float y, float high) const { return column(y, high, id, logit); }
    Rect of_change(float y, float high) const { return column(y, high, id + logit, change); }
    Rect of_drawn(float y, float high) const { return column(y, high, id + logit + change, draws ? number : 0); }
    Rect of_own(float y, float high) const { return column(y, high, id + logit + change + (draws ? number : 0), number); }
};

/// The share that a full bar stands for: a round number, so that 3 % never looks like all of it.
float reach_of_bars(float most) {
    for (const float round : {0.01f, 0.02f, 0.05f, 0.1f, 0.2f, 0.5f})
        if (most <= round) return round;
    return 1;
}

void heads_of_columns(const Frame& f, const PredictionColumns& c, float high, float reach) {
    const std::string full = fmt::format("{:.0f}%", 100 * reach);
    const float end = c.area.x + c.token + c.bar();
    if (c.bar() >= f.px(kLeastBar)) {
        f.painter().text_in({c.area.x + c.token, c.area.y, c.bar(), high}, "0", {Type::Small, Align::Left}, Hue::Soft);
        f.painter().text_in({c.area.x + c.token, c.area.y, c.bar(), high}, full, {Type::Small, Align::Right}, Hue::Soft);
        f.painter().line({end, c.area.y + high}, {end, c.area.bottom()}, Hue::Rule, f.px(1));
    }
    const auto head = [&](Rect at, Str words) {
        if (at.w > 0) f.painter().text_in(at, f.say(words), {Type::Small, Align::Right}, Hue::Soft);
    };
    f.painter().text_in({c.area.x, c.area.y, c.token, high}, f.say(f.derived.part<PredictionData>().labels ? Str::prediction_label : Str::prediction_token), {Type::Small}, Hue::Soft);
    head(c.of_own(c.area.y, high), Str::prediction_probability);
    head(c.of_drawn(c.area.y, high), Str::prediction_drawn);
    head(c.of_change(c.area.y, high), Str::changed_probability);
    head(c.of_logit(c.area.y, high), c.changed ? Str::changed_logit : Str::prediction_logit);
    head(c.of_id(c.area.y, high), c.last_title());
}

std::string percent_points(float change) { return change_text(100 * change, std::abs(change) < 0.01f ? 2 : 1) + "%"; }

/// The cell of the logits that a row is about; the inspector shows how it is computed.
std::optional<CellRef> logit_cell(const Frame& f, const PredictedToken& one) {
    const PredictionData& data = f.derived.part<PredictionData>();
    const attn::StepId step = attn::logits_step(f.trace());
    if (step == attn::kNoStep || data.generation != f.derived.generation) return std::nullopt;
    return CellRef{f.trace()[step].tag, data.row, one.word.id};
}

void word_row(const Frame& f, const PredictionColumns& c, Rect row, const PredictedToken& one, std::size_t index, float most) {
    const PredictionData& data = f.derived.part<PredictionData>();
    Painter& p = f.painter();
    const std::string id = "prediction_word" + std::to_string(index + 1);
    const bool can = can_take_predicted(f);
    const Touch touch = touch_area(f.ui, id, row, false);
    const bool taken = one.word.id == data.taken.word.id, actual = data.actual && data.actual->word.id == one.word.id;
    if (touch.hovered) {
        p.fill(row, Hue::AccentSoft, f.px(5));
        if (can) gui::set_cursor(gui::Cursor::Hand);
        if (const auto cell = logit_cell(f, one); cell && cell != f.view().pointed) f.push(PointAt{cell});
    }
    const Ink ink = taken ? Ink(Hue::Accent) : Ink(Hue::Ink);
    p.text_fit({row.x + f.px(4), row.y, c.token - f.px(8), row.h}, word_label(f, one.word), {taken || actual ? Type::BodyStrong : Type::Body}, ink);
    const float bar_x = row.x + c.token, wide = c.bar();
    const Rect track{bar_x, row.center().y - f.px(6), wide, f.px(12)};
    const auto bar = [&](float share, Ink of) {
        if (share > 0) p.fill({track.x, track.y, std::max(f.px(2), track.w * std::min(1.0f, share / most)), track.h}, of, f.px(4));
    };
    const Hue hue = actual ? Hue::Good : Hue::Output;
    if (c.draws) {
        bar(one.drawn_by, Ink(hue, taken ? 1.0f : 0.55f));
        // The model's own probability stays visible as a line below.
        p.fill({track.x, track.bottom() + f.px(1), track.w * std::min(1.0f, one.word.probability / most), f.px(2)}, Ink(Hue::Soft, 0.7f));
    } else {
        bar(one.word.probability, Ink(hue, taken ? 1.0f : 0.55f));
    }
    p.text_in(c.of_own(row.y, row.h), chance_text(one.word.probability), {Type::Number, Align::Right}, c.draws ? Ink(Hue::Soft) : ink);
    if (c.draws) p.text_in(c.of_drawn(row.y, row.h), one.drawn_by > 0 ? chance_text(one.drawn_by) : "–", {Type::Number, Align::Right}, ink);
    if (c.changed) p.fill({track.x + track.w * std::min(1.0f, one.probability_before / most) - f.px(1), track.y - f.px(3), f.px(2), track.h + f.px(6)}, Hue::Soft);
    if (c.change > 0) p.text_in(c.of_change(row.y, row.h), percent_points(one.word.probability - one.probability_before), {Type::NumberSmall, Align::Right}, Hue::Soft);
    if (c.logit > 0)
        p.text_in(c.of_logit(row.y, row.h), c.changed ? change_text(one.logit - one.logit_before) : number_text(one.logit), {Type::NumberSmall, Align::Right}, Hue::Soft);
    if (c.id > 0) p.text_in(c.of_id(row.y, row.h), c.changed ? chance_text(one.probability_before) : std::to_string(one.word.id), {Type::NumberSmall, Align::Right}, c.changed ? Hue::Soft : Hue::Faint);
    if (touch.clicked && can) take_word(f, one.word);
}

void bars(const Frame& f, Rect area) {
    const PredictionData& data = f.derived.part<PredictionData>();
    const PredictionColumns c(f, area);
    const float high = f.px(20), row = f.px(kNextRow);
    float most = 0;
    for (const PredictedToken& one : data.words) most = std::max({most, one.word.probability, one.probability_before, c.draws ? one.drawn_by : 0.0f});
    most = reach_of_bars(most);
    heads_of_columns(f, c, high, most);
    double rest = 1;
    float y = area.y + high + f.px(2);
    const auto room = static_cast<std::size_t>(std::max(1.0f, (area.bottom() - y - high) / row));
    bool pointed = false;
    for (std::size_t i = 0; i < std::min(room, data.words.size()); ++i) {
        const Rect at{area.x, y, area.w, row};
        word_row(f, c, at, data.words[i], i, most);
        pointed = pointed || at.contains(gui::mouse());
        rest -= static_cast<double>(data.words[i].word.probability);
        y += row;
    }
    if (!pointed && f.view().pointed && area.contains(gui::mouse())) f.push(PointAt{std::nullopt});
    if (data.words.size() >= static_cast<std::size_t>(data.vocabulary) && room >= data.words.size()) return;
    const Rect last{area.x, y, area.w, high};
    f.painter().text_in({last.x + f.px(4), last.y, last.w, last.h}, f.say(Str::prediction_rest, {std::to_string(data.vocabulary - static_cast<int>(std::min(room, data.words.size())))}), {Type::Small}, Hue::Soft);
    f.painter().text_in(c.of_own(last.y, last.h), chance_text(std::max(0.0, rest)), {Type::NumberSmall, Align::Right}, Hue::Soft);
}

/// The labels of a picture: no token can be drawn or inserted.
void label_bars(const Frame& f, Rect area) {
    const PredictionData& data = f.derived.part<PredictionData>();
    const std::string unsure = f.say(Str::prediction_label_uncertain, {fmt::format("{:.2f}", data.entropy), fmt::format("{:.1f}", std::exp2(data.entropy))});
    const float line = f.theme.line_height(Type::Small);
    f.painter().text_fit({area.x, area.y, area.w, line}, unsure, {Type::Small}, Hue::Soft);
    const float top = line + f.px(10);
    const Rect list = caption_below(f, {area.x, area.y + top, area.w, std::max(0.0f, area.h - top)}, f.say(says_by_two(f) ? Str::prediction_label_note_two : Str::prediction_label_note));
    if (list.h > f.px(60)) bars(f, list);
}

}  // namespace

float draw_prediction_dials(const Frame& f, Rect area) {
    ControlRows flow(f, area, f.px(30), f.px(16));
    const PredictionLook& look = f.view().part<PredictionLook>();
    how_to_take(f, flow);
    if (!look.draw) return flow.bottom();
    const float temperature = dial(f, flow, "prediction_temperature", f.say(Str::prediction_temperature, {fmt::format("{:.2f}", look.temperature)}),
                                   f.say(Str::prediction_temperature, {"0.00"}), look.temperature, {kLeastTemperature, kMostTemperature, 0.05f, 1, true});
    if (temperature != look.temperature)
        change_prediction(f, [temperature](PredictionLook& l) { l.temperature = std::round(temperature * 20) / 20; });
    const std::string k = look.top_k == 0 ? std::string(f.say(Str::prediction_all)) : std::to_string(look.top_k);
    const auto place = static_cast<float>(place_of_k(look.top_k));
    const float moved = dial(f, flow, "prediction_top_k", f.say(Str::prediction_top_k, {k}), f.say(Str::prediction_top_k, {"000"}), place, {0, static_cast<float>(kTopKs.size() - 1), 1, 0, false});
    if (moved != place)
        change_prediction(f, [to = static_cast<std::size_t>(std::lround(moved))](PredictionLook& l) { l.top_k = kTopKs[to]; });
    const float top_p = dial(f, flow, "prediction_top_p", f.say(Str::prediction_top_p, {fmt::format("{:.2f}", look.top_p)}), f.say(Str::prediction_top_p, {"0.00"}), look.top_p, {0.05f, 1, 0.05f, 1, false});
    if (top_p != look.top_p) change_prediction(f, [top_p](PredictionLook& l) { l.top_p = std::round(top_p * 20) / 20; });
    seed_dial(f, flow);
    return flow.bottom();
}

void draw_prediction_words(const Frame& f, Rect area) {
    const PredictionData& data = f.derived.part<PredictionData>();
    float y = data.labels ? area.y : draw_prediction_text(f, {area.x, area.y, area.w, 0}) + f.px(10);
    const RichText says = lay_out_rich(selection_sentence(f), area.w, Type::Body, f.theme, f.painter().fonts());
    draw_rich(f.painter(), says, {area.x, y}, Hue::Ink);
    y += says.height() + f.px(8);
    if (data.row < 0) return;
    if (data.labels) return label_bars(f, {area.x, y, area.w, std::max(0.0f, area.bottom() - y)});
    if (const std::string changed = changed_sentence(f); !changed.empty()) y += draw_lines(f.painter(), {area.x, y, area.w, area.bottom() - y}, changed + (f.view().language == Language::Chinese ? "" : " ") + std::string(f.say(Str::changed_marks)), {Type::Small}, Hue::Soft, 2) + f.px(4);
    y = draw_prediction_dials(f, {area.x, y, area.w, area.bottom() - y}) + f.px(8);
    y = take_row(f, {area.x, y, area.w, 0}) + f.px(10);
    const Rect list = caption_below(f, {area.x, y, area.w, std::max(0.0f, area.bottom() - y)}, f.say(data.looks_back ? Str::prediction_note : Str::prediction_note_fill));
    if (list.h > f.px(60)) bars(f, list);
}

}  // namespace app
