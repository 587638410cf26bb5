#include "app/screens/opening/layout.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace app {
namespace {

// Design pixels in a window of 1440 × 900.
constexpr float kMargin = 47, kTop = 24, kArcsLeast = 110, kGlass = 80, kGlassLeast = 36, kGlassWide = 48, kCard = 124, kCardGap = 17,
                kCardLeast = 214, kWordHigh = 1.82f, kBelow = 14;
/// A text with more words is never shown as a whole, and a passage reaches no further than this from its words; the
/// others are not measured.
constexpr std::size_t kMostWhole = 64;
constexpr int kNearest = 64;
/// The height of an arc: a minimum, and per pixel of distance.
constexpr float kRise = 52, kRiseShare = 0.155f;
constexpr float kThinnest = 1.2f, kThickest = 46;

struct WordSize {
    Type plain, strong;
    float pad, gap;
};
constexpr WordSize kSizes[] = {{Type::Huge, Type::HugeStrong, 20, 14}, {Type::Large, Type::LargeStrong, 16, 10}, {Type::Medium, Type::MediumStrong, 12, 7}};
/// An additional smaller size, used if the sentence then fits as a whole, as next to a chapter's page.
constexpr WordSize kBesideAPage{Type::Title, Type::TitleStrong, 9, 5};

struct Words {
    const OpeningRoom& room;
    const OpeningData& data;
    const WordSize& size;

    float px(float design) const { return design * room.theme.opening; }
    /// The width of a word when it is highlighted, so that nothing moves when it is.
    float word(int i) const { return std::max(room.width(data.words[static_cast<std::size_t>(i)], size.strong), px(16)) + 2 * px(size.pad); }
    float gap(int count) const { return room.width(gap_text(count), Type::NumberLarge) + px(2); }
    float between() const { return px(size.gap); }
    int count() const { return static_cast<int>(data.words.size()); }

    /// The width of the kept words, with a gap for each omitted range.
    float total(const std::vector<bool>& shown) const {
        float sum = 0;
        for (int i = 0, out = 0; i <= count(); ++i) {
            if (i < count() && !shown[static_cast<std::size_t>(i)]) {
                ++out;
                continue;
            }
            if (out > 0) sum += gap(out) + between();
            out = 0;
            if (i < count()) sum += word(i) + between();
        }
        return sum - between();
    }

    /// The passage around the query word and the key word, as far as it fits.
    std::vector<bool> passage(float wide) const {
        std::vector<bool> shown(data.words.size(), false);
        shown[static_cast<std::size_t>(data.query)] = shown[static_cast<std::size_t>(data.key)] = true;
        const auto away = [&](int i) { return std::min(std::abs(i - data.query), std::abs(i - data.key)); };
        std::vector<int> order;
        for (int i = 0; i < count(); ++i)
            if (!shown[static_cast<std::size_t>(i)] && away(i) <= kNearest) order.push_back(i);
        std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return away(a) < away(b); });
        for (const int i : order) {
            shown[static_cast<std::size_t>(i)] = true;
            if (total(shown) <= wide) continue;
            shown[static_cast<std::size_t>(i)] = false;
            break;
        }
        return shown;
    }
};

}  // namespace

const OpeningWord* OpeningLayout::find(int index) const {
    for (const OpeningWord& one : words)
        if (!one.is_gap() && one.index == index) return &one;
    return nullptr;
}

OpeningLayout lay_out_opening(const OpeningRoom& room, const OpeningData& data) {
    OpeningLayout out;
    const Theme& theme = room.theme;
    const Rect area = room.area;
    const float u = out.unit = theme.opening;
    const float margin = std::min(kMargin * u, area.w * 0.05f), wide = area.w - 2 * margin;

    // The size of the words: the largest in which all fit, else a passage in the smallest.
    const WordSize* size = nullptr;
    std::vector<bool> shown(data.words.size(), true);
    for (const WordSize& one : kSizes) {
        size = &one;
        if (data.words.size() <= kMostWhole && Words{room, data, one}.total(shown) <= wide) break;
    }
    if (data.words.size() <= kMostWhole && Words{room, data, *size}.total(shown) > wide && Words{room, data, kBesideAPage}.total(shown) <= wide)
        size = &kBesideAPage;
    const Words words{room, data, *size};
    if (data.words.size() > kMostWhole || words.total(shown) > wide) shown = words.passage(wide);
    out.word_type = size->plain;
    out.word_strong = size->strong;
    for (const Type type : {Type::HugeStrong, Type::LargeStrong, Type::MediumStrong}) {
        out.title_type = type;
        if (room.width(data.title, type) <= wide) break;
    }

    // The height of each part, and what is left out first if not all fit.
    const auto line = [&](Type type, float lines) { return theme.em(type) * lines; };
    const float title = line(out.title_type, 1.3f), lead = line(Type::Lead, 1.7f), word_high = line(out.word_type, kWordHigh);
    const float figure = line(Type::NumberHuge, 1.4f), says = line(Type::MediumStrong, 1.45f), said = line(Type::Lead, 1.6f);
    const float change = room.changes ? theme.em(Type::Body) + 18 * u : 0, button = room.buttons ? theme.button_height + 4 * u : 0;
    const int heads = room.cards ? static_cast<int>(data.heads.size()) : 0;
    const float card_wide = heads > 0 ? (wide - kCardGap * u * static_cast<float>(heads - 1)) / static_cast<float>(heads) : 0;
    float card = card_wide >= std::max(kCardLeast * u, theme.em(Type::Small) * 18) ? kCard * u + theme.em(Type::Small) - 11 * u : 0;
    float glass = kGlass * u;
    const auto above = [&] { return kTop * u + title + lead; };
    const auto below = [&] {
        float sum = word_high + kBelow * u + glass + figure + says + said;
        for (const float row : {change, card, button})
            if (row > 0) sum += row + 12 * u;
        return sum + 12 * u;
    };
    const auto left = [&] { return area.h - above() - below(); };
    if (left() < kArcsLeast * u) glass = std::max(kGlassLeast * u, glass - (kArcsLeast * u - left()));
    if (left() < kArcsLeast * u) {
        card = 0;
        glass = kGlass * u;
        if (left() < kArcsLeast * u) glass = std::max(kGlassLeast * u, glass - (kArcsLeast * u - left()));
    }

    // From the top.
    out.title = {area.x + margin, area.y + kTop * u, wide, title};
    out.lead = {area.x + margin, out.title.bottom(), wide, lead};
    // From the bottom.
    float y = area.bottom() - 12 * u;
    const auto row = [&](float high) {
        if (high <= 0) return Rect{};
        y -= high;
        const Rect rect{area.x + margin, y, wide, high};
        y -= 12 * u;
        return rect;
    };
    out.buttons = row(button);
    if (const Rect cards = row(card); card > 0)
        for (int h = 0; h < heads; ++h) out.cards.push_back({cards.x + (card_wide + kCardGap * u) * static_cast<float>(h), cards.y, card_wide, cards.h});
    out.changes = row(change);
    y -= said;
    out.said = {area.x + margin, y, wide, said};
    y -= says;
    out.says = {area.x + margin, y, wide, says};
    y -= figure;
    const float figure_y = y, glass_y = y - glass, word_y = glass_y - kBelow * u - word_high;
    out.arcs = {area.x + margin, out.lead.bottom(), wide, word_y - 8 * u - out.lead.bottom()};
    out.see = {area.x + margin, glass_y, wide, glass};

    float x = area.center().x - std::min(words.total(shown), wide) / 2;
    for (int i = 0; i < words.count();) {
        OpeningWord word{.index = i};
        int next = i;
        while (next < words.count() && !shown[static_cast<std::size_t>(next)]) ++next;
        word.left_out = next - i;
        const float w = word.is_gap() ? words.gap(word.left_out) : words.word(i);
        word.chip = {x, word_y, w, word_high};
        const float middle = word.chip.center().x, g = std::min(kGlassWide * u, w);
        word.glass = {middle - g / 2, glass_y, g, glass};
        word.figure = {middle, figure_y, 0, figure};
        out.words.push_back(word);
        x += w + words.between();
        i = word.is_gap() ? next : i + 1;
    }
    // Figures may be as wide as the distance to the neighbours, so that no two overlap.
    for (std::size_t i = 0; i < out.words.size(); ++i) {
        const float middle = out.words[i].figure.x;
        float free = 2 * std::min(middle - area.x, area.right() - middle);
        if (i > 0) free = std::min(free, middle - out.words[i - 1].chip.center().x);
        if (i + 1 < out.words.size()) free = std::min(free, out.words[i + 1].chip.center().x - middle);
        const float w = std::max(free - 8 * u, 1.0f);
        out.words[i].figure = {middle - w / 2, figure_y, w, figure};
    }
    return out;
}

std::string gap_text(int left_out) { return "… " + std::to_string(left_out); }

float arc_rise(const OpeningLayout& layout, float distance) { return kRise * layout.unit + kRiseShare * distance; }

float arc_width(const OpeningLayout& layout, float share) {
    return layout.unit * (kThinnest + kThickest * std::clamp(share, 0.0f, 1.0f));
}

float arcs_fit(const OpeningLayout& layout, const OpeningData& data) {
    const OpeningWord* asks = layout.find(data.query);
    if (!asks) return 1;
    float fit = 1;
    for (const OpeningWord& word : layout.words) {
        const float share = word.is_gap() ? 0 : data.shares[static_cast<std::size_t>(word.index)];
        const float rise = arc_rise(layout, std::abs(word.chip.center().x - asks->chip.center().x));
        fit = std::min(fit, (layout.arcs.h - 4 * layout.unit - arc_width(layout, share) / 2) / rise);
    }
    return std::max(fit, 0.1f);
}

}  // namespace app
