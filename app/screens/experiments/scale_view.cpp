// The sizes of models: squares whose areas are their numbers of weights, the document's own next to GPT-2, a Llama and
// GPT-3.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <numeric>
#include <string>
#include <vector>

#include "app/frame/chart.h"
#include "app/frame/hint.h"
#include "app/screens/experiments/view.h"

namespace app {
namespace {

constexpr float kScaleGap = 28, kScaleName = 44;  ///< design pixels: between squares, above them
constexpr float kStripesFrom = 40;                ///< smaller squares are not divided into layers
constexpr float kLeastSquare = 2;                 ///< the minimum size, so that it is visible
constexpr float kLeastLarge = 110;                ///< the large square of a picture, if pictures are next to each other
constexpr float kScaleRow = 24;

/// "124,439,808", in groups that are used in both languages.
std::string grouped(double count) {
    std::string digits = fmt::format("{:.0f}", count);
    for (std::ptrdiff_t at = std::ssize(digits) - 3; at > 0; at -= 3) digits.insert(static_cast<std::size_t>(at), ",");
    return digits;
}

/// "124M", "175B": with B for billions, as usual for models.
std::string weights_in_short(double count) {
    std::string text = brief(count);
    if (text.ends_with('G')) text.back() = 'B';
    return text;
}

std::string name_of_model(const Frame& f, const ScaledModel& m) {
    return m.published ? m.name : std::string(f.say(Str::scale_own));
}

/// How its size is computed from the published numbers.
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

/// The embeddings at the left, then the layers below each other, divided into attention and feed-forward.
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

/// A name and the number of weights, above a square; small squares have them next to each other.
void named(const Frame& f, Point at, const ScaledModel& m, std::string_view says) {
    f.painter().text({at.x, at.y}, name_of_model(f, m), {Type::BodyStrong}, m.published ? Hue::Ink : Hue::Accent);
    f.painter().text({at.x, at.y + f.px(18)}, says, {Type::Small}, Hue::Soft);
}

/// A square and its name: as wide as the wider of the two.
struct ScaleItem {
    const ScaledModel* model = nullptr;
    std::string_view id;
    std::string says;           ///< below its name: the number of weights
    float share = 0;            ///< its side, relative to the largest in its picture
    float name = 0;             ///< width of the name
    float wide(float side) const { return std::max(name, share * side); }
};
using ScalePicture = std::vector<ScaleItem>;

ScalePicture scale_picture(const Frame& f, std::initializer_list<ScaleItem> items) {
    ScalePicture out(items);
    double largest = 0;
    for (const ScaleItem& item : out) largest = std::max(largest, item.model->weights);
    for (ScaleItem& item : out) {
        item.share = static_cast<float>(std::sqrt(item.model->weights / largest));
        item.name = std::max(f.painter().width(name_of_model(f, *item.model), Type::BodyStrong), f.painter().width(item.says, Type::Small));
    }
    return out;
}

float width_of(const Frame& f, const ScalePicture& picture, float side) {
    float out = f.px(kScaleGap) * static_cast<float>(picture.size() - 1);
    for (const ScaleItem& item : picture) out += item.wide(side);
    return out;
}

/// The squares on one line, left-aligned; names are above their squares.
void draw_scale_picture(const Frame& f, const ScalePicture& picture, Point foot, float side) {
    float x = foot.x;
    for (const ScaleItem& item : picture) {
        const Rect r = square(f, {x, foot.y}, item.share * side, *item.model, item.id);
        named(f, {r.x, r.y - f.px(26)}, *item.model, item.says);
        x += item.wide(side) + f.px(kScaleGap);
    }
    f.painter().line({foot.x, foot.y + f.px(1)}, {x - f.px(kScaleGap), foot.y + f.px(1)}, Hue::Rule, f.px(1));
}

/// The largest side at which all pictures fit next to each other; 0 if that is below `least`.
float side_that_fits(const Frame& f, std::initializer_list<const ScalePicture*> pictures, float width, float high, float least) {
    float side = high;
    const auto needed = [&] {
        float sum = f.px(kScaleGap) * static_cast<float>(pictures.size() - 1);
        for (const ScalePicture* one : pictures) sum += width_of(f, *one, side);
        return sum;
    };
    while (side >= least && needed() > width) side -= f.px(2);
    return side;
}

/// Two pictures, each to scale: the small models next to GPT-2, and GPT-2 next to the large ones; one below the other
/// if their names do not fit on one line.
void squares(const Frame& f, Rect area) {
    const auto& models = f.derived.part<ExperimentData>().scale.models;
    const ScaledModel &own = models[0], &gpt2 = models[1], &llama = models[2], &gpt3 = models[3];
    const auto count = [&](const ScaledModel& m) { return f.say(Str::scale_weights, {weights_in_short(m.weights)}); };
    const ScalePicture small = scale_picture(f, {{&gpt2, "scale_gpt2", count(gpt2)}, {&own, "scale_own", count(own)}});
    ScalePicture large = scale_picture(f, {{&gpt2, "scale_gpt2_small", std::string(f.say(Str::scale_again))}, {&llama, "scale_llama32_1b", count(llama)}, {&gpt3, "scale_gpt3", count(gpt3)}});
    // If the texts do not fit, only the numbers.
    if (width_of(f, large, 0) > area.w)
        large = scale_picture(f, {{&gpt2, "scale_gpt2_small", {}}, {&llama, "scale_llama32_1b", weights_in_short(llama.weights)}, {&gpt3, "scale_gpt3", weights_in_short(gpt3.weights)}});
    const float least = f.px(kLeastLarge), high = area.h - f.px(kScaleName);
    if (const float side = side_that_fits(f, {&small, &large}, area.w, high, least); side >= least) {
        draw_scale_picture(f, small, {area.x, area.bottom()}, side);
        return draw_scale_picture(f, large, {area.right() - width_of(f, large, side), area.bottom()}, side);
    }
    const float half = area.h / 2 - f.px(kScaleName);
    draw_scale_picture(f, small, {area.x, area.y + area.h / 2}, side_that_fits(f, {&small}, area.w, half, least));
    draw_scale_picture(f, large, {area.x, area.bottom()}, side_that_fits(f, {&large}, area.w, half, least));
}

/// The sizes of the models in numbers.
void sizes(const Frame& f, Rect area) {
    const auto& models = f.derived.part<ExperimentData>().scale.models;
    constexpr std::array kTitles = {Str::scale_layers, Str::scale_heads, Str::scale_width, Str::scale_count, Str::scale_rule};
    using Cells = std::array<std::string, kTitles.size()>;
    const auto cells_of = [&](const ScaledModel& m, bool in_full) {
        return Cells{grouped(m.layers), grouped(m.heads), grouped(m.width), in_full ? grouped(m.weights) : weights_in_short(m.weights),
                     m.published ? weights_in_short(rule_of_thumb(*m.published)) : ""};
    };
    const float high = f.px(kScaleRow), name = std::min(f.px(150), area.w * 0.24f), wide = area.w - name;
    // Each column is as wide as its content, and the remaining width is shared. If that does not fit, the counts are
    // abbreviated, and if that is not enough, the titles are truncated.
    std::array<float, kTitles.size()> needs{};
    const auto left_of = [&](bool in_full, bool whole_titles) {
        for (std::size_t c = 0; c < kTitles.size(); ++c) needs[c] = f.px(12) + (whole_titles ? f.painter().width(f.say(kTitles[c]), Type::Small) : 0);
        for (const ScaledModel& m : models) {
            const Cells cells = cells_of(m, in_full);
            for (std::size_t c = 0; c < cells.size(); ++c) needs[c] = std::max(needs[c], f.px(12) + f.painter().width(cells[c], Type::NumberSmall));
        }
        return wide - std::accumulate(needs.begin(), needs.end(), 0.0f);
    };
    const bool in_full = left_of(true, true) >= 0;
    float left = left_of(in_full, true);
    if (left < 0) left = left_of(in_full, false);
    left = std::max(left, 0.0f) / static_cast<float>(kTitles.size());
    const auto box = [&](std::size_t c, float y) {
        const float begin = std::accumulate(needs.begin(), needs.begin() + static_cast<std::ptrdiff_t>(c), left * static_cast<float>(c));
        return Rect{area.x + name + begin, y, needs[c] + left, high};
    };
    for (std::size_t c = 0; c < kTitles.size(); ++c)
        f.painter().text_fit(box(c, area.y), f.say(kTitles[c]), {Type::Small, Align::Right}, Hue::Soft);
    float y = area.y + high;
    for (const ScaledModel& m : models) {
        const Rect row{area.x, y, area.w, high};
        f.painter().text_fit({area.x, y, name, high}, name_of_model(f, m), {Type::Small}, m.published ? Hue::Ink : Hue::Accent);
        const Cells cells = cells_of(m, in_full);
        for (std::size_t c = 0; c < kTitles.size(); ++c)
            f.painter().text_in(box(c, y), cells[c], {Type::NumberSmall, Align::Right}, Hue::Ink);
        hint(f, "scale_row_" + m.name, row, arithmetic(f, m));
        y += high;
    }
}

/// The legend of the colours, on one line or two. Returns its height.
float colours(const Frame& f, Rect line) {
    constexpr std::pair<Str, Ink> kParts[] = {{Str::scale_words, Ink(Hue::Input, 0.75f)},
                                              {Str::block_attention, Ink(Hue::Score, 0.75f)},
                                              {Str::block_feed_forward, Ink(Hue::Output, 0.45f)}};
    float x = line.x, high = line.h;
    for (const auto& [title, ink] : kParts) {
        if (x + f.px(16) + f.painter().width(f.say(title), Type::Small) > line.right() && x > line.x) {
            x = line.x;
            line.y += line.h;
            high += line.h;
        }
        f.painter().fill({x, line.center().y - f.px(5), f.px(10), f.px(10)}, ink, f.px(2));
        x += f.px(16);
        x += f.painter().text({x, line.center().y + f.painter().middle_to_baseline(Type::Small)}, f.say(title), {Type::Small}, Hue::Soft) + f.px(20);
    }
    return high;
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
    const float begin = top + colours(f, {body.x, top, body.w, line}), below = body.bottom() - table;
    squares(f, {body.x, begin + f.px(4), body.w, below - begin - f.px(22)});
    sizes(f, {body.x, below, body.w, table});
}

}  // namespace app
