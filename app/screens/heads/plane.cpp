// Queries and keys as arrows: the picked pair with its angle and projection, all of them at once, and the effect of the
// weights on the plane of the inputs. An arrow's tip can be dragged, which changes the document's numbers.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/screens/heads/plane.h"
#include "app/content/number_text.h"

namespace app {
namespace {

constexpr std::string_view kModes[] = {"pair", "all", "map"};
constexpr Str kModeTitles[] = {Str::plane_pair, Str::plane_all, Str::plane_map};
constexpr float kGrip = 13;       ///< radius around a tip in which it can be dragged, in pixels at scale 1
constexpr int kMostArrows = 400;  ///< for all tokens
constexpr int kMostNames = 128;   ///< that are checked for room

std::string two(double value) { return number_text(static_cast<float>(value)); }

// -- controls

void pick_mode(const Frame& f, ControlRows& flow) {
    std::vector<std::string_view> titles;
    float widest = 0;
    int chosen = 0;
    for (std::size_t i = 0; i < std::size(kModes); ++i) {
        titles.push_back(f.say(kModeTitles[i]));
        widest = std::max(widest, f.painter().width(titles.back(), Type::BodyStrong));
        if (f.view().part<HeadsChoice>().plane == kModes[i]) chosen = static_cast<int>(i);
    }
    if (segmented(f.ui, "plane_mode", flow.next((widest + f.px(22)) * 3), titles, chosen))
        change_heads(f, [chosen](HeadsChoice& h) { h.plane = kModes[chosen]; });
}

std::string feature_name(const Frame& f, attn::StepId step, int index) {
    return f.say(Str::feature_number, {f.derived.labels.of(f.trace()[step].cols, index)});
}

/// The best plane, or any two features.
void pick_axes(const Frame& f, ControlRows& flow) {
    const PlaneData& p = f.derived.part<HeadsData>().plane;
    const int d = p.plane.width();
    if (d < 2) return;
    const HeadsChoice& now = f.view().part<HeadsChoice>();
    const bool best = now.first < 0 || now.second < 0 || now.first >= d || now.second >= d;
    const std::string_view words = f.say(Str::plane_best);
    if (word_switch(f, "plane_best", flow.next(word_switch_width(f, words)), words, best))
        change_heads(f, [best](HeadsChoice& h) {
            h.first = best ? 0 : -1;
            h.second = best ? 1 : -1;
        });
    if (best) return;
    std::vector<std::string> names;
    float widest = 0;
    for (int i = 0; i < d; ++i) {
        names.push_back(feature_name(f, p.queries, i));
        widest = std::max(widest, f.painter().width(names.back(), Type::Body));
    }
    const std::vector<SelectOption> options(names.begin(), names.end());
    const auto axis = [&](std::string_view id, int HeadsChoice::*which) {
        int chosen = now.*which;
        const int before = chosen;
        if (!select(f.ui, id, flow.next(std::min(widest, f.px(140)) + f.px(24)), options, chosen, Align::Left) ||
            chosen == before)
            return;
        change_heads(f, [which, chosen, before](HeadsChoice& h) {
            // The same feature twice does not span a plane, so the other axis takes the previous feature.
            int& other = which == &HeadsChoice::first ? h.second : h.first;
            if (other == chosen) other = before;
            h.*which = chosen;
        });
    };
    axis("plane_first", &HeadsChoice::first);
    axis("plane_second", &HeadsChoice::second);
}

void before_after(const Frame& f, ControlRows& flow) {
    const std::string_view before = f.say(Str::plane_before), after = f.say(Str::plane_after);
    const float w_before = f.painter().width(before, Type::Small) + f.px(8),
                w_after = f.painter().width(after, Type::Small) + f.px(8);
    const Rect rect = flow.next(w_before + w_after + f.px(130));
    f.painter().text_in({rect.x, rect.y, w_before, rect.h}, before, {Type::Small}, Hue::Soft);
    f.painter().text_in({rect.right() - w_after, rect.y, w_after, rect.h}, after, {Type::Small, Align::Right},
                        Hue::Soft);
    float share = f.view().part<HeadsChoice>().after;
    if (slider(f.ui, "plane_after", {rect.x + w_before, rect.y, rect.w - w_before - w_after, rect.h}, share,
               {0, 1, 0.05f, 1, false}))
        change_heads(f, [share](HeadsChoice& h) { h.after = std::clamp(share, 0.0f, 1.0f); });
}

Rect controls(const Frame& f, Rect area) {
    ControlRows flow(f, area, f.px(28), f.px(10));
    pick_mode(f, flow);
    pick_axes(f, flow);
    if (f.view().part<HeadsChoice>().plane == "map") before_after(f, flow);
    const float top = flow.bottom() + f.px(8);
    return {area.x, top, area.w, std::max(0.0f, area.bottom() - top)};
}

// -- arrows

/// The dragged tip follows the pointer; its numbers are overwritten, as one edit in the history.
void drag_arrow(const Frame& f) {
    ArrowDrag& d = *f.scratch.arrow;
    if (!gui::mouse_down()) {
        f.scratch.arrow.reset();
        return change_heads(f, [](HeadsChoice& h) { h.held = false; });
    }
    gui::set_cursor(gui::Cursor::Hand);
    const Point delta = gui::mouse_delta();
    if (delta.x == 0 && delta.y == 0) return;
    const Point tip = d.plane.from(gui::mouse() + d.grip);
    f.edit(
        [run = f.derived.computed, plane = f.derived.part<HeadsData>().plane.plane, at = d.at, tip](attn::Document& doc) {
            move_tip(doc, run->run.trace, plane, at, {static_cast<double>(tip.x), static_cast<double>(tip.y)});
        },
        "arrow#" + std::to_string(d.gesture));
}

struct Tip {
    CellRef at;
    Point pixel;
};

/// The tip nearest to the pointer, within reach.
const Tip* tip_under(const Frame& f, const std::vector<Tip>& tips) {
    const Tip* best = nullptr;
    float nearest = f.px(kGrip);
    for (const Tip& tip : tips) {
        const float away = std::hypot(tip.pixel.x - gui::mouse().x, tip.pixel.y - gui::mouse().y);
        if (away > nearest) continue;
        nearest = away;
        best = &tip;
    }
    return best;
}

void hold_tips(const Frame& f, Rect area, const PlaneView& plane, const std::vector<Tip>& tips) {
    const Touch touch = touch_area(f.ui, "heads_plane", area, false);
    if (f.scratch.arrow) return drag_arrow(f);
    const Tip* tip = touch.hovered ? tip_under(f, tips) : nullptr;
    point_at_weight(f, tip ? std::optional(tip->at) : std::nullopt);
    if (!tip) return;
    gui::set_cursor(gui::Cursor::Hand);
    f.painter().ring(tip->pixel, f.px(9), Ink(Hue::Accent, 0.7f), f.px(2));
    if (!gui::mouse_clicked()) return;
    f.scratch.arrow = ArrowDrag{tip->at, plane, tip->pixel - gui::mouse(), ++f.scratch.gestures};
    change_heads(f, [](HeadsChoice& h) { h.held = true; });
}

void record_tips(const Frame& f, const std::vector<Tip>& tips) {
    for (std::size_t i = 0; i < tips.size() && i < 100; ++i)
        f.ui.record("tip_" + std::to_string(i), rect_around(tips[i].pixel, f.px(10), f.px(10)));
}

// -- the picked pair

struct Fact {
    std::string name, value;
    Ink ink;
};

std::vector<Fact> facts_of(const Frame& f, const PlaneData& p) {
    const attn::PairMeasure& m = p.measure;
    const Hue left = p.same ? Hue::Input : Hue::Query, right = p.same ? Hue::Input : Hue::Key;
    return {{"|q|", two(m.left_length), left},
            {"|k|", two(m.right_length), right},
            {std::string(f.say(Str::angle_is)), fmt::format("{:.1f}°", m.degrees), Hue::Ink},
            {"cos θ", two(m.cosine), Hue::Ink},
            {"|q||k| cos θ = q·k", two(m.dot), Hue::Score},
            {std::string(f.say(Str::projection_is)), two(m.projection), left}};
}

Rect facts(const Frame& f, Rect area, const PlaneData& p) {
    const std::vector<Fact> all = facts_of(f, p);
    const float high = f.theme.line_height(Type::Small) + f.theme.line_height(Type::Number), gap = f.px(8);
    const auto width = [&](const Fact& fact) {
        return std::max(f.painter().width(fact.name, Type::Small), f.painter().width(fact.value, Type::NumberStrong)) +
               f.px(22);
    };
    // The number of rows is counted first.
    float x = 0;
    int rows = 1;
    for (const Fact& fact : all) {
        if (x > 0 && x + width(fact) > area.w) {
            ++rows;
            x = 0;
        }
        x += width(fact) + gap;
    }
    const float whole = static_cast<float>(rows) * (high + f.px(4));
    ControlRows flow(f, {area.x, area.bottom() - whole, area.w, whole}, high, gap);
    for (const Fact& fact : all) {
        const Rect rect = flow.next(width(fact));
        f.painter().fill(rect, Hue::Paper, f.px(7));
        const float half = f.theme.line_height(Type::Small);
        f.painter().text_fit({rect.x + f.px(10), rect.y, rect.w - f.px(14), half}, fact.name, {Type::Small}, Hue::Soft);
        f.painter().text_fit({rect.x + f.px(10), rect.y + half - f.px(2), rect.w - f.px(14), rect.h - half}, fact.value,
                             {Type::NumberStrong}, fact.ink);
    }
    return {area.x, area.y, area.w, std::max(0.0f, area.h - whole - f.px(6))};
}

void arc(const Frame& f, const PlaneView& plane, Point a, Point b) {
    const float from = std::atan2(a.y, a.x);
    float turn = std::atan2(b.y, b.x) - from;
    constexpr float kPi = 3.14159265f;
    if (turn > kPi) turn -= 2 * kPi;
    if (turn < -kPi) turn += 2 * kPi;
    const float radius = f.px(34) / plane.unit;
    constexpr int kPieces = 24;
    std::vector<Point> points;
    for (int i = 0; i <= kPieces; ++i) {
        const float at = from + turn * static_cast<float>(i) / kPieces;
        points.push_back(plane.at({std::cos(at) * radius, std::sin(at) * radius}));
    }
    f.painter().polyline(points, Ink(Hue::Accent, 0.7f), f.px(2));
}

PlaneView view_of(const Frame& f, Rect area, std::span<const Point> points) {
    if (f.scratch.arrow) return f.scratch.arrow->plane;
    return fit_plane(area, points, f.px(58));
}

void draw_pair(const Frame& f, Rect area) {
    const PlaneData& p = f.derived.part<HeadsData>().plane;
    const HeadsPlace& place = *f.derived.part<HeadsData>().here();
    const Rect body = facts(f, area, p);
    f.painter().fill(body, Hue::Paper, f.theme.card_radius);
    const auto clip = f.painter().clip(body);
    const Point a = to_point(p.left.tip), b = to_point(p.right.tip), foot = to_point(p.foot), both[] = {a, b, foot};
    const PlaneView plane = view_of(f, body, both);
    draw_plane_grid(f, plane);
    const Hue left = p.same ? Hue::Input : Hue::Query, right = p.same ? Hue::Score : Hue::Key;
    const Point zero = plane.at({0, 0});
    f.painter().line_dashed(plane.at(a), plane.at(foot), Hue::Faint, f.px(1.5f), f.px(5), f.px(4));
    f.painter().line(zero, plane.at(foot), Ink(right, 0.22f), f.px(9), true);
    arc(f, plane, a, b);
    f.painter().arrow(zero, plane.at(b), right, f.px(3), f.px(13));
    f.painter().arrow(zero, plane.at(a), left, f.px(3), f.px(13));
    TipNames names(f, body);
    const std::string query = f.derived.labels.of(f.trace()[p.queries].rows, p.query);
    names.name(plane.at(a), zero, "q · " + query, {Type::BodyStrong}, left);
    names.name(plane.at(b), zero, "k · " + place.key_names[static_cast<std::size_t>(p.key)], {Type::BodyStrong}, right);
    const std::vector<Tip> tips = {{p.left.at, plane.at(a)}, {p.right.at, plane.at(b)}};
    hold_tips(f, body, plane, tips);
    record_tips(f, tips);
}

// -- all tokens

/// All tips that are drawn.
std::vector<Point> ends_of(const PlaneData& p) {
    std::vector<Point> points;
    for (const auto* tips : {&p.query_tips, &p.key_tips})
        for (std::size_t i = 0; i < std::min<std::size_t>(tips->size(), kMostArrows); ++i)
            points.push_back(to_point((*tips)[i]));
    points.push_back(to_point(p.left.tip));
    points.push_back(to_point(p.right.tip));
    return points;
}

void draw_all(const Frame& f, Rect area) {
    const PlaneData& p = f.derived.part<HeadsData>().plane;
    f.painter().fill(area, Hue::Paper, f.theme.card_radius);
    const auto clip = f.painter().clip(area);
    const PlaneView plane = view_of(f, area, ends_of(p));
    draw_plane_grid(f, plane);
    const Point zero = plane.at({0, 0});
    std::vector<Tip> tips;
    TipNames names(f, area);
    const auto side = [&](attn::StepId step, const std::vector<attn::PlanePoint>& ends, Hue hue, int chosen) {
        const attn::Step& s = f.trace()[step];
        const auto all = static_cast<int>(ends.size()), count = std::min(all, kMostArrows);
        for (int at = 0; at < count + (chosen >= count ? 1 : 0); ++at) {
            const int i = std::min(at < count ? at : chosen, all - 1);
            const Point tip = plane.at(to_point(ends[static_cast<std::size_t>(i)]));
            const bool lit = i == chosen;
            f.painter().arrow(zero, tip, Ink(hue, lit ? 1.0f : 0.55f), f.px(lit ? 3.0f : 1.5f),
                              f.px(lit ? 12.0f : 8.0f));
            tips.push_back({{s.tag, i, 0}, tip});
        }
    };
    if (!p.same) side(p.keys, p.key_tips, Hue::Key, p.key);
    side(p.queries, p.query_tips, p.same ? Hue::Input : Hue::Query, p.query);
    const auto label = [&](attn::StepId step, const std::vector<attn::PlanePoint>& ends, Hue hue, int i, bool strong) {
        names.name(plane.at(to_point(ends[static_cast<std::size_t>(i)])), zero,
                   f.derived.labels.of(f.trace()[step].rows, i), {strong ? Type::SmallStrong : Type::Small}, hue);
    };
    const auto others = [&](attn::StepId step, const std::vector<attn::PlanePoint>& ends, Hue hue, int chosen) {
        for (int i = 0; i < std::min(static_cast<int>(ends.size()), kMostNames); ++i)
            if (i != chosen) label(step, ends, hue, i, false);
    };
    const Hue left = p.same ? Hue::Input : Hue::Query;
    label(p.queries, p.query_tips, left, p.query, true);
    if (!p.same) label(p.keys, p.key_tips, Hue::Key, p.key, true);
    others(p.queries, p.query_tips, left, p.query);
    if (!p.same) others(p.keys, p.key_tips, Hue::Key, p.key);
    hold_tips(f, area, plane, tips);
    record_tips(f, tips);
}

std::string share_sentence(const Frame& f) {
    const PlaneData& p = f.derived.part<HeadsData>().plane;
    const bool map = f.view().part<HeadsChoice>().plane == "map" && p.query_side.weight != attn::kNoStep;
    const double share = map ? p.query_side.to.share : p.plane.share;
    std::string words = f.say(Str::plane_kept, {fmt::format("{:.0f}", 100 * share)});
    if (!map) words += " " + std::string(f.say(Str::plane_drag));
    return words;
}

}  // namespace

void draw_heads_plane(const Frame& f, Rect area) {
    const PlaneData& p = f.derived.part<HeadsData>().plane;
    if (p.queries == attn::kNoStep) {
        return say_in_middle(f, area, f.say(f.derived.run->inputs.attention ? Str::plane_from_file : Str::plane_none));
    }
    const Rect body = caption_below(f, controls(f, area), share_sentence(f));
    if (body.h < f.px(100)) return;
    if (f.view().part<HeadsChoice>().plane == "all") return draw_all(f, body);
    if (f.view().part<HeadsChoice>().plane == "map") return draw_plane_map(f, body);
    draw_pair(f, body);
}

}  // namespace app
