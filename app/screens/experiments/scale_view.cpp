// How large models are: squares whose areas are their weights, the document's own beside GPT-2, a Llama and GPT-3.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/frame/chart.h"
#include "app/frame/hint.h"
#include "app/screens/experiments/view.h"

namespace app {
namespace {

constexpr float kScaleGap = 28, kScaleName = 44;  ///< design pixels: between squares, above them
constexpr float kStripesFrom = 40;                ///< a smaller square is not cut into layers
constexpr float kLeastSquare = 2;                 ///< nothing is smaller than can be seen
constexpr float kScaleRow = 24;

/// "124,439,808", in groups that both languages read.
std::string grouped(double count) {
    std::string digits = fmt::format("{:.0f}", count);
    for (std::ptrdiff_t at = std::ssize(digits) - 3; at > 0; at -= 3) digits.insert(static_cast<std::size_t>(at), ",");
    return digits;
}

/// "124M", "175B": billions as everybody says them of models.
std::string weights_in_short(double count) {
    std::string text = brief(count);
    if (text.ends_with('G')) text.back() = 'B';
    return text;
}

std::string name_of_model(const Frame& f, const ScaledModel& m) {
    return m.published ? m.name : std::string(f.say(Str::scale_own));
}

/// The arithmetic of its size, from the published numbers.
std::string arithmetic(const Frame& f, const ScaledModel& m) {
    if (!m.published) return f.say(Str::scale_own_says, {grouped(m.weights)});
    const PublishedModel& p = *m.published;
    const std::string inner = fmt::format("{} · {} · {}", p.inner_matrices, grouped(p.width), grouped(p.inner));
    const double keys = p.key_heads * p.head_width;
    const std::string attention = p.key_heads == p.heads
                                      ? fmt::format("4 · {}²", grouped(p.width))
                                      : fmt::format("2 · {0}² + 2 · {0} · {1}", grouped(p.width), grouped(keys));
    const std::string rows = p.positions > 0 ? fmt::format("({} + {})", grouped(p.vocabulary), grouped(p.positions))
                                             : grouped(p.vocabulary);
    const double rest = m.weights - p.layers * (2 * p.width * p.heads * p.head_width + 2 * p.width * keys) -
                        p.layers * p.inner_matrices * p.width * p.inner - m.parts.embeddings;
    return f.say(Str::scale_arithmetic, {m.name, grouped(p.layers), attention, inner, rows, grouped(p.width), grouped(rest),
                                         grouped(m.weights), p.source});
}

/// How many pixels of side a weight's root takes.
struct ScalePanel {
    float unit = 0;
    float side(const ScaledModel& m) const { return static_cast<float>(std::sqrt(m.weights)) * unit; }
};

/// Vectors of words at the left, then the layers below each other: attention and feed-forward in their shares.
void parts(const Frame& f, Rect r, const ScaledModel& m) {
    Painter& p = f.painter();
    const auto share = [&](double part) { return static_cast<float>(part / m.weights); };
    const float words = r.w * share(m.parts.embeddings);
    const Rect layers{r.x + words, r.y, r.w - words, r.h};
    const float attention = layers.w * static_cast<float>(m.parts.attention / (m.parts.attention + m.parts.feed_forward));
    p.fill({r.x, r.y, words, r.h}, Ink(Hue::Input, 0.75f));
    p.fill({layers.x, r.y, attention, r.h}, Ink(Hue::Score, 0.75f));
    p.fill({layers.x + attention, r.y, layers.w - attention, r.h}, Ink(Hue::Output, 0.45f));
    if (r.w < f.px(kStripesFrom)) return;
    const auto count = static_cast<int>(m.layers);
    for (int i = 1; i < count; ++i) {
        const float y = r.y + r.h * static_cast<float>(i) / static_cast<float>(count);
        p.line({layers.x, y}, {r.right(), y}, Ink(Hue::Paper, 0.8f), std::min(f.px(1.2f), r.h / static_cast<float>(count) * 0.3f));
    }
    p.line({layers.x, r.y}, {layers.x, r.bottom()}, Hue::Paper, f.px(1.5f));
    p.line({layers.x + attention, r.y}, {layers.x + attention, r.bottom()}, Hue::Paper, f.px(1));
}

Rect square(const Frame& f, Point bottom_left, float side, const ScaledModel& m, std::string_view id) {
    const float s = std::max(side, f.px(kLeastSquare));
    const Rect r{bottom_left.x, bottom_left.y - s, s, s};
    if (m.published)
        parts(f, r, m);
    else
        f.painter().fill(r, Hue::Accent);
    const Rect touched = rect_around(r.center(), std::max(r.w, f.px(14)), std::max(r.h, f.px(14)));
    f.ui.record(id, touched);
    hint(f, id, touched, arithmetic(f, m));
    return r;
}

/// A name and how many weights, above a square; small ones have theirs beside each other's. `says` in place of the number.
void named(const Frame& f, Point at, const ScaledModel& m, std::string_view says = {}) {
    f.painter().text({at.x, at.y}, name_of_model(f, m), {Type::BodyStrong}, m.published ? Hue::Ink : Hue::Accent);
    f.painter().text({at.x, at.y + f.px(18)}, says.empty() ? f.say(Str::scale_weights, {weights_in_short(m.weights)}) : std::string(says), {Type::Small}, Hue::Soft);
}

float scale_name_width(const Frame& f, const ScaledModel& m) {
    return std::max(f.painter().width(name_of_model(f, m), Type::BodyStrong),
                    f.painter().width(f.say(Str::scale_weights, {weights_in_short(m.weights)}), Type::Small));
}

/// Two pictures, each to scale: the small models beside GPT-2, and GPT-2 beside the large ones.
void squares(const Frame& f, Rect area) {
    const auto& models = f.derived.part<ExperimentData>().scale.models;
    const ScaledModel &own = models[0], &gpt2 = models[1], &llama = models[2], &gpt3 = models[3];
    const float gap = f.px(kScaleGap), foot = area.bottom(), high = area.h - f.px(kScaleName);
    const float own_name = scale_name_width(f, own), llama_name = scale_name_width(f, llama);
    const std::string_view again = f.say(Str::scale_again);  // it stands in both pictures
    const float gpt2_name = std::max(scale_name_width(f, gpt2), f.painter().width(again, Type::Small));
    const double near = std::max(own.weights, gpt2.weights), far = std::max(own.weights, gpt3.weights);
    // What stands beside the two large squares takes the room of its names.
    const float beside = own_name + gap * 4 + llama_name + gpt2_name;
    const float side = std::max(f.px(40), std::min(high, (area.w - beside) / 2));
    const ScalePanel left{side / static_cast<float>(std::sqrt(near))}, right{side / static_cast<float>(std::sqrt(far))};

    const Rect big = square(f, {area.x, foot}, left.side(gpt2), gpt2, "scale_gpt2");
    named(f, {big.x, big.y - f.px(26)}, gpt2);
    const Rect mine = square(f, {big.right() + gap, foot}, left.side(own), own, "scale_own");
    named(f, {mine.x, mine.y - f.px(26)}, own);

    const Rect huge = square(f, {area.right() - side, foot}, right.side(gpt3), gpt3, "scale_gpt3");
    named(f, {huge.x, huge.y - f.px(26)}, gpt3);
    const float llama_x = huge.x - gap - std::max(llama_name, right.side(llama));
    const Rect third = square(f, {llama_x, foot}, right.side(llama), llama, "scale_llama32_1b");
    named(f, {third.x, third.y - f.px(26)}, llama);
    const float small_x = llama_x - gap - std::max(gpt2_name, right.side(gpt2));
    const Rect small = square(f, {small_x, foot}, right.side(gpt2), gpt2, "scale_gpt2_small");
    named(f, {small.x, small.y - f.px(26)}, gpt2, again);
    f.painter().line({area.x, foot + f.px(1)}, {mine.x + std::max(own_name, mine.w), foot + f.px(1)}, Hue::Rule, f.px(1));
    f.painter().line({small.x, foot + f.px(1)}, {area.right(), foot + f.px(1)}, Hue::Rule, f.px(1));
}

/// What the squares are made of, in numbers.
void sizes(const Frame& f, Rect area) {
    const auto& models = f.derived.part<ExperimentData>().scale.models;
    constexpr std::array kTitles = {Str::scale_layers, Str::scale_heads, Str::scale_width, Str::scale_count, Str::scale_rule};
    constexpr std::array kEnds = {0.14f, 0.28f, 0.44f, 0.76f, 1.0f};  // of the columns: those of large numbers are wide
    const float high = f.px(kScaleRow), name = std::min(f.px(150), area.w * 0.24f), wide = area.w - name;
    const auto box = [&](std::size_t c, float y) {
        const float begin = c == 0 ? 0 : kEnds[c - 1];
        return Rect{area.x + name + wide * begin, y, wide * (kEnds[c] - begin), high};
    };
    for (std::size_t c = 0; c < kTitles.size(); ++c)
        f.painter().text_fit(box(c, area.y), f.say(kTitles[c]), {Type::Small, Align::Right}, Hue::Soft);
    float y = area.y + high;
    for (const ScaledModel& m : models) {
        const Rect row{area.x, y, area.w, high};
        f.painter().text_fit({area.x, y, name, high}, name_of_model(f, m), {Type::Small}, m.published ? Hue::Ink : Hue::Accent);
        const std::string rule = m.published ? weights_in_short(rule_of_thumb(*m.published)) : "";
        const std::string cells[] = {grouped(m.layers), grouped(m.heads), grouped(m.width), grouped(m.weights), rule};
        for (std::size_t c = 0; c < kTitles.size(); ++c)
            f.painter().text_in(box(c, y), cells[c], {Type::NumberSmall, Align::Right}, Hue::Ink);
        hint(f, "scale_row_" + m.name, row, arithmetic(f, m));
        y += high;
    }
}

/// What the colours are, on one line.
void colours(const Frame& f, Rect line) {
    constexpr std::pair<Str, Ink> kParts[] = {{Str::scale_words, Ink(Hue::Input, 0.75f)},
                                              {Str::block_attention, Ink(Hue::Score, 0.75f)},
                                              {Str::block_feed_forward, Ink(Hue::Output, 0.45f)}};
    float x = line.x;
    for (const auto& [title, ink] : kParts) {
        f.painter().fill({x, line.center().y - f.px(5), f.px(10), f.px(10)}, ink, f.px(2));
        x += f.px(16);
        x += f.painter().text({x, line.center().y + f.painter().middle_to_baseline(Type::Small)}, f.say(title), {Type::Small}, Hue::Soft) + f.px(20);
    }
}

}  // namespace

bool experiment_scale_applies(const Frame& f) { return experiment_applies("scale", f.state.document); }

void draw_experiment_scale(const Frame& f, Rect area) {
    const auto& models = f.derived.part<ExperimentData>().scale.models;
    if (models.size() < 4) return;
    const Rect body = area.inset(f.px(24), f.px(8));
    const ScaledModel& largest = models.back();
    const float top = experiment_says(
        f, body, models[0].weights > 0 ? f.say(Str::scale_says, {weights_in_short(models[0].weights), weights_in_short(largest.weights / models[0].weights), largest.name})
                                       : std::string(f.say(Str::scale_says_none)));
    const float line = f.px(22), table = f.px(kScaleRow) * static_cast<float>(models.size() + 1);
    colours(f, {body.x, top, body.w, line});
    const float below = body.bottom() - table;
    squares(f, {body.x, top + line + f.px(4), body.w, below - top - line - f.px(22)});
    sizes(f, {body.x, below, body.w, table});
}

}  // namespace app
