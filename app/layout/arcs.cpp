// What a story ends on: the words in a line, and from the one that was followed an arc to each that it looks at.

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/content/number_text.h"
#include "app/draw/arc.h"
#include "app/layout/stage.h"

namespace app {
namespace {

constexpr float kWordPad = 14, kWordsApart = 9, kWordHigh = 40;  // of a word, pixels of design
constexpr float kThinnestArc = 1.5f, kThickestArc = 40;     // an arc
constexpr float kArcRise = 40, kArcRiseShare = 0.16f;       // how high it rises: of a short one, and for each pixel of distance
constexpr float kSeenShare = 0.005f;                       // shares that are 0.00 have no arc

struct WordPlace {
    Rect card;
    float share = 0;
};

}  // namespace

void lay_out_arcs(const StageInput& in, attn::StepId weights, int query, Scene& scene) {
    scene.clear();
    scene.area = in.area;
    scene.convention = in.convention;
    const attn::Step& step = in.trace[weights];
    const float s = in.style.scale;
    const auto name = [&](int i) { return in.labels.of(step.cols, i); };
    std::vector<WordPlace> words;
    Type type = Type::TitleStrong;
    float wide = 0;
    for (const Type each : {Type::TitleStrong, Type::BodyStrong, Type::SmallStrong}) {
        type = each;
        words.clear();
        float x = 0;
        for (int j = 0; j < static_cast<int>(step.value.cols()); ++j) {
            const float w = std::max(in.measure(name(j), type), in.measure("0.00", Type::Number)) + 2 * kWordPad * s;
            words.push_back({{x, 0, w, kWordHigh * s}, step.value(query, j)});
            x += w + kWordsApart * s;
        }
        wide = x - kWordsApart * s;
        if (wide <= in.area.w) break;
    }
    const float squeeze = std::min(1.0f, in.area.w / wide);  // then names are cut
    float highest = 0;
    const auto rise = [&](const WordPlace& to) {
        return kArcRise * s + kArcRiseShare * std::abs(to.card.center().x - words[static_cast<std::size_t>(query)].card.center().x);
    };
    for (WordPlace& word : words) {
        word.card.x *= squeeze;
        word.card.w *= squeeze;
    }
    for (const WordPlace& word : words)
        if (word.share >= kSeenShare) highest = std::max(highest, rise(word) + kThickestArc * s / 2);
    const float figure = in.style.label * 2.2f, fit = std::min(1.0f, (in.area.h - kWordHigh * s - figure) / std::max(1.0f, highest));
    const float y = in.area.y + (in.area.h + highest * fit - kWordHigh * s - figure) / 2, left = in.area.x + (in.area.w - wide * squeeze) / 2;
    for (WordPlace& word : words) word.card = word.card.moved(left, y);

    const Point from{words[static_cast<std::size_t>(query)].card.center().x, y - 2 * s};
    for (int j = 0; j < static_cast<int>(words.size()); ++j) {
        const WordPlace& word = words[static_cast<std::size_t>(j)];
        const bool asks = j == query, largest = std::all_of(words.begin(), words.end(), [&](const WordPlace& w) { return w.share <= word.share; });
        const Hue hue = asks ? Hue::Query : largest ? Hue::Key : Hue::Ink;
        scene.cards.push_back({word.card, asks || largest ? hue : Hue::Rule, true, 1});
        scene.labels.push_back({{word.card.center().x, word.card.center().y + in.style.label * 0.4f}, std::string(name(j)), type, hue, Align::Center, 1,
                                word.card.w - kWordPad * s});
        scene.labels.push_back({{word.card.center().x, word.card.bottom() + figure * 0.75f},
                                row_text(word.share, [&](std::string_view text) { return in.measure(text, Type::Number) <= word.card.w; }),
                                largest ? Type::NumberStrong : Type::Number, largest ? Hue::Score : Hue::Soft, Align::Center, 1});
        if (asks || word.share < kSeenShare) continue;
        scene.paths.push_back({arc_points(from, {word.card.center().x, y - 2 * s}, rise(word) * fit), Hue::Score,
                               largest ? 1.0f : 0.35f, (kThinnestArc + kThickestArc * word.share) * s});
    }
}

}  // namespace app
