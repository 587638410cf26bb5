// The layout of a tower: floors, lanes, arcs and tags, from the ground up, as many as fit.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/content/number_text.h"
#include "app/draw/arc.h"
#include "app/layout/flow/tower.h"

namespace app {
namespace {

// Design pixels, for a window of 1440 × 900.
constexpr float kTowerPitch = 92, kTowerBetween = 12, kLeastPitch = 28, kGapColumn = 26, kLongWord = 132, kTag = 46;
constexpr float kLaneBack = 42, kBack = 48, kMostBack = 176, kLeastBack = 52;  ///< how far a floor extends backwards
constexpr float kMostBackShare = 0.15f;
constexpr float kOpenFloor = 38, kThinFloor = 13, kOpenThin = 150, kThickestThin = 44;
constexpr float kOverTop = 0.1f;  ///< of a floor: room above the topmost one
/// A floor is no deeper than this times what it goes back to the right: a steeper one would seem upright.
constexpr float kSteepest = 1.2f;
constexpr float kDepthShare = 0.46f, kMostFloor = kSteepest * kMostBack / kDepthShare, kTowerRise = 0.6f, kThinDepth = 0.55f, kThinRise = 0.75f;
constexpr float kFirstLane = 0.55f, kMoreThanLanes = 0.1f;
constexpr float kShortRise = 12, kRiseOfDistance = 0.12f;
constexpr float kThinnestArc = 0.6f, kThickestArc = 9.5f, kOtherThick = 1.6f;
constexpr float kCardsShare = 0.215f, kLeastCards = 224, kMostCards = 292, kCardsOfTwo = 250, kCardsFrom = 860, kTowerCardGap = 20, kTowerCardPad = 16, kBars = 96;
constexpr float kApartSides = 28, kStem = 14;
/// The least weights that are drawn as arcs: for the followed word, and for the others.
constexpr float kTowerLitFrom = 0.03f, kLitOfMany = 0.1f, kLitOfThin = 0.15f, kOtherFrom = 0.3f;
/// Tags have a second line where it takes no more than one part in so many of the floor's height from its arcs.
constexpr float kTagOfFloor = 12;
constexpr std::size_t kFewLanes = 4;
constexpr int kLeastWords = 2, kMostAnswers = 5, kLeastAnswers = 3, kMostAsks = 6;

struct TowerColumns {
    std::vector<int> shown;  ///< indices into the side's tokens, in order
    std::vector<float> x, w;  ///< centre of each, from the left edge of the ground, and its width
    float wide = 0;
    bool fits = true;
    Type type = Type::Small, strong = Type::SmallStrong;
};

struct TowerWordType {
    Type plain, strong;
};
constexpr TowerWordType kTowerTypes[] = {{Type::Title, Type::TitleStrong}, {Type::Body, Type::BodyStrong}, {Type::Small, Type::SmallStrong}};

struct TowerMaker {
    const TowerRoom& room;
    const Tower& tower;
    const TowerLens* lens;
    TowerPicture out{};
    float s = 1;

    TowerMaker(const TowerRoom& r, const Tower& t, const TowerLens* l) : room(r), tower(t), lens(l), s(r.theme.scale) {}

    float line(Type type) const { return room.theme.line_height(type); }
    std::string word(const TowerSide& side, int column) const { return room.word(side, side.tokens[static_cast<std::size_t>(column)]); }
    const TowerSide& side(int i) const { return tower.sides[static_cast<std::size_t>(i)]; }
    const TowerFloor& floor(int i) const { return tower.floors[static_cast<std::size_t>(i)]; }
    int last_side() const { return static_cast<int>(tower.sides.size()) - 1; }

    // -- cards

    Rect cards() {
        out.line = line(Type::Small) * 1.15f;
        const Rect all = room.area;
        if (!room.cards || all.w < kCardsFrom * s) return all;
        const bool answers = lens && !lens->way.empty();
        const float wide = std::clamp(all.w * kCardsShare, kLeastCards * s, (tower.sides.size() > 1 ? kCardsOfTwo : kMostCards) * s), gap = kTowerCardGap * s;
        const float frame = 2 * kTowerCardPad * s + out.line * 1.2f, bars = kBars * s + out.line;
        const int asks = static_cast<int>(strongest_asks(tower, kMostAsks).size());
        int rows = answers ? kMostAnswers : 0, ask_rows = asks;
        bool way = answers;
        const auto high = [&] {
            float sum = ask_rows > 0 ? frame + out.line * static_cast<float>(ask_rows) : 0;
            if (answers) sum += frame + out.line * static_cast<float>(rows) + gap;
            return sum + (way ? frame + bars + gap : 0);
        };
        while (high() > all.h) {
            if (ask_rows > 3) --ask_rows;
            else if (rows > kLeastAnswers) --rows;
            else if (way) way = false;
            else if (ask_rows > 0) --ask_rows;
            else return all;
        }
        float y = all.y;
        const auto card = [&](float inside) {
            const Rect rect{all.right() - wide, y, wide, frame + inside};
            y += rect.h + gap;
            return rect;
        };
        if (answers) out.answers = card(out.line * static_cast<float>(rows));
        if (way) out.way = card(bars);
        if (ask_rows > 0) out.asks = card(out.line * static_cast<float>(ask_rows));
        out.answer_rows = rows;
        out.ask_rows = ask_rows;
        if (out.answers.empty() && out.asks.empty()) return all;
        return {all.x, all.y, all.w - wide - gap, all.h};
    }

    // -- words

    /// This many words, each in a column of its own width, and spread out as far as there is room.
    TowerColumns with(const TowerSide& one, int count, float wide, TowerWordType type) const {
        TowerColumns c;
        c.type = type.plain;
        c.strong = type.strong;
        for (std::size_t i = 0; i < one.tokens.size(); ++i)
            if (one.rank[i] < count) c.shown.push_back(static_cast<int>(i));
        const float gap = kGapColumn * s;
        float gaps = 0, all = 0;
        int before = -1;
        for (const int column : c.shown) {
            if (one.tokens[static_cast<std::size_t>(column)] != before + 1) gaps += gap;
            before = one.tokens[static_cast<std::size_t>(column)];
            const float letters = room.width(word(one, column), column == one.followed ? c.strong : c.type);
            c.w.push_back(std::max(std::min(letters, kLongWord * s) + kTowerBetween * s, kLeastPitch * s));
            all += c.w.back();
        }
        if (before + 1 < one.count) gaps += gap;
        const auto n = static_cast<float>(std::max<std::size_t>(1, c.shown.size()));
        c.fits = all + gaps <= wide;
        const float more = std::clamp((wide - all - gaps) / n, 0.0f, std::max(0.0f, kTowerPitch * s - all / n));
        before = -1;
        for (std::size_t i = 0; i < c.shown.size(); ++i) {
            const int token = one.tokens[static_cast<std::size_t>(c.shown[i])];
            if (token != before + 1) c.wide += gap;
            before = token;
            c.w[i] += more;
            c.x.push_back(c.wide + c.w[i] / 2);
            c.wide += c.w[i];
        }
        if (before + 1 < one.count) c.wide += gap;
        return c;
    }
    /// All words in the largest type in which they fit; else as many as fit in the smallest.
    TowerColumns columns(const TowerSide& one, float wide) const {
        const int all = static_cast<int>(one.tokens.size());
        for (const TowerWordType type : kTowerTypes)
            if (const TowerColumns c = with(one, all, wide, type); c.fits) return c;
        for (int count = all - 1; count > kLeastWords; --count)
            if (const TowerColumns c = with(one, count, wide, kTowerTypes[2]); c.fits) return c;
        return with(one, std::min(all, kLeastWords), wide, kTowerTypes[2]);
    }

    // -- floors

    int heads_of(const TowerSide& one) const {
        std::size_t most = 1;
        for (const int f : one.floors) most = std::max(most, floor(f).heads.size());
        return static_cast<int>(most);
    }
    bool shows_tags() const { return lens && !lens->tokens.empty(); }
    float tag_high() const { return line(Type::Small) * 1.12f; }

    /// Whether the topmost floor's arcs lead to the other tower, so that nothing rises above it.
    bool leaves_at_top(const TowerSide& one) const { return floor(one.floors.back()).crosses(); }
    /// The slots of a side, from the bottom up: all equal, or one open and the others thin.
    std::vector<TowerSlot> slots(int which, float high, float tags) const {
        const TowerSide& one = side(which);
        const int count = static_cast<int>(one.floors.size());
        std::vector<TowerSlot> made;
        const auto add = [&](int first, int last, float tall, bool open) {
            TowerSlot slot;
            slot.side = which;
            slot.first = one.floors[static_cast<std::size_t>(first)];
            slot.last = one.floors[static_cast<std::size_t>(last)];
            slot.high = tall;
            slot.open = open;
            made.push_back(slot);
        };
        const float alike = leaves_at_top(one) ? (high - (1 - kDepthShare) * tags) / (static_cast<float>(count - 1) + kDepthShare + kOverTop)
                                               : high / (static_cast<float>(count) + kOverTop);
        if (alike >= kOpenFloor * s + tags) {
            for (int i = 0; i < count; ++i) add(i, i, std::min(alike, kMostFloor * s), true);
            return made;
        }
        int open = count - 1;
        for (int i = 0; i < count; ++i)
            if (floor(one.floors[static_cast<std::size_t>(i)]).place == room.place) open = i;
        const float tall = std::min(high * 0.45f, kOpenThin * s);
        const int most = std::max(2, static_cast<int>((high - tall) / (kThinFloor * s)));
        const int group = (count - 1 + most - 1) / most;
        int slots_made = 1;
        for (int i = 0; i < count; ++i) {
            if (i == open) continue;
            int end = i;
            while (end + 1 < count && end + 1 != open && end + 1 - i < group) ++end;
            ++slots_made;
            i = end;
        }
        const float thin = std::min((high - tall) / (static_cast<float>(slots_made - 1) + 0.5f), kThickestThin * s);
        for (int i = 0; i < count; ++i) {
            if (i == open) {
                add(i, i, tall, true);
                continue;
            }
            int end = i;
            while (end + 1 < count && end + 1 != open && end + 1 - i < group) ++end;
            add(i, end, thin, false);
            i = end;
        }
        return made;
    }
    /// "Encoder · block 2" is split into two lines on an open floor.
    std::vector<std::string> lines_of(const TowerSlot& slot) const {
        constexpr std::string_view kApart = " · ";
        const std::size_t at = slot.name.find(kApart);
        if (at == std::string::npos || !slot.open) return {slot.name};
        return {slot.name.substr(0, at), slot.name.substr(at + kApart.size())};
    }

    /// Lays out one tower in a rectangle.
    void make_side(int which, Rect at) {
        const TowerSide& one = side(which);
        const int heads = heads_of(one);
        const bool answers = which == last_side();
        float names = 0, labels = 0;
        if (heads > 1)
            for (int h = 0; h < heads; ++h) names = std::max(names, room.width(room.head_name(h), Type::SmallStrong) + 12 * s);
        const float tags = tags_of(which);
        const bool roof = has_roof(which);

        // Horizontally: the names of floors, the words, the depth of the floors, the names of heads.
        const float back = std::clamp(kBack * s + kLaneBack * s * static_cast<float>(heads - 1), kLeastBack * s, std::max(kLeastBack * s, std::min(kMostBack * s, at.w * kMostBackShare)));
        for (const TowerSlot& made : slots(which, at.h, 0)) {
            TowerSlot named = made;
            named.name = room.floors_name(made.first, made.last);
            for (const std::string& text : lines_of(named)) labels = std::max(labels, room.width(text, Type::SmallStrong) + 10 * s);
        }
        const float wide = at.w - labels - back - names;
        const TowerColumns c = columns(one, wide);
        const float spare = std::max(0.0f, at.w - labels - back - names - c.wide);
        const float left = at.x + labels + spare * 0.5f;

        // Vertically: words, a piece of column, and the floors.
        std::vector<TowerSlot> made = slots(which, room_for_slots(which), tags);
        float y = ground_at;
        words(which, c, left, y - ground(), ground());
        y -= ground() + kStem * s;
        const auto first = static_cast<int>(out.slots.size());
        for (TowerSlot& slot : made) {
            const float below = slot.open ? tags : 1 * s, up = slot.high - below;
            slot.front = y - below;
            slot.depth = up * (slot.open ? kDepthShare : kThinDepth);
            slot.rise = up * (slot.open ? kTowerRise : kThinRise);
            slot.shear = back * (1 - room.swing);
            slot.depth *= 1 + room.swing;
            slot.left = left;
            slot.right = left + c.wide;
            slot.name = room.floors_name(slot.first, slot.last);
            slot.lines = lines_of(slot);
            float label = 0;
            for (const std::string& text : slot.lines) label = std::max(label, room.width(text, Type::SmallStrong) + 2);
            const float tall = line(Type::Small) * static_cast<float>(slot.lines.size()), middle = slot.front - slot.depth / 2;
            // Arcs to another tower start along its lanes, so the name is below the lowest one.
            const float lowest = slot.front - slot.depth * lane_at(slot.first, 0);
            const float low = floor(slot.first).crosses() && slot.open ? std::max(slot.front + 2 * s, lowest + kThickestArc * s + tall) : middle + tall / 2;
            const float end = slot.open ? left + slot.shear * std::clamp((slot.front - low) / std::max(slot.depth, 1.0f), 0.0f, 1.0f) - 6 * s : left - 6 * s;
            const float free = c.x.empty() ? end : std::min(end, left + c.x.front() - 8 * s);  // it is in front
            slot.label = {free - label, low - tall, label, tall};
            y -= slot.high;
            out.slots.push_back(slot);
        }
        thin_labels(first);
        if (roof) put_roof(which, c, left);
        for (int i = first; i < static_cast<int>(out.slots.size()); ++i) {
            arcs(i, c);
            if (answers) put_tags(i, c, at);
            if (heads > 1) put_names(i);
        }
    }
    float ground_at = 0;  ///< the ground of all towers
    float ground() const { return line(kTowerTypes[0].strong) * 1.15f; }
    bool has_roof(int which) const { return which != last_side(); }
    float tags_of(int which) const { return which == last_side() && shows_tags() ? tag_high() + 6 * s : 6 * s; }
    float room_for_slots(int which) const { return room.area.h - ground() - kStem * s - (has_roof(which) ? line(Type::Small) + 30 * s : 0); }
    /// The free height above the highest tower; half of it goes below the ground.
    void find_ground() {
        float free = room.area.h;
        for (int i = 0; i <= last_side(); ++i) {
            const auto made = slots(i, room_for_slots(i), tags_of(i));
            float used = room.area.h - room_for_slots(i);
            for (const TowerSlot& slot : made) used += slot.high;
            if (leaves_at_top(side(i)) && made.back().open) used -= (made.back().high - tags_of(i)) * (1 - kDepthShare);
            free = std::min(free, room.area.h - used - made.back().high * kOverTop);
        }
        ground_at = room.area.bottom() - std::max(0.0f, free) * 0.5f;
    }

    void words(int which, const TowerColumns& c, float left, float y, float high) {
        const TowerSide& one = side(which);
        if (which == last_side()) {
            out.word_type = c.type;
            out.followed_type = c.strong;
        }
        int before = -1;
        const auto gap = [&](float x, int count) {
            const float wide = kGapColumn * s;
            TowerWord rest{which, -1, count, x, {x - wide / 2, y, wide, high}, "…", false};
            out.words.push_back(std::move(rest));
        };
        for (std::size_t i = 0; i < c.shown.size(); ++i) {
            const int column = c.shown[i], token = one.tokens[static_cast<std::size_t>(column)];
            if (token != before + 1) gap(left + c.x[i] - c.w[i] / 2 - kGapColumn * s / 2, token - before - 1);
            TowerWord w{which, column, 0, left + c.x[i], {left + c.x[i] - c.w[i] / 2, y, c.w[i], high}, word(one, column), column == one.followed};
            out.words.push_back(std::move(w));
            before = token;
        }
        if (!c.shown.empty() && before + 1 < one.count) gap(left + c.wide - kGapColumn * s / 2, one.count - before - 1);
    }

    /// If floors are lower than a line of text, only some are named; the open floor and its neighbours come first.
    void thin_labels(int first) {
        std::vector<Rect> taken;
        const auto free = [&](const Rect& r) { return std::none_of(taken.begin(), taken.end(), [&](const Rect& t) { return t.overlaps(r); }); };
        for (const bool open : {true, false})
            for (int i = first; i < static_cast<int>(out.slots.size()); ++i) {
                TowerSlot& slot = out.slots[static_cast<std::size_t>(i)];
                if (slot.open != open) continue;
                if (free(slot.label))
                    taken.push_back(slot.label);
                else
                    slot.label = {};
            }
    }

    void put_roof(int which, const TowerColumns& c, float left) {
        const TowerSlot& top = out.slots.back();
        const float high = line(Type::Small), y = top.front - top.depth - std::min(top.rise * 0.5f, 20 * s) - high;
        const TowerSide& one = side(which);
        for (std::size_t i = 0; i < c.shown.size(); ++i) {
            const float x = left + c.x[i] + top.shear * 0.5f;
            out.roof.push_back({which, c.shown[i], 0, x, {x - c.w[i] / 2, y, c.w[i], high}, word(one, c.shown[i]), c.shown[i] == one.followed});
        }
    }

    float lane_at(int f, int head) const { return (static_cast<float>(head) + kFirstLane) / (static_cast<float>(floor(f).heads.size()) + kMoreThanLanes); }

    void arcs(int which, const TowerColumns& c) {
        const TowerSlot slot = out.slots[static_cast<std::size_t>(which)];
        const TowerSide& one = side(slot.side);
        const float thick = slot.open ? std::min(1.0f, slot.high / (110 * s)) : std::clamp(slot.high / (60 * s), 0.2f, 0.6f);
        for (int f = slot.first; f <= slot.last; ++f) {
            if (std::find(one.floors.begin(), one.floors.end(), f) == one.floors.end()) continue;
            const TowerFloor& at = floor(f);
            for (std::size_t h = 0; h < at.heads.size(); ++h)
                for (std::size_t q = 0; q < c.shown.size(); ++q) {
                    const bool lit = c.shown[q] == one.followed;
                    if (!lit && (!room.others || !slot.open || at.crosses())) continue;
                    const Point from = slot.at(slot.left + c.x[q], lane_at(f, static_cast<int>(h)));
                    const auto arc = [&](int key, Point to, bool crosses) {
                        const float weight = at.heads[h].share(c.shown[q], key);
                        const float least = !lit ? kOtherFrom : !slot.open ? kLitOfThin : at.heads.size() > kFewLanes ? kLitOfMany : kTowerLitFrom;
                        if (!(weight >= least)) return;
                        TowerArc a{which, f, static_cast<int>(h), c.shown[q], key, weight, 0, 0, from, to, lit, crosses};
                        a.width = (kThinnestArc + (lit ? kThickestArc : kOtherThick) * weight) * s * thick;
                        if (a.is_dot()) a.width = std::max(2 * s, std::min((lit ? 8 : 3) * s, slot.high * 0.07f)) * std::sqrt(weight);
                        a.rise = std::min(slot.rise - a.width / 2, kShortRise * s + kRiseOfDistance * std::abs(to.x - from.x));
                        out.arcs.push_back(a);
                    };
                    if (at.crosses()) {
                        for (const TowerWord& answers : out.roof)
                            if (answers.side == at.keys_of) arc(answers.column, {answers.x, answers.rect.y}, true);
                        continue;
                    }
                    for (std::size_t k = 0; k < c.shown.size(); ++k)
                        arc(c.shown[k], slot.at(slot.left + c.x[k], lane_at(f, static_cast<int>(h))), false);
                }
        }
    }

    void put_tags(int which, const TowerColumns& c, Rect at) {
        const TowerSlot slot = out.slots[static_cast<std::size_t>(which)];
        const TowerFloor& here = floor(slot.first);
        if (!shows_tags() || !here.ends_layer) return;
        // A thin floor has only the tag of the followed word, if it is high enough; a slot of several floors has none.
        if (!slot.open && (slot.first != slot.last || slot.high < tag_high() + 2 * s)) return;
        const TowerSide& one = side(slot.side);
        const float high = tag_high(), y = slot.open ? slot.front + 3 * s : slot.front - (slot.high + high) / 2, pad = 4 * s;
        std::vector<TowerTag> made;
        // High floors have room for two lines of tags: neighbours use them alternately.
        const int rows = slot.open && slot.high >= kTagOfFloor * high ? 2 : 1;
        const auto tag = [&](std::size_t i, bool with_chance) {
            const int column = c.shown[i];
            const auto* words = lens->at(here.layer + 1, one.tokens[static_cast<std::size_t>(column)]);
            if (!words || words->empty()) return;
            TowerTag t;
            t.slot = which;
            t.floor = slot.first;
            t.layer = here.layer + 1;
            t.column = column;
            t.share = words->front().probability;
            t.followed = column == one.followed;
            t.word = room.answer(words->front());
            const float letters = room.width(t.word, t.followed ? Type::SmallStrong : Type::Small), x = slot.left + c.x[i];
            const auto put = [&](float wide, int row) {
                t.rect = {std::clamp(x - wide / 2, at.x, std::max(at.x, at.right() - wide)), y + static_cast<float>(row) * (high + 3 * s), wide, high};
                return std::none_of(made.begin(), made.end(), [&](const TowerTag& other) { return other.column != column && other.rect.inset(-1.5f * s).overlaps(t.rect); });
            };
            // All tags have the same width, except those that need more.
            const float alike = std::min(c.w[i] - 3 * s, kTag * s), bare = std::max(letters + 2 * pad, alike);
            const std::string chance = short_chance_text(static_cast<double>(t.share));
            const float full = std::max(letters + room.width(chance, Type::NumberSmall) + 4 * s + 2 * pad, alike);
            const auto own = std::find_if(made.begin(), made.end(), [&](const TowerTag& other) { return other.column == column; });
            for (int k = 0; k < rows; ++k) {
                const int row = (static_cast<int>(i) + k) % rows;
                if (!put(with_chance ? full : bare, row)) continue;
                if (with_chance) t.chance = chance;
                if (own != made.end()) *own = std::move(t);
                else made.push_back(std::move(t));
                return;
            }
        };
        for (std::size_t i = 0; i < c.shown.size(); ++i)
            if (c.shown[i] == one.followed) tag(i, true);
        // A tag without room next to one with a higher probability is left out.
        std::vector<std::size_t> order;
        for (std::size_t i = 0; room.others && slot.open && i < c.shown.size(); ++i)
            if (c.shown[i] != one.followed) order.push_back(i);
        const auto share = [&](std::size_t i) {
            const auto* words = lens->at(here.layer + 1, one.tokens[static_cast<std::size_t>(c.shown[i])]);
            return words && !words->empty() ? words->front().probability : 0;
        };
        std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return share(i) > share(j); });
        for (const std::size_t i : order) tag(i, false);
        for (const std::size_t i : order) tag(i, true);
        for (TowerTag& t : made) out.tags.push_back(std::move(t));
    }

    /// The heads' names at the right end of their lanes; of many, those with the strongest arcs.
    void put_names(int which) {
        const TowerSlot slot = out.slots[static_cast<std::size_t>(which)];
        for (int below = 0; below < which; ++below)
            if (const TowerSlot& other = out.slots[static_cast<std::size_t>(below)]; other.side == slot.side && other.open) return;
        if (!slot.open) return;
        const TowerFloor& here = floor(slot.first);
        const TowerSide& one = side(slot.side);
        std::vector<int> order(here.heads.size());
        std::iota(order.begin(), order.end(), 0);
        const auto strongest = [&](int h) {
            float most = 0;
            for (int k = 0; k < here.heads[static_cast<std::size_t>(h)].keys; ++k)
                if (const float w = here.heads[static_cast<std::size_t>(h)].share(one.followed, k); w > most && (here.crosses() || k != one.followed)) most = w;
            return most;
        };
        std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return strongest(a) > strongest(b); });
        std::vector<TowerName> made;
        const float high = line(Type::Small) * 0.82f;
        for (const int h : order) {
            const int number = here.heads[static_cast<std::size_t>(h)].head;
            TowerName name{slot.first, h, {}, room.head_name(std::max(0, number))};
            const Point end = slot.at(slot.right, lane_at(slot.first, h));
            const float wide = room.width(name.text, Type::SmallStrong) + 1;
            name.rect = {end.x + 8 * s, end.y - high / 2, wide, high};
            if (std::any_of(made.begin(), made.end(), [&](const TowerName& n) { return n.rect.overlaps(name.rect); })) continue;
            made.push_back(std::move(name));
        }
        for (TowerName& name : made) out.names.push_back(std::move(name));
    }
    void make() {
        out.area = room.area;
        if (room.area.empty() || tower.floors.empty()) return;
        const Rect towers = cards();
        find_ground();
        if (tower.sides.size() == 1) return make_side(0, towers);
        // Each as wide as its words need, within limits.
        const float gap = kApartSides * s;
        const auto words = [&](int i) { return static_cast<float>(side(i).tokens.size()); };
        const float share = std::clamp(words(0) / std::max(1.0f, words(0) + words(1)), 0.42f, 0.58f);
        const float left = (towers.w - gap) * share;
        make_side(0, {towers.x, towers.y, left, towers.h});
        make_side(1, {towers.x + left + gap, towers.y, towers.w - gap - left, towers.h});
    }
};

}  // namespace

std::array<Point, 4> TowerSlot::plate() const { return {at(left, 0), at(right, 0), at(right, 1), at(left, 1)}; }

std::vector<Point> TowerArc::points() const {
    if (!crosses) return arc_points(from, to, std::max(rise, 2.0f), lit ? 5.0f : 14.0f);
    // Out of its floor to the left, and down onto the other tower.
    std::vector<Point> out;
    constexpr int kCrossing = 32;
    const Point first{from.x - (from.x - to.x) * 0.8f, from.y}, second{to.x, std::min(from.y, to.y - (from.x - to.x) * 0.12f)};
    for (int i = 0; i <= kCrossing; ++i) {
        const float t = static_cast<float>(i) / kCrossing, u = 1 - t;
        out.push_back(from * (u * u * u) + first * (3 * u * u * t) + second * (3 * u * t * t) + to * (t * t * t));
    }
    return out;
}

const TowerWord* TowerPicture::word_at(int side, int column) const {
    for (const TowerWord& word : words)
        if (word.side == side && word.column == column && word.left_out == 0) return &word;
    return nullptr;
}

Point TowerPicture::lane(const Tower& tower, int slot, int floor, int head, float x) const {
    const auto heads = static_cast<float>(tower.floors[static_cast<std::size_t>(floor)].heads.size());
    return slots[static_cast<std::size_t>(slot)].at(x, (static_cast<float>(head) + kFirstLane) / (heads + kMoreThanLanes));
}

TowerPicture::Hit TowerPicture::hit(const Tower& tower, Point p) const {
    Hit arc_hit;
    constexpr float kNear = 5, kOnLane = 2.5f;
    float nearest = kNear;
    for (const TowerArc& arc : arcs) {
        if (!arc.lit || arc.is_dot()) continue;
        // Only arcs whose bounding box is near are checked point by point.
        if (p.x < std::min(arc.from.x, arc.to.x) - kNear || p.x > std::max(arc.from.x, arc.to.x) + kNear) continue;
        for (const Point& q : arc.points())
            if (const float far = std::hypot(p.x - q.x, p.y - q.y) - arc.width / 2; far < nearest) {
                nearest = far;
                arc_hit = {arc.slot, arc.floor, arc.head};
            }
    }
    if (nearest < 0) return arc_hit;
    Hit beside = arc_hit;
    for (const TowerName& name : names)
        for (int i = 0; i < static_cast<int>(slots.size()); ++i)
            if (name.rect.contains(p) && slots[static_cast<std::size_t>(i)].has(name.floor)) beside = {i, name.floor, name.head};
    for (int i = static_cast<int>(slots.size()) - 1; i >= 0; --i) {
        const TowerSlot& slot = slots[static_cast<std::size_t>(i)];
        if (slot.depth <= 0) continue;
        const float t = (slot.front - p.y) / slot.depth, x = p.x - slot.shear * std::clamp(t, 0.0f, 1.0f);
        const bool on = t >= -0.06f && t <= 1.06f && x >= slot.left - 4 && x <= slot.right + 4;
        if (!on && !slot.label.contains(p)) continue;
        const auto heads = static_cast<float>(tower.floors[static_cast<std::size_t>(slot.last)].heads.size());
        const int head = std::clamp(static_cast<int>(std::lround(t * (heads + kMoreThanLanes) - kFirstLane)), 0, static_cast<int>(heads) - 1);
        // Next to an arc or on a name, that one is meant, except directly on a lane.
        const bool on_lane = std::abs(lane(tower, i, slot.last, head, x).y - p.y) <= kOnLane;
        if (beside.floor >= 0 && !on_lane) return beside;
        return {i, slot.last, on && slot.open ? head : -1};
    }
    return beside;
}

TowerPicture lay_out_tower(const TowerRoom& room, const Tower& tower, const TowerLens* lens) {
    TowerMaker maker(room, tower, lens);
    maker.make();
    return std::move(maker.out);
}

}  // namespace app
