// The bar at the bottom: play, steps, the timeline with its stages, speed.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "app/frame/backwards.h"
#include "app/frame/view.h"
#include "app/timeline/roles.h"

namespace app {
namespace {

constexpr std::array kSpeeds = {0.25, 0.5, 1.0, 1.5, 2.0, 4.0};

struct Track {
    Rect rect;
    double length;
    float x_at(double time) const { return rect.x + rect.w * static_cast<float>(length > 0 ? time / length : 0); }
    double time_at(float x) const {
        return length * std::clamp(static_cast<double>((x - rect.x) / std::max(1.0f, rect.w)), 0.0, 1.0);
    }
};

/// Whether sections are wide enough for their symbols; else the places are named.
bool has_room_for_symbols(const Frame& f, const Track& track) {
    return track.rect.w / static_cast<float>(f.derived.timeline.sections.size()) > f.px(34);
}

Rect bar_of(const Frame& f, const Track& track, int first, int last) {
    const auto& stops = f.derived.timeline.stops;
    const float each = track.rect.w / static_cast<float>(f.derived.timeline.sections.size());
    const float gap = std::min(f.px(4), each * 0.15f), high = f.theme.track_height + f.px(1);
    const float from = track.x_at(stops[static_cast<std::size_t>(first)].start),
                to = track.x_at(stops[static_cast<std::size_t>(last)].end()) - gap;
    return {from, track.rect.center().y - high / 2, std::max(1.0f, to - from), high};
}

/// The lowest text position that the handle never covers.
float above_handle(const Frame& f, const Track& track) { return track.rect.center().y - f.theme.knob_radius - f.px(3); }

/// Stops inside a section are notches, if they are far enough apart.
void notches(const Frame& f, const Track& track, const Section& section, Rect bar) {
    if (bar.w < f.px(7) * static_cast<float>(section.last - section.first + 1)) return;
    for (int i = section.first + 1; i <= section.last; ++i) {
        const double start = f.derived.timeline.stops[static_cast<std::size_t>(i)].start;
        f.painter().fill({track.x_at(start) - f.px(1), bar.y, f.px(2), bar.h}, Hue::Paper);
    }
}

void segments(const Frame& f, const Track& track) {
    const bool symbols = has_room_for_symbols(f, track);
    for (const Section& section : f.derived.timeline.sections) {
        const Rect bar = bar_of(f, track, section.first, section.last);
        const float round = std::min(bar.w, bar.h) / 2;
        f.painter().fill(bar, Hue::Rule, round);
        const float done = std::clamp(track.x_at(f.derived.time) - bar.x, 0.0f, bar.w);
        if (done > 0)
            f.painter().fill({bar.x, bar.y, std::max(done, std::min(bar.w, bar.h)), bar.h}, hue_of_stop(f.derived.timeline.stops[static_cast<std::size_t>(section.first)]),
                             round);
        notches(f, track, section, bar);
        if (!symbols) continue;
        const FormulaLayout& symbol =
            f.scratch.formulas.get(symbol_of_section(f, section), FormulaSize::Small, f.theme, f.painter().fonts());
        if (symbol.width <= bar.w) draw_formula(f.painter(), symbol, {bar.x, std::min(track.rect.y + f.px(11), above_handle(f, track) - symbol.descent)});
    }
}

/// Consecutive sections in one place: a block, an encoder.
struct Stretch {
    const Section* section;
    Rect bar;
    bool here;
    std::string words;
    bool numbered = false;  ///< its number must be fully visible
};

std::vector<Stretch> stretches_of(const Frame& f, const Track& track) {
    const auto& sections = f.derived.timeline.sections;
    const int now = f.derived.pose.stop;
    std::vector<Stretch> out;
    for (std::size_t i = 0; i < sections.size();) {
        std::size_t end = i + 1;
        while (end < sections.size() && sections[end].same_place(sections[i])) ++end;
        const int first = sections[i].first, last = sections[end - 1].last;
        out.push_back({&sections[i], bar_of(f, track, first, last), now >= first && now <= last, place_of(f, sections[i])});
        i = end;
    }
    return out;
}

bool is_block(const Section& s) { return s.layer != attn::kNoLayer && s.time == attn::kNoTime; }
bool same_stack(const Section& a, const Section& b) { return a.reverse == b.reverse && a.encoder == b.encoder && a.cross == b.cross; }

bool fits(const Frame& f, const Stretch& one) { return one.numbered || f.painter().width(one.words, Type::Small) <= one.bar.w - f.px(6); }

/// Labels the blocks of one stack, the first with its name, which says what is counted, and every `step`-th one after
/// it with its number. Returns whether each fits before the next label; only then are they stored in `all`.
bool number_blocks(const Frame& f, const Track& track, std::vector<Stretch>& all, const Section& first, int step) {
    constexpr float kBehind = 12;  // design pixels that are free after the track
    std::vector<Stretch> now = all;
    float past = 0;  // end of the previous label
    bool below_name = true;
    int last = attn::kNoLayer;
    const Stretch* before = nullptr;
    for (Stretch& one : now) {
        const bool counted = is_block(*one.section) && same_stack(*one.section, first);
        if (counted) {
            const int layer = one.section->layer;
            below_name &= layer == 0 || one.bar.x < past;
            if (layer > 0) one.words = attn::said_of(layer, f.counts_from()) % step == 0 && !below_name ? f.number(layer) : "";
            if (layer == std::exchange(last, layer)) one.words.clear();  // it continues a block that was interrupted
            one.numbered = true;
        }
        if (one.words.empty() || !fits(f, one)) continue;
        if (one.bar.x < past && (counted || before->numbered)) return false;
        before = &one;
        past = one.bar.x + f.painter().width(one.words, Type::Small) + f.px(6);
    }
    if (past > track.rect.right() + f.px(kBehind)) return false;
    all = std::move(now);
    return true;
}

/// Above many narrow sections: the names of the places that fit. If those of blocks do not, each block has its number,
/// or every second one, or fewer.
void places(const Frame& f, const Track& track) {
    std::vector<Stretch> all = stretches_of(f, track);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Section& first = *all[i].section;
        if (!is_block(first) || first.layer != 0 || first.cross) continue;  // a cross-attention is inside a block
        const auto counted = [&](const Stretch& one) { return is_block(*one.section) && same_stack(*one.section, first); };
        if (std::all_of(all.begin(), all.end(), [&](const Stretch& one) { return !counted(one) || fits(f, one); })) continue;
        for (const int step : {1, 2, 4, 8, 16, 32})
            if (number_blocks(f, track, all, first, step)) break;
    }
    constexpr float kDescent = 0.24f;  // of an em
    const float base = std::min(track.rect.y + f.px(10), above_handle(f, track) - f.theme.em(Type::Small) * kDescent);
    for (const Stretch& one : all)
        if (!one.words.empty() && fits(f, one))
            f.painter().text({one.bar.x + f.px(1), base}, one.words, {Type::Small}, one.here ? Hue::Ink : Hue::Soft);
}

void scrub(const Frame& f, const Track& track) {
    const Touch touch = touch_area(f.ui, "timeline", track.rect);
    if (touch.held) {
        if (f.view().playing) f.push(Play{false});
        const double time = track.time_at(gui::mouse().x);
        if (std::abs(time - f.derived.time) > 1e-9) f.push(Seek{time});
    }
    if (touch.hovered) gui::set_cursor(gui::Cursor::Hand);
    const Point knob{track.x_at(f.derived.time), track.rect.center().y};
    if (touch.focused) focus_ring(f.ui, track.rect, f.px(8));
    f.painter().circle(knob, f.theme.knob_radius + f.px(2),
                       hue_of_stop(f.derived.timeline.stops[static_cast<std::size_t>(f.derived.pose.stop)]));
    f.painter().circle(knob, f.theme.knob_radius - f.px(1), Hue::Paper);
}

void transport(const Frame& f, float& x, float y) {
    const float small = f.px(34), large = f.px(38);
    if (icon_button(f.ui, "back", {x, y - small / 2, small, small}, Icon::StepBack)) f.push(StepBy{-1});
    x += small + f.px(6);
    const Rect disc{x, y - large / 2, large, large};
    const Touch touch = touch_area(f.ui, "play", disc);
    f.painter().circle(disc.center(), large / 2,
                       touch.hovered ? Ink(mix(f.theme[Hue::Accent], f.theme[Hue::Ink], 0.15f)) : Ink(Hue::Accent));
    f.painter().icon(f.view().playing ? Icon::Pause : Icon::Play, disc.center(), f.px(17), Hue::Paper);
    if (touch.focused) focus_ring(f.ui, disc, large / 2);
    if (touch.hovered) gui::set_cursor(gui::Cursor::Hand);
    if (touch.clicked) f.push(Play{!f.view().playing});
    x += large + f.px(6);
    if (icon_button(f.ui, "forward", {x, y - small / 2, small, small}, Icon::StepForward)) f.push(StepBy{1});
    x += small;
}

void speed(const Frame& f, Rect rect) {
    std::vector<std::string> names;
    int chosen = 0;
    for (std::size_t i = 0; i < kSpeeds.size(); ++i) {
        names.push_back(fmt::format("{:g}×", kSpeeds[i]));
        if (std::abs(kSpeeds[i] - f.view().speed) < 1e-6) chosen = static_cast<int>(i);
    }
    std::vector<SelectOption> options;
    for (const std::string& name : names) options.push_back({name});
    const int before = chosen;
    if (select(f.ui, "speed", rect, options, chosen) && chosen != before)
        f.change_view([chosen](ViewState& v) { v.speed = kSpeeds[static_cast<std::size_t>(chosen)]; });
}

/// The choice of the pace: by news, by operation, or step by step.
float pace(const Frame& f, float right, float y) {
    std::vector<SelectOption> options;
    float widest = 0;
    for (const WalkPace one : kWalkPaces) {
        options.push_back({f.say(title_of(one))});
        widest = std::max(widest, f.painter().width(f.say(title_of(one)), Type::Body));
    }
    auto chosen = static_cast<int>(f.view().pace);
    const int before = chosen;
    const float w = widest + f.px(40);
    if (select(f.ui, "pace", {right - w, y - f.px(15), w, f.px(30)}, options, chosen) && chosen != before)
        f.change_view([chosen](ViewState& v) { v.pace = kWalkPaces[chosen]; });
    return right - w - f.px(14);
}

/// The choice of the head on the stage, if there are several.
float heads(const Frame& f, float right, float y) {
    const int count = f.state.document.config.heads;
    if (count < 2) return right;
    const std::string text =
        std::string(f.say(Str::head)) + " " + f.number(f.view().head) + " / " + std::to_string(count);
    const float size = f.px(26), w = f.painter().width(text, Type::Small) + f.px(16);
    float x = right - size * 2 - w;
    if (button(f.ui, "head_previous", {x, y - size / 2, size, size}, "‹", ButtonKind::Plain, f.view().head > 0))
        f.push(ChooseHead{f.view().head - 1});
    f.painter().text_in({x + size, y - size / 2, w, size}, text, {Type::Small, Align::Center}, Hue::Ink);
    if (button(f.ui, "head_next", {x + size + w, y - size / 2, size, size}, "›", ButtonKind::Plain,
               f.view().head + 1 < count))
        f.push(ChooseHead{f.view().head + 1});
    return x - f.px(14);
}

}  // namespace

void draw_timeline(const Frame& f) {
    if (f.area.empty()) return;
    f.painter().fill(f.area, Hue::Paper);
    f.painter().fill({f.area.x, f.area.y, f.area.w, f.theme.rule_width}, Hue::Rule);
    float x = f.area.x + f.px(22);
    const float y = f.area.center().y;
    transport(f, x, y);
    if (f.derived.timeline.stops.empty()) return;
    float right = f.area.right() - f.theme.margin;
    if (f.area.w > f.px(1000)) {
        const std::string_view hint = f.say(Str::space_hint);
        f.painter().text({right, y + f.painter().middle_to_baseline(Type::Small)}, hint, {Type::Small, Align::Right},
                         Hue::Soft);
        right -= f.painter().width(hint, Type::Small) + f.px(12);
    }
    if (f.area.w > f.px(560)) {
        speed(f, {right - f.px(58), y - f.px(15), f.px(58), f.px(30)});
        right -= f.px(74);
        if (f.area.w > f.px(760)) right = pace(f, right, y);
        right = heads(f, right, y);
    }
    const Track track{{x + f.px(22), f.area.y + f.px(13), right - x - f.px(34), f.area.h - f.px(20)},
                      f.derived.timeline.length()};
    if (track.rect.w < f.px(40)) return;
    segments(f, track);
    if (!has_room_for_symbols(f, track)) places(f, track);
    scrub(f, track);
}

}  // namespace app
