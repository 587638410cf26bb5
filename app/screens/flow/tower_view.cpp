#include "app/screens/flow/tower_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/content/number_text.h"
#include "app/frame/flow_camera.h"
#include "app/frame/hint.h"
#include "app/frame/scene_paint.h"
#include "app/layout/flow/tower.h"
#include "app/ui/rich_text.h"

namespace app {
namespace {

/// Progress of the descent at which text is gone, the tower begins to fade and is gone, and the flow begins to appear.
constexpr double kLettersGone = 0.25, kTowerGoes = 0.5, kTowerGone = 0.92, kFlowComes = 0.55;
/// The zoom of the tower when it is gone.
constexpr float kComesCloser = 1.5f;
/// Opacity of what is not followed.
constexpr float kOtherArc = 0.3f, kLane = 0.2f, kDot = 0.5f, kPlate = 0.86f, kPillar = 0.75f, kWaitingFloor = 0.3f;
/// While it plays, shares of a floor's time: its lanes appear, its arcs shoot out, its tags flip, its column grows
/// upwards.
constexpr double kLanesThere = 0.2, kArcsFrom = 0.15, kArcsThere = 0.6, kTagsFrom = 0.6, kTagsThere = 0.8, kColumnFrom = 0.8;
constexpr int kSaidAnswers = 3;

std::string answer_text(const Frame& f, const attn::LikelyWord& word) {
    // Image labels are words for people, not tokens of a text.
    const std::string label = f.derived.labels.of({attn::Axis::Kind::Words}, word.id);
    return label.empty() ? word.text : label;
}

std::string floor_name(const Frame& f, const Tower& tower, int floor) {
    const FlowPlace& place = f.derived.places[static_cast<std::size_t>(tower.floors[static_cast<std::size_t>(floor)].place)];
    return place_of(f, f.derived.timeline.sections[static_cast<std::size_t>(place.main)]);
}

std::string floors_name(const Frame& f, const Tower& tower, int from, int to) {
    if (from == to) return floor_name(f, tower, from);
    const auto layer = [&](int floor) { return f.number(tower.floors[static_cast<std::size_t>(floor)].layer); };
    return layer(from) == layer(to) ? floor_name(f, tower, to) : f.say(Str::tower_group, {layer(from), layer(to)});
}

const std::string& token_text(const Frame& f, const TowerSide& side, int token) {
    const auto& all = side.source ? f.derived.labels.source_tokens : f.derived.labels.tokens;
    return all[static_cast<std::size_t>(token)];
}

/// How far a floor is computed while it plays, 0 … 1.
double made_of(const Frame& f, int place) {
    if (!f.view().plays()) return 1;
    const FlowPlace& at = f.derived.places[static_cast<std::size_t>(place)];
    const Timeline& timeline = f.derived.timeline;
    const Stop &first = timeline.stops[static_cast<std::size_t>(timeline.sections[static_cast<std::size_t>(at.first)].first)],
               &last = timeline.stops[static_cast<std::size_t>(timeline.sections[static_cast<std::size_t>(at.last)].last)];
    return phase(f.derived.time, first.start, last.end());
}

/// Progress of the descent into a floor, 0 … 1.
double come_down(const Frame& f) {
    return std::clamp(1 - std::log(static_cast<double>(flow_camera(f).zoom)) / std::log(static_cast<double>(kTowerZoom)), 0.0, 1.0);
}

TowerPicture tower_picture_of(const Frame& f, Rect area, double down) {
    const Tower& tower = *f.derived.tower;
    TowerRoom room{
        .area = area,
        .theme = f.theme,
        .width = [&f](std::string_view text, Type type) { return f.painter().width(text, type); },
        .word = [&f](const TowerSide& side, int token) { return token_text(f, side, token); },
        .answer = [&f](const attn::LikelyWord& word) { return answer_text(f, word); },
        .floors_name = [&](int from, int to) { return floors_name(f, tower, from, to); },
        .head_name = [&f](int head) { return f.say(Str::head_number, {f.number(head)}); },
        .place = f.derived.place,
        .cards = !f.view().present.on,
        .others = !f.view().present.on,
        .swing = static_cast<float>(ease(down)),
    };
    return lay_out_tower(room, tower, f.derived.lens.get());
}

struct TowerPainter {
    const Frame& f;
    const Tower& tower;
    const TowerLens* lens;
    const TowerPicture& at;

    Painter& p() const { return f.painter(); }
    float px(float design) const { return f.px(design); }
    const TowerFloor& floor(int i) const { return tower.floors[static_cast<std::size_t>(i)]; }
    double made(const TowerSlot& slot) const { return made_of(f, floor(slot.last).place); }
    Color color(const TowerFloor& of, int head) const { return f.theme.head(of.heads[static_cast<std::size_t>(head)].head); }
    Color letters(const TowerFloor& of, int head) const { return f.theme.head_text(of.heads[static_cast<std::size_t>(head)].head); }

    void plate(const TowerSlot& slot, float there) const {
        const auto corners = slot.plate();
        p().polygon(corners, Ink(Hue::Paper, kPlate));
        const bool here = f.derived.place == floor(slot.last).place || (slot.first <= slot.last && floor(slot.first).place <= f.derived.place && f.derived.place <= floor(slot.last).place);
        p().polyline(corners, here ? Ink(Hue::Accent, 0.55f * there) : Ink(Hue::Faint, 0.4f * there), here ? px(1.6f) : px(1.1f), true);
    }
    void lanes(const TowerSlot& slot, int index, float there) const {
        if (!slot.open) return;
        const TowerFloor& here = floor(slot.first);
        for (int h = 0; h < static_cast<int>(here.heads.size()); ++h) {
            const Color own = color(here, h);
            const Point from = at.lane(tower, index, slot.first, h, slot.left), to = at.lane(tower, index, slot.first, h, slot.right);
            p().line(from, to, Ink(own, kLane * there), px(1));
            for (const TowerWord& word : at.words)
                if (word.side == slot.side && word.left_out == 0)
                    p().circle(at.lane(tower, index, slot.first, h, word.x), px(1.8f), Ink(own, kDot * there));
        }
    }
    void arc(const TowerArc& one, double made) const {
        const Ink ink(color(floor(one.floor), one.head), one.lit ? 0.95f : kOtherArc);
        if (one.is_dot()) return p().circle(one.from, one.width * static_cast<float>(phase(made, kArcsFrom, kArcsThere)), ink);
        std::vector<Point> points = one.points();
        if (const double out = ease(phase(made, kArcsFrom, kArcsThere)); out < 1) {
            points.resize(static_cast<std::size_t>(out * static_cast<double>(points.size())));
            if (points.size() < 2) return;
        }
        p().polyline(points, ink, one.width);
    }
    /// The words' columns from one slot to the next, or from the ground to the first; `made`: progress of the followed
    /// one.
    void columns(int side, float low, float high, double made) const {
        if (high >= low) return;
        for (const TowerWord& word : at.words) {
            if (word.side != side || word.left_out > 0) continue;
            if (!word.followed) {
                p().line({word.x, low}, {word.x, high}, Ink(Hue::Faint, kPillar * 0.6f), px(1.6f));
                continue;
            }
            if (made <= 0) continue;
            p().line({word.x, low}, {word.x, low + (high - low) * static_cast<float>(made)}, Ink(Hue::Output, 0.95f), px(side + 1 == static_cast<int>(tower.sides.size()) ? 7.0f : 4.0f));
        }
    }
    void tag(const TowerTag& one, double turned) const {
        if (turned <= 0) return;
        const Color back = mix(f.theme[Hue::Paper], f.theme[Hue::Score], 0.12f + 0.82f * std::clamp(one.share, 0.0f, 1.0f));
        const float high = one.rect.h * static_cast<float>(turned);
        const Rect rect{one.rect.x, one.rect.center().y - high / 2, one.rect.w, high};
        p().fill(rect, back, px(5));
        if (one.followed) p().stroke(rect, Hue::Ink, px(5), px(1.6f));
        if (turned < 0.7) return;
        const Color ink = contrast(back, f.theme[Hue::Ink]) >= contrast(back, f.theme[Hue::Paper]) ? f.theme[Hue::Ink] : f.theme[Hue::Paper];
        const Type type = one.followed ? Type::SmallStrong : Type::Small;
        if (one.chance.empty()) {
            p().text_in(one.rect, one.word, {type, Align::Center}, ink);
            return;
        }
        const float figures = p().width(one.chance, Type::NumberSmall), letters = p().width(one.word, type), all = figures + letters + px(4);
        const float x = one.rect.center().x - all / 2;
        p().text_in({x, one.rect.y, letters + 1, one.rect.h}, one.word, {type}, ink);
        p().text_in({x + all - figures, one.rect.y, figures + 1, one.rect.h}, one.chance, {Type::NumberSmall}, Ink(ink, 0.9f));
    }
    void floors(float shown) const {
        int side = -1;
        float low = 0;
        double below = 1;
        for (int i = 0; i < static_cast<int>(at.slots.size()); ++i) {
            const TowerSlot& slot = at.slots[static_cast<std::size_t>(i)];
            if (slot.side != side) {
                side = slot.side;
                below = 1;
                for (const TowerWord& word : at.words)
                    if (word.side == side) low = word.rect.y;
            }
            const double now = made(slot);
            columns(side, low, slot.front, below);
            const float there = kWaitingFloor + (1 - kWaitingFloor) * static_cast<float>(phase(now, 0, kLanesThere));
            plate(slot, there);
            lanes(slot, i, there);
            for (const bool lit : {false, true})
                for (const TowerArc& one : at.arcs)
                    if (one.slot == i && one.lit == lit && !one.crosses) arc(one, now);
            low = slot.front;
            below = phase(now, kColumnFrom, 1);
        }
        for (const TowerArc& one : at.arcs)
            if (one.crosses) arc(one, made(at.slots[static_cast<std::size_t>(one.slot)]));
        if (shown <= 0) return;
        const auto scope = p().opacity(shown);
        answer_rises();
        for (const TowerTag& one : at.tags) tag(one, phase(made(at.slots[static_cast<std::size_t>(one.slot)]), kTagsFrom, kTagsThere));
        names();
        for (const TowerWord& word : at.roof) {
            p().text_fit(word.rect.inset(px(1), 0), word.text, {word.followed ? Type::SmallStrong : Type::Small, Align::Center}, word.followed ? Hue::Key : Hue::Soft);
        }
        words();
    }
    /// A line from the topmost tag of the followed word to its card.
    void answer_rises() const {
        const TowerTag* top = nullptr;
        for (const TowerTag& one : at.tags)
            if (one.followed) top = &one;
        if (!top || at.answers.empty() || made(at.slots[static_cast<std::size_t>(top->slot)]) < 1) return;
        const Point from{top->rect.right(), top->rect.center().y}, to{at.answers.x, at.answers.y + px(16) + at.line * 1.75f};
        const float wide = to.x - from.x;
        p().curve(from, {from.x + wide * 0.75f, from.y}, {to.x - wide * 0.3f, to.y}, to, Ink(Hue::Output, 0.95f), px(5));
    }
    void names() const {
        for (const TowerSlot& slot : at.slots) {
            if (slot.label.empty()) continue;
            const bool here = slot.has(floor_here());
            Rect line = slot.label;
            line.h /= static_cast<float>(slot.lines.size());
            for (const std::string& text : slot.lines) {
                p().text_in(line, text, {here ? Type::SmallStrong : Type::Small, Align::Right}, here ? Hue::Ink : Hue::Soft);
                line.y += line.h;
            }
        }
        for (const TowerName& name : at.names) p().text_in(name.rect, name.text, {Type::SmallStrong}, letters(floor(name.floor), name.head));
    }
    int floor_here() const {
        for (std::size_t i = 0; i < tower.floors.size(); ++i)
            if (tower.floors[i].place == f.derived.place) return static_cast<int>(i);
        return -1;
    }
    void words() const {
        for (const TowerWord& word : at.words) {
            if (word.left_out > 0)
                p().text_in(word.rect, word.text, {Type::Small, Align::Center}, Hue::Faint);
            else
                p().text_fit(word.rect.inset(px(1), 0), word.text, {word.followed ? at.followed_type : at.word_type, Align::Center}, word.followed ? Hue::Output : Hue::Ink);
        }
    }

    // -- cards

    Rect card(Rect rect, const std::string& title) const {
        p().card(rect);
        const Rect inner = rect.inset(px(16), px(16));
        p().text_fit({inner.x, inner.y - px(3), inner.w, at.line}, title, {Type::SmallStrong}, Hue::Ink);
        return {inner.x, inner.y + at.line * 1.2f, inner.w, inner.h - at.line * 1.2f};
    }
    void answers() const {
        if (at.answers.empty()) return;
        const std::string& followed = token_text(f, tower.answers(), lens->followed);
        Rect row = card(at.answers, f.say(lens->behind ? Str::tower_after : Str::tower_at, {followed}));
        const auto* words = lens->at(lens->layers, lens->followed);
        const float figures = p().width(chance_text(0.9999), Type::NumberSmall) + px(6);
        float named = row.w * 0.3f;
        for (int i = 0; words && i < std::min(at.answer_rows, static_cast<int>(words->size())); ++i)
            named = std::max(named, p().width(answer_text(f, (*words)[static_cast<std::size_t>(i)]), i == 0 ? Type::BodyStrong : Type::Small) + px(8));
        named = std::min(named, row.w - figures);
        row.h = at.line;
        for (int i = 0; words && i < std::min(at.answer_rows, static_cast<int>(words->size())); ++i, row.y += at.line) {
            const attn::LikelyWord& word = (*words)[static_cast<std::size_t>(i)];
            p().text_fit({row.x, row.y, named - px(6), row.h}, answer_text(f, word), {i == 0 ? Type::BodyStrong : Type::Small}, i == 0 ? Hue::Ink : Hue::Soft);
            const Rect bar{row.x + named, row.center().y - px(5), row.w - named - figures, px(10)};
            if (bar.w > px(12)) p().fill({bar.x, bar.y, std::max(px(2), bar.w * word.probability), bar.h}, Ink(Hue::Score, i == 0 ? 1.0f : 0.45f), px(4));
            p().text_in(row, chance_text(static_cast<double>(word.probability)), {Type::NumberSmall, Align::Right}, i == 0 ? Hue::Ink : Hue::Soft);
        }
    }
    void way() const {
        if (at.way.empty()) return;
        const Rect inner = card(at.way, f.say(Str::tower_way, {answer_text(f, lens->answer)}));
        const float line = f.theme.line_height(Type::Small), top = inner.y + line, base = inner.bottom() - line;
        const auto count = static_cast<float>(lens->way.size());
        const float step = inner.w / count, wide = std::min(step * 0.72f, px(36));
        const float figure = p().width("100%", Type::NumberSmall);
        std::size_t best = 0;
        for (std::size_t i = 0; i < lens->way.size(); ++i)
            if (lens->way[i].probability > lens->way[best].probability) best = i;
        const float number = p().width("00", Type::NumberSmall) + px(4);
        const auto every = static_cast<std::size_t>(std::max(1.0f, std::ceil(number / step)));
        for (std::size_t i = 0; i < lens->way.size(); ++i) {
            const attn::LensRank& one = lens->way[i];
            const float x = inner.x + step * (static_cast<float>(i) + 0.5f), high = std::max(px(1.5f), (base - top) * one.probability);
            p().fill({x - wide / 2, base - high, wide, high}, Ink(Hue::Score, one.rank == 1 ? 1.0f : 0.5f), std::min(px(4), high / 2));
            if (step >= figure + px(2) || i == best)
                p().text_in({x - step, base - high - line, 2 * step, line}, short_chance_text(static_cast<double>(one.probability)), {Type::NumberSmall, Align::Center}, Hue::Ink);
            if (i % every == 0) p().text_in({x - step, base + px(1), 2 * step, line}, one.layers == 0 ? std::string("·") : f.number(one.layers - 1), {Type::NumberSmall, Align::Center}, Hue::Soft);
        }
    }
    /// "layer 2 · head 3"; if that does not fit, the part that distinguishes it from the others here.
    std::string lane_name(const TowerAsk& one, float room) const {
        const TowerFloor& of = floor(one.floor);
        std::string name = floor_name(f, tower, one.floor);
        const int head = of.heads[static_cast<std::size_t>(one.head)].head;
        if (head != attn::kNoHead) name += " · " + f.say(Str::head_number, {f.number(head)});
        constexpr std::string_view kApart = " · ";
        const std::size_t first = name.find(kApart);
        if (p().width(name, Type::Small) <= room || first == std::string::npos) return name;
        return of.crosses() ? name.substr(0, first) : name.substr(first + kApart.size());
    }
    void asks() const {
        if (at.asks.empty()) return;
        const std::string& followed = token_text(f, tower.answers(), tower.followed_token());
        Rect row = card(at.asks, f.say(Str::tower_asks, {followed}));
        row.h = at.line;
        const float figures = p().width("<0.01%", Type::NumberSmall);
        for (const TowerAsk& one : strongest_asks(tower, at.ask_rows)) {
            const TowerFloor& of = floor(one.floor);
            p().circle({row.x + px(5), row.center().y}, px(4.5f), color(of, one.head));
            const TowerSide& keys = tower.sides[static_cast<std::size_t>(of.keys_of)];
            const std::string& key = token_text(f, keys, keys.tokens[static_cast<std::size_t>(one.key)]);
            const float left = row.x + px(16), room = row.right() - figures - px(8) - left;
            const float key_wide = std::min(p().width(key, Type::SmallStrong) + 1, room * 0.5f);
            p().text_fit({left, row.y, room - key_wide - px(6), row.h}, lane_name(one, room - key_wide - px(6)), {Type::Small}, Hue::Soft);
            p().text_fit({left + room - key_wide, row.y, key_wide, row.h}, key, {Type::SmallStrong, Align::Right}, Hue::Ink);
            p().text_in(row, weight_text(static_cast<double>(one.weight)), {Type::NumberSmall, Align::Right}, Hue::Ink);
            row.y += at.line;
        }
    }
    void note() const {
        const Rect above = !at.asks.empty() ? at.asks : at.answers;
        if (above.empty() || at.answers.empty()) return;
        const Rect rect{above.x + px(4), above.bottom() + px(14), above.w - px(8), at.area.bottom() - above.bottom() - px(14)};
        const std::string_view says = f.say(Str::tower_note);
        constexpr int kNoteLines = 6;
        if (lines_height(p(), rect.w, says, Type::Small, kNoteLines) <= rect.h) draw_lines(p(), rect, says, {Type::Small}, Hue::Soft, kNoteLines);
    }
};

/// Applies a camera to the whole picture; text keeps its size.
void look_through_tower(const Camera& camera, TowerPicture& at) {
    const float k = camera.zoom;
    for (TowerSlot& slot : at.slots) {
        slot.front = camera(Point{0, slot.front}).y;
        slot.left = camera(Point{slot.left, 0}).x;
        slot.right = camera(Point{slot.right, 0}).x;
        slot.depth *= k;
        slot.shear *= k;
        slot.rise *= k;
        slot.label = camera(slot.label);
    }
    for (TowerArc& arc : at.arcs) {
        arc.from = camera(arc.from);
        arc.to = camera(arc.to);
        arc.width *= k;
        arc.rise *= k;
    }
    for (auto* words : {&at.words, &at.roof})
        for (TowerWord& word : *words) {
            word.x = camera(Point{word.x, 0}).x;
            word.rect = camera(word.rect);
        }
    for (TowerTag& tag : at.tags) tag.rect = camera(tag.rect);
    for (TowerName& name : at.names) name.rect = camera(name.rect);
}

/// The camera of the descent to the floor of the place at the playhead.
Camera down_into(const Frame& f, const TowerPicture& at, const Tower& tower, double down) {
    const auto e = static_cast<float>(ease(down));
    Point middle = at.area.center();
    for (const TowerSlot& slot : at.slots)
        for (int floor = slot.first; floor <= slot.last; ++floor)
            if (tower.floors[static_cast<std::size_t>(floor)].place == f.derived.place) middle = slot.at((slot.left + slot.right) / 2, 0.5f);
    const float zoom = 1 + kComesCloser * e;
    const Point there = between(middle, at.area.center(), e);
    return {zoom, there - middle * zoom};
}

/// Records rectangles by name, for tests and scripts.
void record_tower(const Frame& f, const Tower& tower, const TowerPicture& at) {
    for (std::size_t i = 0; i < at.slots.size(); ++i) {
        const TowerSlot& slot = at.slots[i];
        const auto corners = slot.plate();
        const float high = std::max(slot.depth, 2.0f);
        for (int floor = slot.first; floor <= slot.last; ++floor)
            f.ui.record("map_tile_" + std::to_string(tower.floors[static_cast<std::size_t>(floor)].place + 1), {corners[0].x, slot.front - high, corners[2].x - corners[0].x, high});
        if (!slot.open) continue;
        const TowerFloor& here = tower.floors[static_cast<std::size_t>(slot.first)];
        for (int h = 0; h < static_cast<int>(here.heads.size()); ++h)
            f.ui.record(fmt::format("tower_head_{}_{}", here.place + 1, h + 1), rect_around(at.lane(tower, static_cast<int>(i), slot.first, h, slot.right - f.px(4)), f.px(4), 2));
    }
    for (const TowerWord& word : at.words)
        if (word.left_out == 0 && word.side + 1 == static_cast<int>(tower.sides.size()))
            f.ui.record("tower_word_" + std::to_string(tower.answers().tokens[static_cast<std::size_t>(word.column)] + 1), word.rect);
    for (const TowerTag& tag : at.tags)
        if (tag.followed) f.ui.record("tower_answer_" + std::to_string(tag.layer), tag.rect);
}

void ask_in_tower(const Frame& f, int token) {
    f.change_view([token](ViewState& v) { v.flow.follow(token); });
    // The followed word belongs to the decoder, while the playhead may be in the encoder.
    const Tower& tower = *f.derived.tower;
    const int here = f.derived.place, top = tower.floors[static_cast<std::size_t>(tower.answers().floors.back())].place;
    for (const TowerFloor& floor : tower.floors)
        if (floor.place == here && floor.side + 1 != static_cast<int>(tower.sides.size())) f.push(LookAt{top, whole_of(f.derived.map, top), false});
}

/// "layer 2 · head 3: “啼” gives 68% of its attention to “晓”".
std::string said_of_lane(const Frame& f, const Tower& tower, int floor, int head) {
    const TowerFloor& of = tower.floors[static_cast<std::size_t>(floor)];
    std::string where = floor_name(f, tower, floor);
    const TowerHead& lane = of.heads[static_cast<std::size_t>(head)];
    if (lane.head != attn::kNoHead) where += " · " + f.say(Str::head_number, {f.number(lane.head)});
    const TowerSide &side = tower.sides[static_cast<std::size_t>(of.side)], &keys = tower.sides[static_cast<std::size_t>(of.keys_of)];
    int best = -1;
    for (int key = 0; key < lane.keys; ++key)
        if (std::isfinite(lane.share(side.followed, key)) && (best < 0 || lane.share(side.followed, key) > lane.share(side.followed, best))) best = key;
    if (best < 0) return where;
    const auto text = [&](const TowerSide& s, int column) { return token_text(f, s, s.tokens[static_cast<std::size_t>(column)]); };
    return f.say(Str::named_value, {where, f.say(Str::flow_title, {text(side, side.followed), weight_text(static_cast<double>(lane.share(side.followed, best))), text(keys, best)})});
}

std::string said_of_tag(const Frame& f, const Tower& tower, const TowerTag& tag) {
    const int token = tower.answers().tokens[static_cast<std::size_t>(tag.column)];
    std::string list;
    const auto* words = f.derived.lens->at(tag.layer, token);
    for (int i = 0; words && i < std::min(kSaidAnswers, static_cast<int>(words->size())); ++i) {
        const attn::LikelyWord& word = (*words)[static_cast<std::size_t>(i)];
        list += (i > 0 ? " · " : "") + answer_text(f, word) + " " + chance_text(static_cast<double>(word.probability));
    }
    return f.say(Str::tower_tag, {floor_name(f, tower, tag.floor), token_text(f, tower.answers(), token), list});
}

Rect about_pointer(const Frame& f) { return {gui::mouse().x - f.px(6), gui::mouse().y - f.px(6), f.px(12), f.px(12)}; }

}  // namespace

bool shows_tower(const Frame& f) { return f.derived.map.tower && flow_camera(f).zoom < 1 && !f.view().passage; }

std::string tower_title(const Frame& f) {
    const auto floors = std::to_string(f.derived.places.size());
    if (f.derived.lens && !f.derived.lens->way.empty()) return f.say(Str::tower_title, {floors, "“" + answer_text(f, f.derived.lens->answer) + "”"});
    const int heads = f.state.document.config.heads;
    return heads > 1 ? f.say(Str::map_title_heads, {floors, std::to_string(heads)}) : f.say(Str::map_title, {floors});
}

std::string_view tower_hint(const Frame& f) {
    return f.say(f.derived.lens && !f.derived.lens->tokens.empty() ? Str::tower_hint_lens : Str::tower_hint);
}

void draw_tower(const Frame& f, Rect area, Rect flow) {
    const double down = come_down(f);
    f.scratch.tower.reset();
    look_through(camera_of(flow_camera(f), flow), f.scratch.scene);
    if (!f.derived.tower) {
        f.painter().text_in(area, f.say(Str::computing), {Type::Body, Align::Center}, Hue::Soft);
        f.scratch.scene.clear();
        return;
    }
    const Tower& tower = *f.derived.tower;
    TowerPicture picture = tower_picture_of(f, area, down);
    if (down > 0) look_through_tower(down_into(f, picture, tower, down), picture);
    const TowerPainter painter{f, tower, f.derived.lens.get(), picture};
    const auto letters = 1 - static_cast<float>(phase(down, 0, kLettersGone));
    if (const auto there = 1 - static_cast<float>(phase(down, kTowerGoes, kTowerGone)); there > 0) {
        const auto scope = f.painter().opacity(there);
        painter.floors(letters);
        if (letters > 0) {
            const auto shown = f.painter().opacity(letters);
            painter.answers();
            painter.way();
            painter.asks();
            painter.note();
        }
    }
    if (const auto comes = static_cast<float>(phase(down, kFlowComes, 1)); comes > 0) {
        // Text keeps its size, so it appears when the picture has nearly its own.
        if (down < kTowerGone) {
            f.scratch.scene.labels.clear();
            f.scratch.scene.captions.clear();
            f.scratch.scene.legends.clear();
        }
        const auto scope = f.painter().opacity(comes);
        paint_scene(f, f.scratch.scene);
    }
    f.scratch.scene.clear();
    if (down <= 0) record_tower(f, tower, picture);
    f.scratch.tower = std::make_shared<TowerPicture>(std::move(picture));
}

int floor_under(const Frame& f, Point point) {
    if (!f.scratch.tower || !f.derived.tower) return -1;
    const auto hit = f.scratch.tower->hit(*f.derived.tower, point);
    return hit.floor < 0 ? -1 : f.derived.tower->floors[static_cast<std::size_t>(hit.floor)].place;
}

void touch_tower(const Frame& f, const Touch& touch, bool clicked) {
    if (!touch.hovered || !f.scratch.tower || !f.derived.tower || come_down(f) > 0) return;
    const Tower& tower = *f.derived.tower;
    const TowerPicture& at = *f.scratch.tower;
    const Point mouse = gui::mouse();
    for (const TowerWord& word : at.words) {
        if (word.left_out > 0 || word.side + 1 != static_cast<int>(tower.sides.size()) || !word.rect.contains(mouse)) continue;
        const int token = tower.answers().tokens[static_cast<std::size_t>(word.column)];
        gui::set_cursor(gui::Cursor::Hand);
        hint(f, "tower_word_" + std::to_string(token), about_pointer(f), f.say(Str::tower_word, {token_text(f, tower.answers(), token)}));
        if (touch.clicked || touch.held) ask_in_tower(f, token);
        return;
    }
    for (const TowerTag& tag : at.tags)
        if (tag.rect.contains(mouse)) {
            hint(f, fmt::format("tower_tag_{}_{}", tag.layer, tag.column), about_pointer(f), said_of_tag(f, tower, tag));
            return;
        }
    const TowerPicture::Hit hit = at.hit(tower, mouse);
    if (hit.floor < 0) return;
    gui::set_cursor(gui::Cursor::Hand);
    const TowerFloor& floor = tower.floors[static_cast<std::size_t>(hit.floor)];
    const TowerSlot& slot = at.slots[static_cast<std::size_t>(hit.slot)];
    if (hit.head >= 0)
        hint(f, fmt::format("tower_lane_{}_{}", hit.floor, hit.head), about_pointer(f), said_of_lane(f, tower, hit.floor, hit.head));
    else
        hint(f, "tower_floor_" + std::to_string(hit.floor), about_pointer(f), f.say(Str::named_value, {slot.name, std::string(f.say(Str::tip_map_tile))}));
    if (!clicked) return;
    // A click on a slot of several floors cannot mean a single one: it opens them, so that one can be clicked.
    if (slot.first != slot.last) return f.push(LookAt{floor.place, whole_of(f.derived.map, floor.place)});
    if (hit.head >= 0 && floor.heads[static_cast<std::size_t>(hit.head)].head != attn::kNoHead) f.push(ChooseHead{floor.heads[static_cast<std::size_t>(hit.head)].head});
    f.push(LookAt{floor.place});
}

}  // namespace app
