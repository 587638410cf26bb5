// Integrated gradients as the text with a colour for each token, and the tokens with the largest shares as bars.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/content/number_text.h"
#include "app/frame/hint.h"
#include "app/frame/signed_map.h"
#include "app/screens/prediction/integrated.h"
#include "app/screens/prediction/parts.h"
#include "app/ui/rich_text.h"

namespace app {
namespace {

// Design pixels.
constexpr float kShareCell = 72, kLeastShareBars = 250, kIntegratedControl = 28;

std::string share_number(double value) { return number_text(static_cast<float>(value), 3); }

std::string share_token(const Frame& f, const attn::Contribution& part, int token) { return f.derived.labels.of(part.keys, token); }

/// The words that a title has room for, and switches after it; returns the one that was pressed.
bool titled_switch(const Frame& f, ControlRows& flow, std::string_view id, Str title, std::span<const std::string_view> names, int& chosen) {
    const std::string_view says = f.say(title);
    const float words = f.painter().width(says, Type::Small) + f.px(8);
    const Rect rect = flow.next(words + segments_width(f.ui, names));
    f.painter().text_in({rect.x, rect.y, words, rect.h}, says, {Type::Small}, Hue::Soft);
    return segmented(f.ui, id, {rect.x + words, rect.y, rect.w - words, rect.h}, names, chosen);
}

/// Where the way begins, and of how many points it is made.
float draw_integrated_choices(const Frame& f, Rect area) {
    const IntegratedLook& look = f.view().part<PredictionLook>().integrated;
    ControlRows flow(f, area, f.px(kIntegratedControl), f.px(6));
    const std::string_view from[] = {f.say(Str::path_mean), f.say(Str::path_zero)};
    static_assert(std::size(from) == std::size(kIntegratedFrom));
    int chosen = look.from() == attn::PutBy::Zero ? 1 : 0;
    if (titled_switch(f, flow, "integrated_from", Str::path_from, from, chosen))
        change_prediction(f, [chosen](PredictionLook& l) { l.integrated.baseline = kIntegratedFrom[chosen]; });
    std::vector<std::string> numbers;
    for (const int points : kIntegratedPoints) numbers.push_back(std::to_string(points));
    const std::vector<std::string_view> names(numbers.begin(), numbers.end());
    const auto* const at = std::ranges::find(kIntegratedPoints, look.points);
    chosen = at == std::end(kIntegratedPoints) ? -1 : static_cast<int>(at - std::begin(kIntegratedPoints));
    if (titled_switch(f, flow, "integrated_points", Str::path_points, names, chosen))
        change_prediction(f, [chosen](PredictionLook& l) { l.integrated.points = kIntegratedPoints[chosen]; });
    return flow.bottom();
}

/// The tokens of one stack in the order of the text, in rows; those without room are left out. Returns where they end.
float draw_shares(const Frame& f, Rect area, const IntegratedData& data, std::size_t index) {
    const attn::Contribution& part = data.made->parts[index];
    const bool read = data.made->parts.size() > 1 && part.part == attn::Part::Encoder;
    Painter& p = f.painter();
    const float line = f.theme.line_height(Type::Small), cell = f.px(kShareCell), high = 2 * line + f.px(2);
    p.text_fit({area.x, area.y, area.w, line}, f.say(read ? Str::path_tokens_read : Str::path_tokens), {Type::SmallStrong}, Hue::Soft);
    const float top = area.y + line + f.px(4);
    const int across = std::max(1, static_cast<int>(area.w / cell)), rows = std::max(1, static_cast<int>((area.bottom() - top) / high));
    const auto range = static_cast<float>(std::max(data.largest, 1e-12));
    const int shown = std::min(static_cast<int>(part.sources.size()), across * rows);
    for (int token = 0; token < shown; ++token) {
        const double value = part.sources[static_cast<std::size_t>(token)];
        const Rect at = Rect{area.x + cell * static_cast<float>(token % across), top + high * static_cast<float>(token / across), cell, high}.inset(f.px(1));
        const Color back = cell_color(f.theme, Hue::Output, static_cast<float>(value), {-range, range}, true);
        p.fill(at, back, f.px(4));
        const std::string words = share_token(f, part, token);
        p.text_fit({at.x + f.px(3), at.y, at.w - f.px(6), line}, words, {Type::Small, Align::Center}, ink_on(back));
        p.text_in({at.x, at.y + line * 0.92f, at.w, line}, share_number(value), {Type::NumberSmall, Align::Center}, ink_on(back));
        const std::string id = fmt::format("integrated_{}_{}", index + 1, token + 1);
        f.ui.record(id, at);
        hint(f, id, at, f.say(Str::named_value, {words, share_number(value)}));
    }
    return top + high * std::ceil(static_cast<float>(shown) / static_cast<float>(across));
}

void draw_share_bars(const Frame& f, Rect area, const IntegratedData& data) {
    const float title = f.theme.line_height(Type::SmallStrong) + f.px(4);
    f.painter().text_fit({area.x, area.y, area.w, title}, f.say(Str::path_largest), {Type::SmallStrong}, Hue::Soft);
    const Rect rows{area.x, area.y + title, area.w, std::max(0.0f, area.h - title)};
    std::vector<SignedBar> bars;
    const std::size_t room = std::max<std::size_t>(2, signed_bars_in(f, rows.h)) - 1;  // and the sum
    for (std::size_t i = 0; i < std::min(room, data.largest_first.size()); ++i) {
        const IntegratedData::Token& one = data.largest_first[i];
        const attn::Contribution& part = data.made->parts[one.part];
        const std::string token = share_token(f, part, one.token);
        bars.push_back({data.made->parts.size() > 1 && part.part == attn::Part::Encoder ? f.say(Str::put_of_encoder, {token}) : token, one.share});
    }
    const std::vector<SignedBar> below = {{std::string(f.say(Str::parts_total)), data.made->sum(), true}};
    draw_signed_bars(f, rows, "integrated_bar", bars, below, share_number);
}

std::string integrated_sentence(const Frame& f, const IntegratedData& data) {
    const PredictionData& words = f.derived.part<PredictionData>();
    const std::string logit = words.against ? f.say(Str::sweep_logits, {word_label(f, words.target), word_label(f, *words.against)}) : f.say(Str::sweep_logit, {word_label(f, words.target)});
    return f.say(Str::path_says, {logit, share_number(data.made->baseline), share_number(data.made->logit)});
}

}  // namespace

void draw_integrated(const Frame& f, Rect area) {
    const IntegratedData& data = f.derived.part<IntegratedData>();
    float y = draw_integrated_choices(f, area) + f.px(8);
    const bool stopped = f.view().part<PredictionLook>().integrated.stopped, fresh = data.generation == f.derived.generation;
    if (fresh && !data.error.empty()) return say_in_middle(f, {area.x, y, area.w, area.bottom() - y}, data.error);
    if (fresh && !data.made && (data.computing || stopped)) {
        const Rect row{area.x, y, std::min(area.w, f.px(kLeastShareBars + 90)), f.px(kIntegratedControl)};
        if (draw_runs_to_come(f, row, "integrated", {data.done, data.runs, stopped})) change_prediction(f, [stopped](PredictionLook& look) { look.integrated.stopped = !stopped; });
        return;
    }
    if (!data.made) return say_in_middle(f, {area.x, y, area.w, area.bottom() - y}, f.say(Str::computing));
    const RichText says = lay_out_rich(integrated_sentence(f, data), area.w, Type::Body, f.theme, f.painter().fonts());
    draw_rich(f.painter(), says, {area.x, y}, Hue::Ink);
    y += says.height() + f.px(4);
    const double sum = data.made->sum(), change = data.made->logit - data.made->baseline;
    std::string sums = f.say(Str::path_sum, {share_number(sum), share_number(change)});
    constexpr double kNear = 0.02;  // of the change
    if (std::abs(sum - change) > kNear * std::abs(change)) sums += (f.view().language == Language::Chinese ? "" : " ") + std::string(f.say(Str::path_more));
    y += draw_lines(f.painter(), {area.x, y, area.w, area.bottom() - y}, sums, {Type::Small}, Hue::Soft, 2) + f.px(10);
    Rect body{area.x, y, area.w, std::max(0.0f, area.bottom() - y)};
    const float line = f.theme.line_height(Type::Small);
    if (body.h > 12 * line) body = caption_below(f, body, f.say(Str::path_note));
    const float bars = std::max(f.px(kLeastShareBars), body.w * 0.36f), wide = body.w - bars - f.px(24);
    draw_share_bars(f, {body.right() - bars, body.y, bars, body.h}, data);
    const auto stacks = static_cast<float>(data.made->parts.size());
    float top = body.y;
    for (std::size_t part = 0; part < data.made->parts.size(); ++part)
        top = draw_shares(f, {body.x, top, wide, std::min(body.bottom() - top, body.h / stacks)}, data, part) + f.px(10);
}

}  // namespace app
