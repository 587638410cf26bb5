// Which parts of the model contribute to a token: its logit, or its margin over another, decomposed into a map of
// layers by heads, the largest parts as bars, and for the shown head, what it takes from each token.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/content/number_text.h"
#include "app/frame/control_rows.h"
#include "app/frame/hint.h"
#include "app/frame/interventions.h"
#include "app/screens/prediction/parts.h"
#include "app/frame/signed_map.h"
#include "app/ui/rich_text.h"

namespace app {
namespace {

using attn::Contribution;
using attn::Contributor;

// Design pixels.
constexpr float kPartRow = 24, kLeastPartBars = 250, kSourceCell = 64;
constexpr std::size_t kTargetsOffered = 5;
/// For this many layers, rows high enough for figures take precedence over what is below the map.
constexpr std::size_t kRowsBeforeNotes = 12;

std::string part_number(double value) { return number_text(static_cast<float>(value), 3); }

std::string contribution_words(const Frame& f, const Contribution& part) {
    const std::string layer = f.number(part.layer);
    std::string out;
    switch (part.what) {
        case Contributor::Head:
            out = f.say(Str::put_head, {layer, f.number(part.head)});
            break;
        case Contributor::AttentionBias:
            out = f.say(Str::put_attention, {layer}) + " · " + std::string(f.say(Str::parts_bias));
            break;
        case Contributor::FeedForward:
            out = f.say(Str::put_feed_forward, {layer});
            break;
        case Contributor::FeedForwardBias:
            out = f.say(Str::put_feed_forward, {layer}) + " · " + std::string(f.say(Str::parts_bias));
            break;
        case Contributor::TokenEmbedding:
            return std::string(f.say(Str::parts_token_embedding));
        case Contributor::PositionEmbedding:
            return std::string(f.say(Str::parts_position_embedding));
        case Contributor::SegmentEmbedding:
            return std::string(f.say(Str::parts_segment_embedding));
        case Contributor::NormBias:
            return std::string(f.say(Str::parts_norm_bias));
        case Contributor::OutputBias:
            return std::string(f.say(Str::parts_output_bias));
        case Contributor::Replaced:
            return std::string(f.say(Str::parts_replaced));
    }
    return part.part == attn::Part::Cross ? f.say(Str::put_of_cross, {out}) : out;
}

/// Null if no head contributes to the logit.
const Contribution* shown_part(const Frame& f, const LogitParts& parts) {
    const auto& head = f.derived.shown_head;
    const auto& all = parts.made.parts;
    const auto found = std::find_if(all.begin(), all.end(), [&](const Contribution& part) {
        return head && part.what == Contributor::Head && part.part == head->at.part && part.layer == head->at.layer && part.head == head->head;
    });
    return found == all.end() ? nullptr : &*found;
}

HeadPlace place_of(const Contribution& part) { return {{attn::Role::Weights, attn::kNoHead, part.layer, attn::kNoTime, part.part}, part.head}; }

Str title_beside(Contributor what) { return what == Contributor::AttentionBias ? Str::parts_bias : Str::parts_feed_forward; }

std::string row_words(const Frame& f, const LogitParts::Row& row) {
    const std::string layer = f.say(Str::lens_layer, {f.number(row.layer)});
    return row.part == attn::Part::Cross ? f.say(Str::put_of_cross, {layer}) : layer;
}

/// Returns where it ends.
float draw_parts_map(const Frame& f, Rect area, const LogitParts& parts, const Contribution* shown) {
    SignedMap map{.largest = parts.largest};
    SignedMapLook look{.number = part_number, .says = {}, .shown = {}};
    for (int c = 0; c < parts.heads; ++c) map.columns.push_back({f.number(c), c});
    for (const Contributor what : parts.beside) map.columns.push_back({std::string(f.say(title_beside(what)))});
    for (const auto& row : parts.rows) map.rows.push_back(row_words(f, row));
    for (const LogitParts::Cell& cell : parts.cells) {
        const Contribution& part = parts.made.parts[cell.part];
        const bool head = part.what == Contributor::Head;
        if (&part == shown) look.shown = map.cells.size();
        map.cells.push_back({cell.row, cell.column, cell.value, head, head && is_off(f, place_of(part))});
    }
    look.says = [&](std::size_t i) { return f.say(Str::named_value, {contribution_words(f, parts.made.parts[parts.cells[i].part]), part_number(parts.cells[i].value)}); };
    const PressedMap drawn = draw_signed_map(f, area, "part", map, look);
    if (drawn.pressed) choose_head(f, place_of(parts.made.parts[parts.cells[*drawn.pressed].part]));
    return drawn.bottom;
}

/// The largest parts, the others together, and the sum.
void draw_part_bars(const Frame& f, Rect area, const LogitParts& parts, const Contribution* shown, bool sums) {
    const std::size_t room = std::max<std::size_t>(1, signed_bars_in(f, area.h - (sums ? 2 * f.px(kPartRow) : 0)));
    const std::size_t listed = std::min(room, parts.largest_first.size()), left_out = parts.largest_first.size() - listed;
    const auto listed_part = [&](std::size_t i) -> const Contribution& { return parts.made.parts[parts.largest_first[i]]; };
    std::vector<SignedBar> bars, below;
    double left = parts.made.sum();
    for (std::size_t i = 0; i < listed; ++i) {
        const Contribution& part = listed_part(i);
        left -= part.value;
        bars.push_back({contribution_words(f, part), part.value, &part == shown, part.what == Contributor::Head});
    }
    if (sums && left_out > 0) below.push_back({f.say(Str::parts_rest, {std::to_string(left_out)}), left});
    if (sums) below.push_back({std::string(f.say(Str::parts_total)), parts.made.sum(), true});
    if (const auto pressed = draw_signed_bars(f, area, "part_bar", bars, below, part_number)) choose_head(f, place_of(listed_part(*pressed)));
}

/// What the shown head takes from each token, in the order of the text; for a long text, the largest ones.
void draw_sources(const Frame& f, Rect area, const Contribution& part) {
    Painter& p = f.painter();
    const float line = f.theme.line_height(Type::Small);
    if (part.sources.empty()) {
        p.text_fit({area.x, area.y, area.w, line}, f.say(Str::parts_no_sources), {Type::Small}, Hue::Soft);
        return;
    }
    p.text_fit({area.x, area.y, area.w, line}, f.say(Str::parts_sources, {contribution_words(f, part)}), {Type::Small}, Hue::Soft);
    std::vector<int> keys;
    for (int j = 0; j < static_cast<int>(part.sources.size()); ++j) keys.push_back(j);
    const auto size = [&](int j) { return std::abs(part.sources[static_cast<std::size_t>(j)]); };
    std::stable_sort(keys.begin(), keys.end(), [&](int a, int b) { return size(a) > size(b); });
    const double most = std::max(keys.empty() ? 0.0 : size(keys.front()), 1e-12);
    keys.resize(std::min(keys.size(), static_cast<std::size_t>(std::max(1.0f, area.w / f.px(kSourceCell)))));
    std::sort(keys.begin(), keys.end());
    const float w = f.px(kSourceCell), top = area.y + line + f.px(2), h = 2 * line;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const double value = part.sources[static_cast<std::size_t>(keys[i])];
        const Rect at = Rect{area.x + w * static_cast<float>(i), top, w, h}.inset(f.px(1));
        const Color back = cell_color(f.theme, Hue::Output, static_cast<float>(value), {static_cast<float>(-most), static_cast<float>(most)}, true);
        p.fill(at, back, f.px(4));
        p.text_fit({at.x + f.px(3), at.y, at.w - f.px(6), line}, f.derived.labels.of(part.keys, keys[i]), {Type::Small, Align::Center}, ink_on(back));
        p.text_in({at.x, at.y + line * 0.9f, at.w, line}, part_number(value), {Type::NumberSmall, Align::Center}, ink_on(back));
        f.ui.record("part_source" + std::to_string(keys[i] + 1), at);
    }
}

/// Returns where they end.
float part_buttons(const Frame& f, Rect area, const Contribution& part) {
    ControlRows flow(f, area, f.px(28), f.px(8));
    const HeadPlace head = place_of(part);
    const std::string_view words = f.say(is_off(f, head) ? Str::head_on : Str::head_off);
    const std::string named = f.say(Str::named_value, {contribution_words(f, part), words});
    const Rect off = flow.next(button_width(f.ui, named));
    hint_of_command(f, "switch_head", off);
    if (button(f.ui, "switch_part", off, named, ButtonKind::Filled)) switch_head(f, head);
    const std::string_view see = f.say(Str::parts_show_head);
    if (button(f.ui, "show_part", flow.next(button_width(f.ui, see)), see)) show_weights(f, place_of(part));
    return flow.bottom();
}

/// Any other token, typed.
template <class Press>
void token_field(const Frame& f, Rect rect, std::string_view id, TypedText& typing, Press press) {
    if (!typing.active) typing.text.clear();
    FieldLook look;
    look.type = Type::Small;
    look.placeholder = f.say(Str::parts_type);
    const gui::FieldResult typed = text_field(f.ui, fmt::format("{}_typed", id), rect, typing.text, look);
    typing.active = typed.active;
    if (!(typed.changed || typed.entered) || typing.text.empty()) return;
    if (const auto word = attn::find_word(f.trace(), typing.text))
        press(word->id);
    else if (typed.entered)
        f.push(Tell{f.say(Str::parts_unknown, {typing.text})});
}

/// A choice of tokens: the likeliest, and any other that is typed.
template <class Press>
void token_choice(const Frame& f, ControlRows& flow, std::string_view id, Str title, const attn::LikelyWord* chosen, const attn::LikelyWord* left_out, TypedText& typing,
                  Press press) {
    const std::string_view words = f.say(title);
    const float wide = f.painter().width(words, Type::Small) + f.px(4);
    f.painter().text_in(flow.next(wide), words, {Type::Small}, Hue::Soft);
    std::vector<attn::LikelyWord> offered;
    for (const PredictedToken& one : f.derived.part<PredictionData>().words)
        if ((!left_out || one.word.id != left_out->id) && offered.size() < kTargetsOffered) offered.push_back(one.word);
    if (chosen && std::none_of(offered.begin(), offered.end(), [&](const auto& one) { return one.id == chosen->id; })) offered.push_back(*chosen);
    for (std::size_t i = 0; i < offered.size(); ++i) {
        const std::string label = word_label(f, offered[i]);
        if (word_switch(f, fmt::format("{}{}", id, i + 1), flow.next(word_switch_width(f, label)), label, chosen && chosen->id == offered[i].id)) press(offered[i].id);
    }
    token_field(f, flow.next(f.painter().width(f.say(Str::parts_type), Type::Small) + f.px(42)), id, typing, press);
}

float draw_choices(const Frame& f, Rect area) {
    ControlRows flow(f, area, f.px(28), f.px(6));
    choose_tokens(f, flow, "part");
    const std::string_view names[] = {f.say(Str::parts_direct), f.say(Str::parts_gradient), f.say(Str::parts_integrated), f.say(Str::parts_neurons)};
    static_assert(std::size(names) == std::size(kPartMeasures));
    const auto* const measure = std::ranges::find(kPartMeasures, f.view().part<PredictionLook>().measure);
    int chosen = measure == std::end(kPartMeasures) ? 0 : static_cast<int>(measure - std::begin(kPartMeasures));
    if (segmented(f.ui, "part_measure", flow.next(segments_width(f.ui, names)), names, chosen))
        change_prediction(f, [chosen](PredictionLook& look) { look.measure = kPartMeasures[chosen]; });
    return flow.bottom();
}

std::string words_in_a_row(const Frame& f, const std::vector<attn::LikelyWord>& words) {
    std::string out;
    for (const attn::LikelyWord& one : words) out += (out.empty() ? "" : "  ") + word_label(f, one);
    return out;
}

/// The neurons that add most: their parts as bars, and beside each its activation and the tokens that it raises and
/// lowers.
void draw_neurons(const Frame& f, Rect area) {
    const PredictionData& data = f.derived.part<PredictionData>();
    if (data.neurons.empty()) return say_in_middle(f, area, f.say(data.computing ? Str::computing : Str::neurons_none));
    area = caption_below(f, area, f.say(Str::neurons_note));
    Painter& p = f.painter();
    const float title = f.theme.line_height(Type::SmallStrong) + f.px(4), gap = f.px(16);
    const Rect rows{area.x, area.y + title, area.w, std::max(0.0f, area.h - title)};
    const std::size_t listed = std::min(data.neurons.size(), signed_bars_in(f, rows.h));
    std::vector<SignedBar> bars;
    for (std::size_t i = 0; i < listed; ++i) {
        const attn::Neuron& one = data.neurons[i].neuron;
        bars.push_back({f.say(Str::put_neuron, {f.number(one.layer), f.number(one.index)}), one.value});
    }
    const float wide = std::max(f.px(kLeastPartBars), area.w * 0.4f), activation = std::max(p.width(f.say(Str::neurons_activation), Type::SmallStrong), p.width("−88.888", Type::NumberSmall)) + gap;
    const float words = std::max(0.0f, (area.w - wide - gap - activation) / 2);
    const Rect columns[] = {{area.x + wide + gap, area.y, activation - gap, title}, {area.x + wide + gap + activation, area.y, words - gap, title}, {area.x + wide + gap + activation + words, area.y, words, title}};
    p.text_fit({area.x, area.y, wide, title}, f.say(Str::neurons_add), {Type::SmallStrong}, Hue::Soft);
    p.text_fit(columns[0], f.say(Str::neurons_activation), {Type::SmallStrong, Align::Right}, Hue::Soft);
    p.text_fit(columns[1], f.say(Str::neurons_raises), {Type::SmallStrong}, Hue::Soft);
    p.text_fit(columns[2], f.say(Str::neurons_lowers), {Type::SmallStrong}, Hue::Soft);
    draw_signed_bars(f, {rows.x, rows.y, wide, rows.h}, "neuron", bars, {}, part_number);
    for (std::size_t i = 0; i < listed; ++i) {
        const ReadNeuron& one = data.neurons[i];
        const auto line = [&](Rect column) { return Rect{column.x, rows.y + f.px(kPartRow) * static_cast<float>(i), column.w, f.px(kPartRow)}; };
        p.text_in(line(columns[0]), part_number(one.neuron.activation), {Type::NumberSmall, Align::Right}, Hue::Ink);
        p.text_fit(line(columns[1]), words_in_a_row(f, one.raises), {Type::Small}, Hue::Ink);
        p.text_fit(line(columns[2]), words_in_a_row(f, one.lowers), {Type::Small}, Hue::Soft);
    }
}

std::string parts_sentence(const Frame& f) {
    const PredictionData& data = f.derived.part<PredictionData>();
    const std::string target = word_label(f, data.target);
    std::string out;
    if (!data.against)
        out = f.say(Str::parts_says, {target, part_number(data.parts->made.logit)});
    else
        out = f.say(data.parts->made.logit < 0 ? Str::parts_says_below : Str::parts_says_against, {target, word_label(f, *data.against), part_number(std::abs(data.parts->made.logit))});
    return out;
}

}  // namespace

void choose_tokens(const Frame& f, ControlRows& flow, std::string_view id) {
    const PredictionData& data = f.derived.part<PredictionData>();
    token_choice(f, flow, fmt::format("{}_target", id), Str::parts_target, &data.target, nullptr, f.scratch.target, [&](int word) { change_prediction(f, [word](PredictionLook& look) { look.target = word; }); });
    token_choice(f, flow, fmt::format("{}_against", id), Str::parts_against, data.against ? &*data.against : nullptr, &data.target,
                 f.scratch.against, [&](int word) { change_prediction(f, [word](PredictionLook& look) { look.against = word; }); });
    const std::string_view none = f.say(Str::parts_alone);
    if (word_switch(f, fmt::format("{}_alone", id), flow.next(word_switch_width(f, none)), none, !data.against)) change_prediction(f, [](PredictionLook& look) { look.against = kNoOther; });
}

void show_weights(const Frame& f, const HeadPlace& head) {
    choose_head(f, head);
    f.change_view([](ViewState& v) {
        v.screen = Screen::Heads;
        row_of(Screen::Heads).pages->show(v, "lines");
    });
}

void draw_prediction_parts(const Frame& f, Rect area) {
    const PredictionData& data = f.derived.part<PredictionData>();
    if (data.row < 0) return draw_prediction_words(f, area);
    if (!data.parts && data.no_parts.empty()) return say_in_middle(f, area, f.say(Str::computing));
    const PredictionLook& look = f.view().part<PredictionLook>();
    float y = draw_prediction_text(f, {area.x, area.y, area.w, 0}) + f.px(8);
    if (data.parts && !look.integrates()) {
        const RichText says = lay_out_rich(parts_sentence(f), area.w, Type::Body, f.theme, f.painter().fonts());
        draw_rich(f.painter(), says, {area.x, y}, Hue::Ink);
        y += says.height() + f.px(4);
    }
    if (const std::string changed = changed_sentence(f); !changed.empty()) y += draw_lines(f.painter(), {area.x, y, area.w, area.bottom() - y}, changed, {Type::Small}, Hue::Soft, 2) + f.px(4);
    y = draw_choices(f, {area.x, y, area.w, area.bottom() - y}) + f.px(10);
    Rect body{area.x, y, area.w, std::max(0.0f, area.bottom() - y)};
    if (look.integrates()) return draw_integrated(f, body);
    // What is no sum has no parts, but integrated gradients, which the switch above offers.
    if (!data.parts) return say_in_middle(f, body, data.no_parts);
    if (look.measure == kPartMeasures[3]) return draw_neurons(f, body);
    const LogitParts& map = *data.parts;
    const Contribution* shown = shown_part(f, map);
    const float bars = std::max(f.px(kLeastPartBars), body.w * 0.36f), wide = body.w - bars - f.px(24);
    // In this order they are left out: the note, what a head takes from each token, and only then the map.
    const float line = f.theme.line_height(Type::Small), sources = 3.2f * line + f.px(8), buttons = shown ? f.px(2 * 28 + 16) : 0;
    const float least = line + buttons + 1.3f * line * static_cast<float>(std::min<std::size_t>(map.rows.size(), kRowsBeforeNotes));
    const bool has_sources = shown && body.h >= least + sources;
    if (body.h >= least + sources + 3 * line) body = caption_below(f, body, f.say(Str::parts_note));
    const Rect left{body.x, body.y, wide, std::max(f.px(60), body.h - buttons - (has_sources ? sources : 0))};
    const float end = draw_parts_map(f, left, map, shown);
    draw_part_bars(f, {body.right() - bars, body.y, bars, body.h}, map, shown, look.measure != kPartMeasures[1]);
    if (!shown || data.generation != f.derived.generation) return;  // of another run, so it cannot be acted upon
    const float under = part_buttons(f, {left.x, end + f.px(8), left.w, f.px(28)}, *shown) + f.px(8);
    if (has_sources) draw_sources(f, {left.x, under, left.w, sources}, *shown);
}

}  // namespace app
