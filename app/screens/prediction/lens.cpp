// The logit lens: which token the model would predict after each layer; a grid of layers × tokens with the answer on
// top, and next to it one token's way through the layers.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "app/frame/matrix_view.h"
#include "app/frame/control_rows.h"
#include "app/screens/prediction/parts.h"
#include "app/ui/rich_text.h"

namespace app {
namespace {

// Design pixels.
constexpr float kLeastLensCell = 62, kMostLensCell = 124, kMostLensRow = 52, kTrackWidth = 190, kLensDetailRow = 22;
/// In rows of at least this many lines of small type, the probability is below the word.
constexpr float kTwoLines = 2.1f;

/// Higher probabilities are written as "> 99.9 %", the longest text.
constexpr double kNearlyAll = 0.9999;

struct LensPainter {
    const Frame& f;
    const PredictionData& data;
    Rect area{}, track{};      ///< of the cells; of the target's track, which has the same rows
    std::vector<int> layers{}; ///< the shown ones, last layer first
    int first = 0, count = 0;  ///< columns, as rows of the lens
    float names = 0, w = 0, h = 0;

    LensPainter(const Frame& frame, Rect body) : f(frame), data(frame.derived.part<PredictionData>()) {
        Painter& p = f.painter();
        const float title = f.theme.line_height(Type::Small);
        names = std::max({p.width(f.say(Str::lens_answer), Type::SmallStrong), p.width(f.say(Str::lens_start), Type::Small),
                          p.width(f.say(Str::lens_layer, {"00"}), Type::Small)}) + f.px(12);
        const float side = std::min(f.px(kTrackWidth), body.w * 0.28f);
        area = {body.x + names, body.y + title, body.w - names - side - f.px(16), body.h - 2 * title - f.px(4)};
        count = std::clamp(static_cast<int>(area.w / f.px(kLeastLensCell)), 1, data.lens.rows);
        w = std::min(f.px(kMostLensCell), area.w / static_cast<float>(count));
        first = std::clamp(data.lens_row - count + 1, 0, data.lens.rows - count);
        area.w = w * static_cast<float>(count);
        const int all = data.lens.layers + 1;
        const float least = title + f.px(2);
        const int room = std::max(2, static_cast<int>(area.h / least));
        const int apart = (all + room - 1) / room;
        for (int layer = data.lens.layers; layer > 0; layer -= apart) layers.push_back(layer);
        layers.push_back(0);
        h = std::min(f.px(kMostLensRow), area.h / static_cast<float>(layers.size()));
        area.h = h * static_cast<float>(layers.size());
        track = {area.right() + f.px(16), area.y, std::max(f.px(40), body.right() - area.right() - f.px(16)), area.h};
        track.w = std::min(track.w, f.px(kTrackWidth) * 1.4f);
    }
    bool skips_layers() const { return static_cast<int>(layers.size()) <= data.lens.layers; }
    float y(std::size_t i) const { return area.y + h * static_cast<float>(i); }
    Rect cell(std::size_t i, int column) const { return {area.x + w * static_cast<float>(column), y(i), w, h}; }
    Color color(float share) const { return cell_color(f.theme, Hue::Score, share, {0, 1}, false); }

    void layer_names() const {
        for (std::size_t i = 0; i < layers.size(); ++i) {
            const int layer = layers[i];
            const std::string name = layer == data.lens.layers ? std::string(f.say(Str::lens_answer))
                                     : layer == 0              ? std::string(f.say(Str::lens_start))
                                                               : f.say(Str::lens_layer, {f.number(layer - 1)});
            const bool strong = layer == data.lens.layers;
            f.painter().text_fit({area.x - names, y(i), names - f.px(8), h}, name, {strong ? Type::SmallStrong : Type::Small, Align::Right}, strong ? Hue::Ink : Hue::Soft);
        }
    }
    void token_names() const {
        const auto& tokens = f.derived.labels.tokens;
        for (int c = 0; c < count; ++c) {
            const auto token = static_cast<std::size_t>(data.above + data.lens.first + first + c);
            const bool here = first + c == data.lens_row;
            const Rect at{area.x + w * static_cast<float>(c), area.bottom() + f.px(3), w, f.theme.line_height(Type::Small)};
            if (token < tokens.size())
                f.painter().text_fit(at.inset(f.px(2), 0), tokens[token], {here ? Type::SmallStrong : Type::Small, Align::Center}, here ? Hue::Accent : Hue::Query);
        }
    }
    void draw_cell(std::size_t i, int c, bool lit) const {
        const attn::LikelyWord& word = data.lens.at(layers[i], first + c).front();
        const Rect at = cell(i, c).inset(f.px(1));
        const Color back = color(word.probability);
        f.painter().fill(at, back, f.px(4));
        const bool two = h > kTwoLines * f.theme.line_height(Type::Small);
        const float line = f.theme.line_height(Type::Small), top = at.center().y - (two ? line : line / 2);
        const bool target = word.id == data.target.id;
        f.painter().text_fit({at.x + f.px(3), top, at.w - f.px(6), line}, word_label(f, word), {target ? Type::SmallStrong : Type::Small, Align::Center}, ink_on(back));
        if (two)
            f.painter().text_in({at.x, top + line * 0.92f, at.w, line}, chance_text(word.probability), {Type::NumberSmall, Align::Center}, Ink(ink_on(back), 0.8f));
        if (lit) f.painter().stroke(at, Hue::Accent, f.px(4), f.px(2));
    }
    /// The target's probability and its rank among all tokens, layer by layer.
    void target_way() const {
        Painter& p = f.painter();
        const float line = f.theme.line_height(Type::Small);
        p.text_fit({track.x, track.y - line, track.w, line}, f.say(Str::lens_target, {word_label(f, data.target)}), {Type::SmallStrong}, Hue::Output);
        const float rank = p.width("#" + std::to_string(data.vocabulary), Type::NumberSmall) + f.px(8);
        const float number = p.width(chance_text(kNearlyAll), Type::NumberSmall) + f.px(8), left = track.w - rank - number, bar = left < f.px(10) ? 0 : left;
        for (std::size_t i = 0; i < layers.size(); ++i) {
            const attn::LensRank& at = data.ranks[static_cast<std::size_t>(layers[i])];
            const Rect row{track.x, y(i), track.w, h};
            const Rect room{row.x, row.center().y - f.px(5), bar, f.px(10)};
            if (bar > 0) p.fill(room, Hue::Back, f.px(5));
            if (bar > 0 && at.probability > 0) p.fill({room.x, room.y, std::max(f.px(2), room.w * at.probability), room.h}, Ink(Hue::Output, at.rank == 1 ? 1.0f : 0.55f), f.px(5));
            p.text_in({row.right() - rank - number, row.y, number, row.h}, chance_text(at.probability), {Type::NumberSmall, Align::Right}, Hue::Ink);
            p.text_in({row.right() - rank, row.y, rank, row.h}, "#" + std::to_string(at.rank), {Type::NumberSmall, Align::Right}, at.rank == 1 ? Hue::Output : Hue::Soft);
        }
    }
};

/// The likeliest tokens of one cell; a click follows a token through the layers.
void draw_likeliest(const Frame& f, Rect area, const LensPainter& lens, std::size_t row, int column) {
    const PredictionData& data = f.derived.part<PredictionData>();
    Painter& p = f.painter();
    const int layer = lens.layers[row];
    const auto token = static_cast<std::size_t>(data.above + data.lens.first + lens.first + column);
    const std::string name = token < f.derived.labels.tokens.size() ? f.derived.labels.tokens[token] : std::string();
    const std::string after = layer == data.lens.layers ? f.say(Str::lens_cell_answer, {name})
                              : layer == 0              ? f.say(Str::lens_cell_start, {name})
                                                        : f.say(Str::lens_cell, {name, f.number(layer - 1)});
    const float high = f.px(kLensDetailRow);
    p.text_fit({area.x, area.y, area.w, high}, after, {Type::SmallStrong}, Hue::Ink);
    const auto& words = data.lens.at(layer, lens.first + column);
    const float token_w = std::min(f.px(150), area.w * 0.3f), number = p.width(chance_text(kNearlyAll), Type::NumberSmall) + f.px(10);
    for (std::size_t i = 0; i < words.size(); ++i) {
        const Rect at{area.x, area.y + high * static_cast<float>(i + 1), area.w, high};
        if (at.bottom() > area.bottom() + f.px(2)) break;
        const Touch touch = touch_area(f.ui, "lens_word" + std::to_string(i + 1), at, false);
        if (touch.hovered) {
            p.fill(at, Hue::AccentSoft, f.px(4));
            gui::set_cursor(gui::Cursor::Hand);
        }
        const bool target = words[i].id == data.target.id;
        p.text_fit({at.x + f.px(4), at.y, token_w - f.px(8), at.h}, word_label(f, words[i]), {target ? Type::SmallStrong : Type::Small}, target ? Hue::Output : Hue::Ink);
        const float bar = at.w - token_w - number;
        p.fill({at.x + token_w, at.center().y - f.px(5), std::max(f.px(2), bar * words[i].probability), f.px(10)}, Ink(Hue::Score, 0.8f), f.px(5));
        p.text_in(at, chance_text(words[i].probability), {Type::NumberSmall, Align::Right}, Hue::Ink);
        if (touch.clicked) change_prediction(f, [id = words[i].id](PredictionLook& look) { look.target = look.target == id ? -1 : id; });
    }
}

}  // namespace

void draw_prediction_lens(const Frame& f, Rect area) {
    const PredictionData& data = f.derived.part<PredictionData>();
    if (data.row < 0) return draw_prediction_words(f, area);
    if (data.lens.cells.empty() || data.ranks.empty()) return say_in_middle(f, area, f.say(data.computing ? Str::computing : Str::lens_none));
    const float said = draw_lines(f.painter(), area, f.say(Str::lens_says), {Type::Body}, Hue::Ink, 2) + f.px(6);
    Rect body = caption_below(f, {area.x, area.y + said, area.w, area.h - said}, f.say(Str::lens_note));
    const float detail = f.px(kLensDetailRow) * 6 + f.px(10);
    const bool has_detail = body.h > detail + f.px(120);
    if (has_detail) body.h -= detail;
    std::optional<LensPainter> fitted(std::in_place, f, body);
    if (fitted->skips_layers()) {
        Rect less = body;
        less.h -= f.theme.line_height(Type::Small) + f.px(6);
        const auto shown = fitted.emplace(f, less).layers.size() - 1;
        caption_below(f, body, f.say(Str::lens_some, {std::to_string(shown), std::to_string(data.lens.layers)}));
        body = less;
    }
    const LensPainter& lens = *fitted;
    lens.layer_names();
    lens.token_names();
    lens.target_way();
    const int pinned = f.view().part<PredictionLook>().layers;
    const auto layer = std::find(lens.layers.begin(), lens.layers.end(), pinned);
    std::size_t row = layer == lens.layers.end() ? 0 : static_cast<std::size_t>(layer - lens.layers.begin());
    int column = std::clamp(data.lens_row - lens.first, 0, lens.count - 1);
    const Touch touch = touch_area(f.ui, "lens_cells", lens.area, false);
    const Point mouse = gui::mouse();
    bool pointed = touch.hovered && lens.area.contains(mouse);
    if (pointed) {
        row = std::min(lens.layers.size() - 1, static_cast<std::size_t>((mouse.y - lens.area.y) / lens.h));
        column = std::clamp(static_cast<int>((mouse.x - lens.area.x) / lens.w), 0, lens.count - 1);
        gui::set_cursor(gui::Cursor::Hand);
    }
    for (std::size_t i = 0; i < lens.layers.size(); ++i)
        for (int c = 0; c < lens.count; ++c) {
            lens.draw_cell(i, c, i == row && c == column);
            f.ui.record(fmt::format("lens_{}_{}", lens.layers[i], lens.first + c), lens.cell(i, c));
        }
    if (touch.clicked && pointed)
        change_prediction(f, [at = data.lens.first + lens.first + column, last = data.looks_back ? data.rows - 1 : -1, layer = lens.layers[row]](PredictionLook& look) {
            look.place = at == last ? -1 : at;
            look.layers = layer;
        });
    const float below = lens.area.bottom() + f.theme.line_height(Type::Small) + f.px(lens.skips_layers() ? 34 : 14);
    if (has_detail) draw_likeliest(f, {body.x, below, std::min(body.w, f.px(520)), detail - f.px(10)}, lens, row, column);
    if (has_detail && body.w > f.px(720)) {
        const Rect bar{body.x + f.px(560), below + f.px(28), f.px(150), f.px(8)};
        draw_legend(f, bar, {Hue::Score, 0, 1, false}, false);
        f.painter().text({bar.x, bar.y - f.px(8)}, f.say(Str::lens_legend), {Type::Small}, Hue::Soft);
    }
}

}  // namespace app
