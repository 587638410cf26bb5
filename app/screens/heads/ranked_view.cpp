// The page with the table of heads, and how it colours the grid.

#include <algorithm>
#include <array>
#include <cmath>

#include "app/content/number_text.h"
#include "app/explain/head_names.h"
#include "app/frame/hint.h"
#include "app/frame/interventions.h"
#include "app/screens/heads/view.h"

namespace app {
namespace {

constexpr Str kColumnTitles[] = {Str::role_previous, Str::role_same, Str::role_next, Str::role_first, Str::role_duplicate, Str::role_induction, Str::role_delimiter, Str::role_spread};
static_assert(std::size(kColumnTitles) == kRankedColumns);
/// Multiples of chance that a share can be asked to exceed; 0: any share.
constexpr float kTimes[] = {0, 1, 2, 4, 8};
constexpr float kFindWidth = 190;  ///< design pixels

std::string column_says(const Frame& f, std::size_t column) {
    if (column == attn::kHeadRoles) return std::string(f.say(Str::role_spread_says));
    return f.say(Str::role_says, {tr(role_keys(column), f.view().language)});
}

HeadPlace place_of(const attn::Tag& tag) { return {tag.of_head(attn::kNoHead), std::max(tag.head, 0)}; }

struct RankedTable {
    const Frame& f;
    const HeadsData& data;
    Rect area{};
    float names_w = 0, row_h = 0, head_h = 0;
    bool slanted = false;  ///< the titles
    float bar_w = 0;  ///< of every column alike, so that they can be compared; 0: no room
    std::array<float, kRankedColumns> left{}, wide{};

    RankedTable(const Frame& frame, Rect rect) : f(frame), data(frame.derived.part<HeadsData>()), area(rect) {
        std::vector<std::string> names;
        for (const attn::HeadRoles& head : *data.ranked.measured) names.push_back(name(head, f.px(1000)));
        names_w = std::min(widest_name(f, names, Type::Body) + f.px(16), area.w * 0.32f);
        const float room = (area.h - f.px(40)) / static_cast<float>(std::max<std::size_t>(1, data.ranked.order.size()));
        row_h = std::max(std::clamp(room, f.px(26), f.px(34)), f.theme.line_height(Type::NumberSmall));
        head_h = f.theme.line_height(Type::SmallStrong) + f.px(10);
        place_columns();
    }

    std::string name(const attn::HeadRoles& head, float room) const {
        const std::string title = head_title(f, std::max(head.tag.head, 0), room, Type::Body);
        return data.places.size() < 2 ? title : attention_title(f, head.tag) + " · " + title;
    }
    /// All columns alike, unless a title would be cut: then each is as wide as its title and an equal part of what is
    /// left; where even that is too much, titles are slanted.
    void place_columns() {
        constexpr float kRise = 0.82f;  // of a slanted text, as a share of its width
        const float room = area.w - names_w - f.px(10), figure = f.painter().width("0.00", Type::NumberSmall) + f.px(9);
        float all = 0, longest = 0;
        for (std::size_t i = 0; i < kRankedColumns; ++i) {
            wide[i] = std::max(f.painter().width(f.say(kColumnTitles[i]), Type::SmallStrong) + f.px(10), figure + f.px(14));
            all += wide[i];
            longest = std::max(longest, f.painter().width(f.say(kColumnTitles[i]), Type::SmallStrong));
        }
        const float even = room / static_cast<float>(kRankedColumns), spare = (room - all) / static_cast<float>(kRankedColumns);
        slanted = spare < 0;
        if (slanted) head_h += longest * kRise;
        const bool alike = slanted || std::all_of(wide.begin(), wide.end(), [even](float w) { return w <= even; });
        float x = area.x + names_w, narrowest = even;
        for (std::size_t i = 0; i < kRankedColumns; ++i) {
            wide[i] = alike ? even : wide[i] + spare;
            left[i] = x;
            x += wide[i];
            narrowest = std::min(narrowest, wide[i]);
        }
        bar_w = narrowest - f.px(14) - figure;
    }
    Rect column(std::size_t i) const { return {left[i], area.y, wide[i], head_h}; }

    void titles() const {
        for (std::size_t i = 0; i < kRankedColumns; ++i) {
            const Rect rect = column(i);
            const std::string id = "rank_by_" + std::string(ranked_id(i));
            const bool sorted = f.view().part<HeadsChoice>().role == ranked_id(i);
            const Touch touch = touch_area(f.ui, id, rect);
            if (touch.hovered) gui::set_cursor(gui::Cursor::Hand);
            if (touch.focused) focus_ring(f.ui, rect, f.px(4));
            const Ink ink = sorted || touch.hovered ? Ink(Hue::Accent) : Ink(Hue::Soft);
            const TextStyle style{sorted ? Type::SmallStrong : Type::Small};
            if (slanted)
                f.painter().text_slanted({rect.x + f.px(12), rect.bottom() - f.px(10)}, std::string(f.say(kColumnTitles[i])), style, ink);
            else
                f.painter().text_fit({rect.x + f.px(4), rect.y, rect.w - f.px(8), rect.h - f.px(6)}, f.say(kColumnTitles[i]), style, ink);
            if (sorted) f.painter().fill({rect.x + f.px(4), rect.bottom() - f.px(4), rect.w - f.px(14), f.px(2)}, Hue::Accent);
            hint(f, id, rect, column_says(f, i));
            if (touch.clicked) change_heads(f, [role = sorted ? std::string() : std::string(ranked_id(i))](HeadsChoice& h) { h.role = role; });
        }
    }

    void cell(const attn::HeadRoles& head, std::size_t i, float y) const {
        const Rect rect{column(i).x + f.px(4), y, wide[i] - f.px(14), row_h};
        const attn::RoleShare share = in_column(head, i);
        Painter& p = f.painter();
        if (std::isnan(share.share)) {
            p.text_in(rect, "–", {Type::NumberSmall}, Hue::Faint);
            return;
        }
        const std::string figure = number_text(static_cast<float>(share.share));
        const float figure_w = p.width("0.00", Type::NumberSmall) + f.px(9), bar_h = f.px(10);
        const Rect bar{rect.x + figure_w, rect.center().y - bar_h / 2, bar_w, bar_h};
        p.text_in(rect, figure, {Type::NumberSmall}, share.share >= 0.1 ? Ink(Hue::Ink) : Ink(Hue::Soft));
        if (bar.w < f.px(14)) return;
        draw_share_bar(f, bar, share);
    }

    void row(const attn::HeadRoles& head, std::size_t nth, float y) const {
        const auto& chosen = f.derived.shown_head;
        const bool lit = chosen && chosen->at.part == head.tag.part && chosen->at.layer == head.tag.layer && chosen->head == std::max(head.tag.head, 0);
        const Rect rect{area.x, y, area.w - f.px(10), row_h};
        const std::string id = "ranked_" + std::to_string(nth + 1);
        const Touch touch = touch_area(f.ui, id, rect);
        if (lit) f.painter().fill(rect, Hue::AccentSoft, f.px(5));
        if (touch.hovered) f.painter().stroke(rect, Ink(Hue::Accent, 0.6f), f.px(5), f.theme.rule_width);
        if (touch.focused) focus_ring(f.ui, rect, f.px(5));
        if (touch.hovered) gui::set_cursor(gui::Cursor::Hand);
        const Rect room{rect.x + f.px(6), rect.y, names_w - f.px(12), rect.h};
        f.painter().text_fit(room, name(head, room.w), {lit ? Type::BodyStrong : Type::Body}, f.theme.head_text(std::max(head.tag.head, 0)));
        for (std::size_t i = 0; i < kRankedColumns; ++i) cell(head, i, y);
        if (touch.clicked) choose_head(f, place_of(head.tag));
    }

    /// Scrolled by whole rows, so that none is cut off.
    void draw() const {
        titles();
        const std::vector<int>& order = data.ranked.order;
        const auto fit = static_cast<std::size_t>(std::max(1.0f, std::floor((area.h - head_h) / row_h)));
        const Rect rows{area.x, area.y + head_h, area.w, row_h * static_cast<float>(fit)};
        scroll_area(f.ui, "ranked_scroll", rows, row_h * static_cast<float>(order.size()), f.scratch.heads_scroll);
        const auto first = static_cast<std::size_t>(std::lround(f.scratch.heads_scroll / row_h));
        for (std::size_t i = first; i < std::min(order.size(), first + fit); ++i)
            row((*data.ranked.measured)[static_cast<std::size_t>(order[i])], i, rows.y + row_h * static_cast<float>(i - first));
    }
};

}  // namespace

void draw_share_bar(const Frame& f, Rect bar, const attn::RoleShare& share) {
    const float radius = bar.h * 0.3f;
    f.painter().fill(bar, Ink(Hue::Rule, 0.5f), radius);
    const bool more = std::isnan(share.chance) || share.share > share.chance;
    f.painter().fill({bar.x, bar.y, bar.w * static_cast<float>(std::clamp(share.share, 0.0, 1.0)), bar.h}, Ink(more ? Hue::Score : Hue::Faint), radius);
    if (std::isnan(share.chance)) return;
    const float x = bar.x + bar.w * static_cast<float>(std::clamp(share.chance, 0.0, 1.0));
    f.painter().line({x, bar.y - bar.h * 0.25f}, {x, bar.bottom() + bar.h * 0.25f}, Hue::Ink, f.px(1.5f));
}

namespace {

void pick_role(const Frame& f, ControlRows& flow) {
    const auto column = ranked_column(f.view().part<HeadsChoice>().role);
    std::vector<SelectOption> options = {{f.say(Str::ranked_any_role)}};
    float widest = 0;
    for (const Str title : kColumnTitles) options.push_back({f.say(title)});
    for (const SelectOption& option : options) widest = std::max(widest, f.painter().width(option.label, Type::Body));
    int chosen = column ? static_cast<int>(*column) + 1 : 0;
    const int before = chosen;
    if (select(f.ui, "ranked_role", flow.next(widest + f.px(24)), options, chosen, Align::Left) && chosen != before)
        change_heads(f, [role = chosen == 0 ? std::string() : std::string(ranked_id(static_cast<std::size_t>(chosen) - 1))](HeadsChoice& h) { h.role = role; });
}

/// Only for a role with a chance to compare with.
void pick_times(const Frame& f, ControlRows& flow) {
    const HeadsChoice& h = f.view().part<HeadsChoice>();
    if (const auto column = ranked_column(h.role); !column || *column >= attn::kHeadRoles) return;
    std::vector<std::string> words;
    for (const float times : kTimes)
        words.push_back(times == 0 ? std::string(f.say(Str::ranked_any_share))
                                   : times == 1 ? std::string(f.say(Str::ranked_above)) : f.say(Str::ranked_above_times, {number_text(times, 0)}));
    const auto* known = std::ranges::find(kTimes, h.times);
    if (known == std::end(kTimes)) words.push_back(f.say(Str::ranked_above_times, {number_text(h.times)}));  // a link's
    std::vector<SelectOption> options;
    float widest = 0;
    for (const std::string& one : words) {
        options.push_back({one});
        widest = std::max(widest, f.painter().width(one, Type::Body));
    }
    int chosen = static_cast<int>(known - std::begin(kTimes));
    const int before = chosen;
    const Rect rect = flow.next(widest + f.px(24));
    if (select(f.ui, "ranked_times", rect, options, chosen, Align::Left) && chosen != before)
        change_heads(f, [times = kTimes[chosen]](HeadsChoice& to) { to.times = times; });
    hint(f, "ranked_times", rect, f.say(Str::ranked_above_says));
}

void find_field(const Frame& f, ControlRows& flow) {
    TypedText& typing = f.scratch.heads_find;
    if (!typing.active) typing.text = f.view().part<HeadsChoice>().find;
    FieldLook look;
    look.type = Type::Small;
    look.placeholder = f.say(Str::ranked_find);
    const gui::FieldResult typed = text_field(f.ui, "ranked_find", flow.next(f.px(kFindWidth)), typing.text, look);
    typing.active = typed.active;
    if (typed.changed) change_heads(f, [text = typing.text](HeadsChoice& h) { h.find = text; });
}

}  // namespace

void filter_controls(const Frame& f, ControlRows& flow) {
    if (f.derived.part<HeadsData>().maps.size() < 2) return;
    pick_role(f, flow);
    pick_times(f, flow);
    find_field(f, flow);
}

std::string filter_sentence(const Frame& f) {
    const RankedHeads& ranked = f.derived.part<HeadsData>().ranked;
    if (!filters_heads(f.view().part<HeadsChoice>()) || !ranked.measured) return {};
    const auto left = std::ranges::count(ranked.left, true);
    return left == 0 ? std::string(f.say(Str::ranked_none_left)) : f.say(Str::ranked_counted, {std::to_string(left), std::to_string(ranked.left.size())});
}

void ranked_controls(const Frame& f, ControlRows& flow) {
    const HeadsChoice& h = f.view().part<HeadsChoice>();
    if (f.derived.part<HeadsData>().can_repeat) {
        const std::string_view titles[] = {f.say(Str::ranked_own_text), f.say(Str::ranked_repeated)};
        const float widest = std::max(f.painter().width(titles[0], Type::BodyStrong), f.painter().width(titles[1], Type::BodyStrong));
        int chosen = h.repeated ? 1 : 0;
        if (segmented(f.ui, "ranked_on", flow.next(2 * (widest + f.px(26))), titles, chosen))
            change_heads(f, [repeated = chosen == 1](HeadsChoice& to) { to.repeated = repeated; });
    }
    filter_controls(f, flow);
    const HeadsData& data = f.derived.part<HeadsData>();
    if (data.places.size() < 2) return;
    const std::string words = f.say(Str::ranked_only_here, {place_title(f, *data.here())});
    if (word_switch(f, "ranked_here", flow.next(word_switch_width(f, words)), words, h.only_here))
        change_heads(f, [](HeadsChoice& to) { to.only_here = !to.only_here; });
}

std::string tint_sentence(const Frame& f) {
    const auto column = ranked_column(f.view().part<HeadsChoice>().role);
    if (!column) return {};
    const std::string says = column_says(f, *column);
    return f.derived.part<HeadsData>().ranked.repeated ? f.say(Str::named_value, {f.say(Str::ranked_repeated), says}) : says;
}

void draw_heads_ranked(const Frame& f, Rect area) {
    const HeadsData& data = f.derived.part<HeadsData>();
    Rect body = caption_below(f, heads_controls(f, area), f.view().figure ? std::string() : std::string(f.say(Str::ranked_hint)));
    body = caption_below(f, body, tint_sentence(f));
    if (const RankedHeads& ranked = data.ranked; !ranked.order.empty()) body = caption_below(f, body, filter_sentence(f));
    if (const auto& wrong = f.derived.other.error; wrong && f.view().part<HeadsChoice>().repeated && data.can_repeat) return say_in_middle(f, body, wrong->message);
    if (!data.ranked.measured) return say_in_middle(f, body, f.say(Str::computing));
    if (data.ranked.measured->empty()) return say_in_middle(f, body, f.say(Str::ranked_none));
    if (data.ranked.order.empty()) return say_in_middle(f, body, f.say(Str::ranked_none_left));
    if (body.h < f.px(80)) return;
    RankedTable(f, body).draw();
}

}  // namespace app
