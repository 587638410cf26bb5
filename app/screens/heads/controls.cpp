// The controls of lines and grid: which heads, how they are combined, which keys are hidden.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/explain/head_names.h"
#include "app/frame/hint.h"
#include "app/screens/heads/view.h"
#include "app/ui/rich_text.h"

namespace app {
namespace {

constexpr std::string_view kShown[] = {"heads", "average", "largest", "strongest"};
constexpr Str kHeadsShownTitles[] = {Str::heads_each, Str::heads_average, Str::heads_largest, Str::heads_strongest};

void pick_shown(const Frame& f, ControlRows& flow) {
    std::vector<SelectOption> options;
    int chosen = 0;
    for (std::size_t i = 0; i < std::size(kShown); ++i) {
        options.push_back({f.say(kHeadsShownTitles[i])});
        if (f.view().part<HeadsChoice>().shown == kShown[i]) chosen = static_cast<int>(i);
    }
    const int before = chosen;
    const float width = f.painter().width(options[static_cast<std::size_t>(chosen)].label, Type::Body);
    const Rect rect = flow.next(width + f.px(24));
    if (select(f.ui, "heads_shown", rect, options, chosen, Align::Left) && chosen != before)
        change_heads(f, [chosen](HeadsChoice& h) { h.shown = kShown[chosen]; });
}

bool is_lit(const HeadsChoice& h, int head) {
    return h.only.empty() || std::find(h.only.begin(), h.only.end(), head) != h.only.end();
}

/// A click shows only this head (a second click: all of them); with Shift or Ctrl it adds or removes it.
void press_head(const Frame& f, int head, int heads) {
    if (!gui::mod_shift() && !gui::mod_ctrl()) {
        const bool alone = f.view().part<HeadsChoice>().only == std::vector<int>{head};
        return f.change_view([head, alone](ViewState& v) {
            v.head = head;
            v.part<HeadsChoice>().only = alone ? std::vector<int>{} : std::vector<int>{head};
            v.part<HeadsChoice>().shown = kShown[0];
        });
    }
    change_heads(f, [head, heads](HeadsChoice& h) {
        if (h.only.empty())
            for (int i = 0; i < heads; ++i) h.only.push_back(i);
        const auto at = std::lower_bound(h.only.begin(), h.only.end(), head);
        if (at != h.only.end() && *at == head)
            h.only.erase(at);
        else
            h.only.insert(at, head);
        h.shown = kShown[0];
    });
}

void head_buttons(const Frame& f, ControlRows& flow, int heads) {
    const float side = f.px(22);
    for (int head = 0; head < heads; ++head) {
        const Rect room = flow.next(side);
        const Rect rect = rect_around(room.center(), side, side);
        const Touch touch = touch_area(f.ui, "lit_head_" + std::to_string(head + 1), rect);
        const Color color = f.theme.head(head);
        const bool lit = f.view().part<HeadsChoice>().shown == "strongest" || is_lit(f.view().part<HeadsChoice>(), head);
        if (lit)
            f.painter().fill(rect, Ink(color, touch.hovered ? 0.85f : 1.0f), f.px(5));
        else
            f.painter().stroke(rect, Ink(color, touch.hovered ? 1.0f : 0.5f), f.px(5), f.px(1.3f));
        f.painter().text_in(rect, f.number(head), {Type::SmallStrong, Align::Center},
                            lit ? Ink(ink_on(color)) : Ink(Hue::Soft));
        if (touch.focused) focus_ring(f.ui, rect, f.px(5));
        if (touch.hovered) gui::set_cursor(gui::Cursor::Hand);
        if (const std::string says = question_sentence(f.state.document, head, f.view().language, f.counts_from()); !says.empty())
            hint(f, "lit_head_" + std::to_string(head + 1), rect, says);
        if (touch.clicked) press_head(f, head, heads);
    }
}

void keep_slider(const Frame& f, ControlRows& flow) {
    float keep = f.view().part<HeadsChoice>().keep;
    const std::string text = f.say(Str::heads_keep, {fmt::format("{:.0f}", 100 * keep)});
    const float label = f.painter().width(f.say(Str::heads_keep, {"100"}), Type::Small) + f.px(10);
    const Rect rect = flow.next(label + f.px(130));
    f.painter().text_fit({rect.x, rect.y, label, rect.h}, text, {Type::Small}, Hue::Soft);
    const Rect track{rect.x + label, rect.y, rect.w - label, rect.h};
    if (slider(f.ui, "heads_keep", track, keep, {0, 1, 0.05f, 1, false}))
        change_heads(f, [keep](HeadsChoice& h) { h.keep = std::clamp(std::round(keep * 100) / 100, 0.0f, 1.0f); });
}

void flag(const Frame& f, ControlRows& flow, std::string_view id, Str label, bool HeadsChoice::*which) {
    const std::string_view words = f.say(label);
    if (word_switch(f, id, flow.next(word_switch_width(f, words)), words, f.view().part<HeadsChoice>().*which))
        change_heads(f, [which](HeadsChoice& h) { h.*which = !(h.*which); });
}

void pick_measure(const Frame& f, ControlRows& flow) {
    constexpr Str kTitles[] = {Str::measure_weight, Str::measure_norm, Str::measure_part};
    std::vector<SelectOption> options;
    for (const Str title : kTitles) options.push_back({f.say(title)});
    int chosen = static_cast<int>(attn::find_measure(f.view().part<HeadsChoice>().measure).value_or(attn::Measure::Weight));
    const int before = chosen;
    const float width = f.painter().width(options[static_cast<std::size_t>(chosen)].label, Type::Body);
    if (select(f.ui, "heads_measure", flow.next(width + f.px(24)), options, chosen, Align::Left) && chosen != before)
        change_heads(f, [chosen](HeadsChoice& h) { h.measure = attn::measure_id(static_cast<attn::Measure>(chosen)); });
}

}  // namespace

void hiding_flags(const Frame& f, ControlRows& flow) {
    const HeadsChoice& h = f.view().part<HeadsChoice>();
    flag(f, flow, "hide_first", Str::hide_first, &HeadsChoice::hide_first);
    flag(f, flow, "hide_special", Str::hide_special, &HeadsChoice::hide_special);
    if (h.hide_first || h.hide_special) flag(f, flow, "renormalise", Str::renormalise, &HeadsChoice::renormalise);
}

std::string measure_sentence(const Frame& f) {
    const auto measure = attn::find_measure(f.view().part<HeadsChoice>().measure).value_or(attn::Measure::Weight);
    if (measure == attn::Measure::Weight) return {};
    if (f.derived.part<HeadsData>().measure != measure) return std::string(f.say(Str::measure_none));
    return std::string(f.say(measure == attn::Measure::Norm ? Str::measure_norm_says : Str::measure_part_says));
}

std::string hidden_sentence(const Frame& f) {
    const HeadsChoice& h = f.view().part<HeadsChoice>();
    if (!h.hide_first && !h.hide_special) return {};
    const HeadsPlace& place = *f.derived.part<HeadsData>().here();
    if (std::find(place.hidden.begin(), place.hidden.end(), true) == place.hidden.end())
        return std::string(f.say(Str::hidden_none));
    return f.say(h.renormalise ? Str::hidden_renormalised : Str::hidden_says,
                 {fmt::format("{:.0f}%", 100 * place.hidden_weight)});
}

std::string budget_sentence(const Frame& f) {
    const HeadsData& data = f.derived.part<HeadsData>();
    if (data.left_out == 0) return {};
    const auto drawn = data.drawn.size();
    return f.say(Str::heads_in_budget, {std::to_string(drawn), std::to_string(drawn + static_cast<std::size_t>(data.left_out))});
}

Rect heads_controls(const Frame& f, Rect area) {
    // While presenting, the numbers need the space, and there is no pointer.
    if (f.view().figure || f.view().present.on) return area;
    ControlRows flow(f, area, f.px(28), f.px(8));
    const HeadsChoice& h = f.view().part<HeadsChoice>();
    const std::string_view page = f.derived.part<HeadsData>().page;
    const auto heads = static_cast<int>(f.derived.part<HeadsData>().here()->maps.size());
    if (page == "lines") {
        if (heads > 1) {
            pick_shown(f, flow);
            if (h.shown == "heads" || h.shown == "strongest") head_buttons(f, flow, heads);
        }
        flag(f, flow, "heads_matrix", Str::as_heatmap, &HeadsChoice::matrix);
    } else if (page == "grid") {
        filter_controls(f, flow);
        flag(f, flow, "heads_small_lines", Str::as_lines, &HeadsChoice::small_lines);
    } else if (page == "ranked") {
        ranked_controls(f, flow);
        const float below = flow.bottom() + f.px(6);
        return {area.x, below, area.w, std::max(0.0f, area.bottom() - below)};
    }
    if (page == "grid" || page == "regions" || h.matrix)
        if (word_switch(f, "heads_own_scale", flow.next(word_switch_width(f, f.say(Str::own_scale))),
                        f.say(Str::own_scale), !f.view().shared_scale))
            f.change_view([](ViewState& v) { v.shared_scale = !v.shared_scale; });
    pick_measure(f, flow);
    hiding_flags(f, flow);
    if (page == "lines" && !h.matrix) keep_slider(f, flow);
    const float top = flow.bottom() + f.px(6);
    return {area.x, top, area.w, std::max(0.0f, area.bottom() - top)};
}

std::vector<bool> thinned(int count, float each, float high, std::span<const int> keep) {
    std::vector<bool> out(static_cast<std::size_t>(std::max(count, 0)), false);
    if (each >= high) {
        out.assign(out.size(), true);
        return out;
    }
    const int apart = std::max(1, static_cast<int>(std::ceil(high / std::max(each, 0.01f))));
    const auto is_free = [&](int i) {
        for (int j = std::max(0, i - apart + 1); j <= std::min(count - 1, i + apart - 1); ++j)
            if (out[static_cast<std::size_t>(j)]) return false;
        return true;
    };
    for (const int i : keep)
        if (i >= 0 && i < count && is_free(i)) out[static_cast<std::size_t>(i)] = true;
    for (int i = 0; i < count; i += apart)
        if (is_free(i)) out[static_cast<std::size_t>(i)] = true;
    return out;
}

}  // namespace app
