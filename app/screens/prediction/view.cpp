// The prediction screen: the switch of its pages, and what they share.

#include <fmt/format.h>

#include <algorithm>

#include "app/frame/interventions.h"
#include "app/frame/nothing.h"
#include "app/frame/control_rows.h"
#include "app/screens/prediction/parts.h"
#include "app/ui/rich_text.h"

namespace app {
namespace {

struct PredictionPage {
    std::string_view id;
    Str title;
    void (*draw)(const Frame&, Rect);
};
constexpr PredictionPage kPagesOfPrediction[] = {{"words", Str::prediction_words, draw_prediction_words}, {"lens", Str::prediction_lens, draw_prediction_lens},
                                              {"parts", Str::prediction_parts, draw_prediction_parts}, {"stream", Str::prediction_stream, draw_prediction_stream},
                                              {"interventions", Str::prediction_interventions, draw_prediction_interventions}};
static_assert(std::size(kPagesOfPrediction) == std::size(kPredictionPages));

int shown_prediction_page(const Frame& f) {
    const std::string_view id = prediction_page(f.view().part<PredictionLook>().page);
    const auto at = std::find_if(std::begin(kPagesOfPrediction), std::end(kPagesOfPrediction), [id](const PredictionPage& p) { return p.id == id; });
    return static_cast<int>(at - std::begin(kPagesOfPrediction));
}

/// One chip of the text, and its width.
struct ShownToken {
    int token = 0;
    std::string text, note;
    Size size{};
};

/// Chips from the end of the text backwards, as many as fit into `room` pixels.
std::vector<ShownToken> last_tokens(const Frame& f, float room, bool& all) {
    const PredictionData& data = f.derived.part<PredictionData>();
    const auto& names = f.derived.labels.tokens;
    std::vector<ShownToken> out;
    float used = 0;
    const auto count = static_cast<int>(std::min(names.size(), data.ids.size()));
    const int end = data.looks_back ? count : std::min(count, std::max(data.row, 0) + 1 + count);
    for (int token = end - 1; token >= 0; --token) {
        ShownToken one{token, names[static_cast<std::size_t>(token)], {}, {}};
        if (const GivenToken* given = data.given_of(token); given && given->rank > 0) one.note = chance_text(given->probability);
        one.size = chip_size(f.ui, one.text, one.note);
        if (used + one.size.w > room && !out.empty()) break;
        used += one.size.w + f.px(6);
        out.push_back(std::move(one));
    }
    all = static_cast<int>(out.size()) == end;
    std::reverse(out.begin(), out.end());
    return out;
}

/// A click selects the position after that token or, if tokens see both sides, the token itself; a second click
/// deselects it, or masks it.
void ask_at(const Frame& f, int token) {
    const PredictionData& data = f.derived.part<PredictionData>();
    const int row = token - data.above;
    if (row < 0 || row >= data.rows) return;
    const bool hides = !data.looks_back && row == data.row && !data.masked && data.mask;
    if (hides) {
        const attn::LikelyWord mask = *data.mask;
        f.edit([row, mask](attn::Document& d) { d = attn::with_replaced(std::move(d), row, mask); });
        return;
    }
    const bool last = data.looks_back && row == data.rows - 1;
    change_prediction(f, [row, last](PredictionLook& look) { look.place = last || look.place == row ? -1 : row; });
}

/// Why there is no token to show.
std::string why_none(const Frame& f) {
    const PredictionData& data = f.derived.part<PredictionData>();
    if (data.computing || f.derived.computing) return std::string(f.say(Str::computing));
    if (f.trace().tokens.empty()) return std::string(f.say(nothing_yet(f)));
    return std::string(f.say(Str::prediction_none));
}

}  // namespace

std::string word_label(const Frame& f, const attn::LikelyWord& word) {
    if (f.derived.part<PredictionData>().labels) return word.text;  // words for people, not tokens of a text
    return f.derived.labels.of({attn::Axis::Kind::Words}, word.id);
}

std::string changed_sentence(const Frame& f) {
    const auto& moved = f.derived.part<PredictionData>().divergence;
    return moved ? f.say(Str::changed_says, {fmt::format("{:.4f}", *moved)}) : std::string();
}

std::string selected_token(const Frame& f) {
    const PredictionData& data = f.derived.part<PredictionData>();
    return f.derived.labels.of({attn::Axis::Kind::Tokens}, data.above + std::max(data.row, 0));
}

bool can_take_predicted(const Frame& f) {
    const PredictionData& data = f.derived.part<PredictionData>();
    if (f.view().screen != Screen::Prediction || data.generation != f.derived.generation || data.computing || data.row < 0) return false;
    // Nothing can be inserted after a token inside the text; an unmasked position has its word, unless a decoder
    // predicts each word without having read it: then another one may replace it.
    return data.looks_back ? data.row == data.rows - 1 && data.refused.empty() : data.masked || data.own_place;
}

void take_word(const Frame& f, const attn::LikelyWord& word) {
    const PredictionData& data = f.derived.part<PredictionData>();
    if (data.looks_back)
        f.edit([word](attn::Document& d) { d = attn::with_predicted(std::move(d), word); });
    else
        f.edit([word, row = data.row](attn::Document& d) { d = attn::with_replaced(std::move(d), row, word); });
    change_prediction(f, [ids = data.ids, id = word.id, back = data.looks_back](PredictionLook& look) {
        if (back) look.write(ids, id);
        look.place = -1;
        look.target = -1;
    });
}

void take_predicted_token(const Frame& f) { take_word(f, f.derived.part<PredictionData>().taken.word); }

void turn_prediction_page(const Frame& f) {
    const auto next = (static_cast<std::size_t>(shown_prediction_page(f)) + 1) % std::size(kPagesOfPrediction);
    change_prediction(f, [next](PredictionLook& look) { look.page = kPagesOfPrediction[next].id; });
}

float draw_prediction_text(const Frame& f, Rect area) {
    const PredictionData& data = f.derived.part<PredictionData>();
    bool all = true;
    const bool blank = data.looks_back && data.row == data.rows - 1;
    const std::string end = "?";
    const float more = f.painter().width("… ", Type::Body), last = blank ? chip_size(f.ui, end).w + f.px(6) : 0;
    const std::vector<ShownToken> shown = last_tokens(f, area.w - more - last, all);
    float x = area.x, high = 0;
    const auto count = static_cast<int>(data.ids.size());
    if (!all) x += f.painter().text({x, area.y + f.px(22)}, "… ", {Type::Body}, Hue::Soft);
    for (const ShownToken& one : shown) {
        ChipLook look;
        look.note = one.note;
        look.lit = one.token == data.above + data.row;
        if (one.token >= count - data.written) look.fill = mix(f.theme[Hue::Back], f.theme[Hue::Output], 0.16f);
        const std::string id = "prediction_token" + std::to_string(one.token);
        if (chip(f.ui, id, {x, area.y}, one.text, look).clicked) ask_at(f, one.token);
        x += one.size.w + f.px(6);
        high = std::max(high, one.size.h);
    }
    if (blank && !shown.empty()) {
        const Size size = chip_size(f.ui, end);
        const Rect rect{x, area.y, size.w, high};
        f.painter().stroke_dashed(rect, Hue::Accent, f.theme.button_radius, f.px(1.4f), f.px(4), f.px(3));
        f.painter().text_in(rect, end, {Type::BodyStrong, Align::Center}, Hue::Accent);
    }
    return area.y + high;
}

void draw_prediction(const Frame& f) {
    if (f.area.empty()) return;
    const auto clip = f.painter().clip(f.area);
    const PredictionData& data = f.derived.part<PredictionData>();
    if (data.rows == 0) return say_in_middle(f, f.area, why_none(f));
    const float margin = f.px(20), high = f.px(32);
    if (has_given_stream(f.state.document)) {
        const float top = f.px(14);
        return draw_prediction_stream(f, {f.area.x + margin, f.area.y + top, f.area.w - 2 * margin, std::max(0.0f, f.area.h - top - f.px(10))});
    }
    const bool figure = f.view().figure;
    const Rect row{f.area.x + margin, f.area.y + f.px(10), f.area.w - 2 * margin, figure ? 0 : high};
    std::vector<std::string_view> titles;
    for (const PredictionPage& page : kPagesOfPrediction) titles.push_back(f.say(page.title));
    int chosen = shown_prediction_page(f);
    const Rect tabs{row.x, row.y, std::min(row.w, segments_width(f.ui, titles) + f.px(20)), row.h};
    if (!figure && segmented(f.ui, "prediction_page", tabs, titles, chosen))
        change_prediction(f, [chosen](PredictionLook& look) { look.page = kPagesOfPrediction[chosen].id; });
    if (data.computing)
        f.painter().text_fit({tabs.right() + f.px(16), row.y, row.right() - tabs.right() - f.px(16), high}, f.say(Str::computing), {Type::Small}, Hue::Soft);
    const float put = draw_interventions(f, {row.x, row.bottom() + f.px(8), row.w, 0});
    const float top = put > row.bottom() + f.px(8) ? put + f.px(8) : row.bottom() + f.px(8);
    const Rect body{row.x, top, row.w, std::max(0.0f, f.area.bottom() - top - f.px(10))};
    kPagesOfPrediction[shown_prediction_page(f)].draw(f, body);
}

}  // namespace app
