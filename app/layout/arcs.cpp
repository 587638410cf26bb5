// The end of a story: the words in a line, with an arc from the followed word to each that it attends to, and, if the
// text is continued, an empty place with the words that may come there. For two texts: both in a line, with the weights
// between them.

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "app/content/number_text.h"
#include "app/draw/arc.h"
#include "app/layout/stage.h"
#include "app/timeline/answer.h"
#include "core/analysis/prediction.h"

namespace app {
namespace {

constexpr float kClose = 0.6f, kTight = 0.35f;  // of the padding around a word, if a line is full
constexpr float kWordPad = 14, kWordsApart = 9, kWordHigh = 40;  // a word's card: padding, gap, height; design pixels
// A short text: its share of the stage, at most how much its padding and gaps grow, and how much of that its height.
constexpr float kShortShare = 0.6f, kMostGrown = 2.2f, kHigher = 0.35f;
constexpr float kThinnestArc = 1.5f, kThickestArc = 40;     // thickness of an arc
constexpr float kArcRise = 40, kArcRiseShare = 0.16f;       // height of an arc: at least, and per pixel of distance
constexpr float kLoop = 0.5f;                              // width of an arc to the word itself, relative to the card
constexpr float kThickestLine = 12;                        // of a line from one text to the other
constexpr float kBetweenFigures = 6;                       // least distance of the texts above or below two cards
constexpr float kSeenShare = 0.005f;                       // smaller shares, which round to 0.00, have no arc
constexpr float kComesHigh = 26, kBarHigh = 12, kBarLong = 120, kComesApart = 10;  // a line of the likeliest words

struct WordPlace {
    Rect card;
    float share = 0;
};

/// The likeliest words, as bars below each other, right-aligned at `right`.
void lay_out_likeliest(const StageInput& in, std::span<const attn::LikelyWord> words, float right, float top, Scene& scene) {
    const float s = in.style.scale, high = kComesHigh * s, apart = kComesApart * s;
    float figure = 0;
    for (const attn::LikelyWord& word : words) figure = std::max(figure, in.measure(weight_text(static_cast<double>(word.probability)), Type::NumberStrong));
    const float bars = right - figure - apart - kBarLong * s;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const float y = top + high * static_cast<float>(i), middle = y + high / 2, base = middle + in.style.label * 0.4f;
        const Hue hue = i == 0 ? Hue::Score : Hue::Soft;
        scene.labels.push_back({{bars - apart, base}, words[i].text, i == 0 ? Type::BodyStrong : Type::Body, i == 0 ? Hue::Ink : Hue::Soft, Align::Right, 1});
        scene.bars.push_back({{bars, middle - kBarHigh * s / 2, std::max(1.0f, kBarLong * s * words[i].probability / words[0].probability), kBarHigh * s}, Hue::Score,
                              i == 0 ? 1.0f : 0.45f, 2 * s});
        scene.labels.push_back({{right, base}, weight_text(static_cast<double>(words[i].probability)), i == 0 ? Type::NumberStrong : Type::Number, hue, Align::Right, 1});
    }
}

}  // namespace

namespace {

/// A text in a line that takes the available width; its cards are at y = 0.
struct WordLine {
    std::vector<Rect> cards;
    Type type = Type::TitleStrong;
    float wide = 0, pad = 0, apart = 0;
    float grown = 1;  ///< a short text has larger cards, further apart, and higher arcs
    float high = 0;
};
WordLine word_line(const StageInput& in, const std::vector<std::string>& names) {
    const float s = in.style.scale;
    WordLine out;
    // Words are as large as there is room for, first with less around them, then in smaller type.
    constexpr std::pair<Type, float> kRooms[] = {{Type::TitleStrong, 1},     {Type::TitleStrong, kClose}, {Type::BodyStrong, 1},      {Type::BodyStrong, kClose},
                                                 {Type::BodyStrong, kTight}, {Type::SmallStrong, kClose}, {Type::SmallStrong, kTight}};
    for (const auto& [type, roomy] : kRooms) {
        out.type = type;
        out.pad = kWordPad * roomy * s;
        out.apart = kWordsApart * roomy * s;
        out.cards.clear();
        float x = 0;
        for (const std::string& name : names) {
            const float w = std::max(in.measure(name, type) + 2 * out.pad, in.measure("0.00", Type::Number) + std::max(kBetweenFigures * s - out.apart, 0.0f));
            out.cards.push_back({x, 0, w, kWordHigh * s});
            x += w + out.apart;
        }
        out.wide = x - out.apart;
        if (out.wide <= in.area.w) break;
    }
    // A short text is the whole picture, so it takes its share of the stage.
    if (out.type == Type::TitleStrong) {
        out.grown = std::clamp(kShortShare * in.area.w / out.wide, 1.0f, kMostGrown);
        float x = 0;
        for (Rect& card : out.cards) {
            card = {x, 0, card.w + 2 * out.pad * (out.grown - 1), card.h};
            x += card.w + out.apart * out.grown;
        }
        out.wide = x - out.apart * out.grown;
        out.apart *= out.grown;
    }
    out.high = kWordHigh * s * (1 + kHigher * (out.grown - 1));
    for (Rect& card : out.cards) card.h = out.high;
    const float squeeze = std::min(1.0f, in.area.w / out.wide);  // then names are truncated
    out.wide *= squeeze;
    out.apart *= squeeze;
    for (Rect& card : out.cards) card.x *= squeeze, card.w *= squeeze;
    for (Rect& card : out.cards) card = card.moved(in.area.x + (in.area.w - out.wide) / 2, 0);
    return out;
}

void put_word(const StageInput& in, const Rect& card, const std::string& name, const WordLine& line, Hue hue, bool spoken_of, Scene& scene) {
    scene.cards.push_back({card, spoken_of ? hue : Hue::Rule, true, 1});
    scene.labels.push_back({{card.center().x, card.center().y + in.style.label * 0.4f}, name, line.type, spoken_of ? hue : Hue::Ink, Align::Center, 1, card.w - line.pad});
}

/// A share above or below its word, if there is room.
void put_share(const StageInput& in, float share, const Rect& card, const WordLine& line, float base, bool largest, Scene& scene) {
    const Type type = largest ? Type::NumberStrong : Type::Number;
    const float room = card.w + line.apart - kBetweenFigures * in.style.scale;
    std::string text = short_row_text(share, [&](std::string_view figure) { return in.measure(figure, type) <= room; });
    if (text.empty() && largest) text = number_text(share);
    if (!text.empty()) scene.labels.push_back({{card.center().x, base}, std::move(text), type, largest ? Hue::Score : Hue::Soft, Align::Center, 1});
}

void lay_out_across(const StageInput& in, const attn::AttentionMap& map, const std::vector<std::string>& written, attn::StepId weights, int query, Scene& scene) {
    const float s = in.style.scale, figure = in.style.label * 2.2f;
    int lit = 0;
    for (int r = 0; r < map.rows(); ++r)
        if (const attn::Cell cell = map.cell(in.trace, r, 0); cell.step == weights && cell.row == query) lit = r;
    std::vector<std::string> sources;
    for (int j = 0; j < map.cols; ++j) sources.push_back(in.labels.of(map.keys, j));
    const WordLine above = word_line(in, sources), below = word_line(in, written);
    // Below a written word is the word that it was written from, if that is a different one.
    const auto read = [&](int r) { return in.labels.of(map.queries, r); };
    const float high = std::max(above.high, below.high), apart = std::clamp(in.area.h - 2 * high - 2 * figure, 0.0f, 0.3f * in.area.w);
    const float top = in.area.y + (in.area.h - 2 * high - apart) / 2, bottom = top + high + apart;
    const auto share = [&](int r, int j) {
        const attn::Cell cell = map.cell(in.trace, r, j);
        return cell.step == attn::kNoStep ? 0.0f : in.trace[cell.step].value(cell.row, cell.col);
    };
    int most = 0;
    for (int j = 0; j < map.cols; ++j)
        if (share(lit, j) > share(lit, most)) most = j;
    for (int j = 0; j < map.cols; ++j) {
        const Rect card = above.cards[static_cast<std::size_t>(j)].moved(0, top);
        put_word(in, card, sources[static_cast<std::size_t>(j)], above, Hue::Key, j == most, scene);
        put_share(in, share(lit, j), card, above, top - figure * 0.35f, j == most, scene);
    }
    const auto room_for = [&](int r) { return below.cards[static_cast<std::size_t>(r)].w + below.apart - kBetweenFigures * s; };
    bool large = true;
    for (int r = 0; r < map.rows(); ++r) large = large && in.measure(read(r), Type::BodyStrong) <= room_for(r);
    for (int r = 0; r < map.rows(); ++r) {
        const Rect card = below.cards[static_cast<std::size_t>(r)].moved(0, bottom);
        put_word(in, card, written[static_cast<std::size_t>(r)], below, Hue::Query, r == lit, scene);
        if (read(r) != written[static_cast<std::size_t>(r)])
            scene.labels.push_back({{card.center().x, card.bottom() + figure * 0.75f}, read(r), r == lit ? (large ? Type::BodyStrong : Type::SmallStrong) : large ? Type::Body : Type::Small,
                                    r == lit ? Hue::Query : Hue::Soft, Align::Center, 1, room_for(r)});
        for (int j = 0; j < map.cols; ++j) {
            if (share(r, j) < kSeenShare) continue;
            const Point from{card.center().x, bottom - 2 * s}, to{above.cards[static_cast<std::size_t>(j)].center().x, top + high + 2 * s};
            scene.paths.push_back({{from, to}, r == lit ? Hue::Score : Hue::Ink, r == lit ? (j == most ? 1.0f : 0.5f) : 0.08f + 0.22f * share(r, j),
                                   (kThinnestArc + kThickestLine * share(r, j)) * s});
        }
    }
}

}  // namespace

void lay_out_arcs(const StageInput& in, const StoryEnd& end, attn::StepId weights, int query, bool goes_on, Scene& scene) {
    scene.clear();
    scene.area = in.area;
    scene.convention = in.convention;
    const attn::Step& step = in.trace[weights];
    if (end.across) return lay_out_across(in, *end.across, end.written, weights, query, scene);
    const float s = in.style.scale;
    const auto name = [&](int i) { return in.labels.of(step.cols, i); };
    const std::span<const attn::LikelyWord> likely = goes_on ? std::span(end.likely) : std::span<const attn::LikelyWord>();
    std::vector<std::string> names;
    for (int j = 0; j < static_cast<int>(step.value.cols()); ++j) names.emplace_back(name(j));
    if (!likely.empty()) names.push_back(likely[0].text);
    const WordLine line = word_line(in, names);
    const Type type = line.type;
    std::vector<WordPlace> words;
    for (std::size_t j = 0; j < line.cards.size(); ++j)
        words.push_back({line.cards[j], static_cast<Eigen::Index>(j) < step.value.cols() ? step.value(query, static_cast<Eigen::Index>(j)) : 0});
    float highest = 0;
    const auto rise = [&](const WordPlace& to) {
        return kArcRise * line.grown * s + kArcRiseShare * std::abs(to.card.center().x - words[static_cast<std::size_t>(query)].card.center().x);
    };
    for (const WordPlace& word : words)
        if (word.share >= kSeenShare) highest = std::max(highest, rise(word) + kThickestArc * s / 2);
    const float figure = in.style.label * 2.2f, below = figure + kComesHigh * s * static_cast<float>(likely.size());
    const float fit = std::clamp((in.area.h - line.high - below) / std::max(1.0f, highest), 0.0f, 1.0f);
    const float y = in.area.y + (in.area.h + highest * fit - line.high - below) / 2;
    for (WordPlace& word : words) word.card = word.card.moved(0, y);

    if (!likely.empty()) {
        const Rect open = words.back().card;
        words.pop_back();
        BandSprite edge{open, Hue::Score, 1, 6 * s, true};
        edge.dashed = true;
        scene.bands.push_back(edge);
        scene.labels.push_back({{open.center().x, open.center().y + in.style.label * 0.4f}, likely[0].text, type, Hue::Score, Align::Center, 1, open.w - line.pad});
        lay_out_likeliest(in, likely, open.right(), open.bottom() + figure, scene);
    }
    const Point from{words[static_cast<std::size_t>(query)].card.center().x, y - 2 * s};
    for (int j = 0; j < static_cast<int>(words.size()); ++j) {
        const WordPlace& word = words[static_cast<std::size_t>(j)];
        const bool asks = j == query, largest = std::all_of(words.begin(), words.end(), [&](const WordPlace& w) { return w.share <= word.share; });
        const Hue hue = asks ? Hue::Query : largest ? Hue::Key : Hue::Ink;
        scene.cards.push_back({word.card, asks || largest ? hue : Hue::Rule, true, 1});
        scene.labels.push_back({{word.card.center().x, word.card.center().y + in.style.label * 0.4f}, std::string(name(j)), type, hue, Align::Center, 1,
                                word.card.w - line.pad});
        put_share(in, word.share, word.card, line, word.card.bottom() + figure * 0.75f, largest, scene);
        if (word.share < kSeenShare) continue;
        // The weight of a word to itself is a loop.
        const float x = word.card.center().x, half = asks ? kLoop * word.card.w / 2 : 0;
        scene.paths.push_back({arc_points({asks ? x - half : from.x, from.y}, {x + half, from.y}, rise(word) * fit), Hue::Score,
                               largest ? 1.0f : 0.35f, (kThinnestArc + kThickestArc * word.share) * s});
    }
}

}  // namespace app
