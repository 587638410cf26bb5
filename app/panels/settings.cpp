#include "app/panels/settings.h"

#include <algorithm>

#include "app/frame/hint.h"
#include "app/frame/interventions.h"
#include "app/panels/settings_controls.h"

namespace app {
namespace {

/// Design pixels: the panel's title, a setting, a group's title, a title that folds, the gap before a group without a
/// title.
constexpr float kTitle = 26, kSetting = 27, kGroup = 25, kFold = 24, kSettingsGap = 5;

int offered(const Frame& f, const SettingGroup& group) {
    return static_cast<int>(std::count_if(group.settings.begin(), group.settings.end(), [&](const Setting& setting) {
        return is_offered(setting, f.state.document);
    }));
}

/// A group with a single setting has no title of its own.
float head_of(const Frame& f, int settings, bool folded) {
    return settings == 0 ? 0 : f.px(settings == 1 ? kSettingsGap : folded ? kFold : kGroup);
}

/// The open group: the last chosen one, or the first.
int open_group(const Frame& f) {
    if (f.scratch.settings_group) return *f.scratch.settings_group;
    const auto groups = setting_groups();
    const auto first = std::find_if(groups.begin(), groups.end(), [&](const SettingGroup& g) { return !g.always && offered(f, g) > 1; });
    return static_cast<int>(first - groups.begin());
}

/// "Score: scaled dot · Temperature: 1.00".
std::string all_values(const Frame& f, const SettingGroup& group) {
    std::string out;
    for (const Setting& setting : group.settings) {
        const std::string value = is_offered(setting, f.state.document) ? setting_value(f, setting) : std::string();
        if (!value.empty()) out += (out.empty() ? "" : " · ") + f.say(Str::named_value, {std::string(f.say(setting.title)), value});
    }
    return out;
}

/// A group's title, with its first setting's value while it is closed; a press opens or closes it.
void fold(const Frame& f, int index, Rect row) {
    const SettingGroup& group = setting_groups()[static_cast<std::size_t>(index)];
    const bool open = open_group(f) == index;
    const std::string id = "settings_group." + std::to_string(index);
    const float right = f.px(14), arrow = f.px(7);
    const Rect part{row.x + f.theme.margin, row.y, row.w - f.theme.margin - right, row.h};
    const Touch touch = touch_area(f.ui, id, part);
    if (touch.hovered) {
        gui::set_cursor(gui::Cursor::Hand);
        f.painter().fill(part.inset(-f.px(6), f.px(1)), Hue::Back, f.theme.button_radius);
    }
    if (touch.focused) focus_ring(f.ui, part.inset(-f.px(4), f.px(2)), f.theme.button_radius);
    const std::string_view title = f.say(group.title);
    const float title_w = f.painter().width(title, Type::SmallStrong);
    f.painter().text_in(part, title, {Type::SmallStrong}, open || touch.hovered ? Hue::Ink : Hue::Faint);
    const float values_x = part.x + title_w + f.px(10), end = part.right() - arrow - f.px(8);
    const auto shown = std::find_if(group.settings.begin(), group.settings.end(),
                                    [&](const Setting& s) { return s.control != Control::CountFrom && is_offered(s, f.state.document) && !setting_value(f, s).empty(); });
    if (!open && shown != group.settings.end())
        f.painter().text_fit({values_x, part.y, end - values_x, part.h}, setting_value(f, *shown), {Type::Small, Align::Right},
                             Hue::Soft);
    // Where a list has its chevron.
    const Point tip{end + f.px(6) + arrow / 2, part.center().y};
    const Ink ink = touch.hovered ? Hue::Accent : Hue::Soft;
    const float side = arrow / 2, base = 0.32f * arrow, top = 0.42f * arrow;
    if (open)
        f.painter().triangle({tip.x - side, tip.y + base}, {tip.x + side, tip.y + base}, {tip.x, tip.y - top}, ink);
    else
        f.painter().icon(Icon::Chevron, tip, arrow, ink);
    if (rests_on(f, part)) hint(f, id, part, all_values(f, group));
    if (touch.clicked) f.scratch.settings_group = open ? -1 : index;
}

float chips_width(const Frame& f, float width) { return width - f.theme.margin - f.px(14); }

float edits_height(const Frame& f, float width) {
    if (!attn::is_altered(f.state.document)) return 0;
    const float chips = interventions_height(f, chips_width(f, width));
    return 2 * f.px(kSetting) + (chips > 0 ? chips + f.px(6) : 0);
}

/// "Typed over: 2 · Interventions: 1".
std::string changes_counted(const Frame& f) {
    const attn::Document& d = f.state.document;
    std::string out;
    if (!d.edits.empty()) out = f.say(Str::edit_count, {std::to_string(d.edits.size())});
    if (!d.interventions.empty()) out += (out.empty() ? "" : " · ") + f.say(Str::put_count, {std::to_string(d.interventions.size())});
    return out;
}

/// Edits and interventions: their number, the switch that shows their effect, and the button that resets them.
void edits(const Frame& f, Rect area) {
    const float line = f.px(kSetting), x = area.x + f.theme.margin;
    const std::string words = changes_counted(f);
    const std::string_view reset = f.say(Str::reset_all);
    const float reset_w = f.painter().width(reset, Type::Small);
    const Rect row{area.x, area.y, area.w, line};
    f.painter().circle({x + f.px(3), row.center().y}, f.px(2.5f), Hue::Warning);
    f.painter().text_fit({x + f.px(12), row.y, area.right() - f.px(14) - reset_w - f.px(8) - x - f.px(12), line}, words,
                         {Type::Small}, Hue::Ink);
    const float base = row.center().y + f.painter().middle_to_baseline(Type::Small);
    if (link(f.ui, "reset_edits", {area.right() - f.px(14), base}, reset, {Type::Small, Align::Right}, Hue::Accent))
        f.edit([](attn::Document& d) { d = attn::unaltered(std::move(d)); });
    bool on = f.view().difference;
    if (toggle(f.ui, "difference", {x, area.y + line, area.w - f.theme.margin - f.px(14), line},
               f.say(Str::what_changed), on))
        f.change_view([on](ViewState& v) { v.difference = on; });
    draw_interventions(f, {x, area.y + 2 * line, chips_width(f, area.w), area.h - 2 * line});
}

/// Lays out the settings downwards from `y` and calls `each` with every group (by index) or setting and its rectangle.
/// Returns where they end.
template <class Each>
float walk(const Frame& f, Rect view, float y, bool folded, Each each) {
    const auto groups = setting_groups();
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const int count = offered(f, groups[i]), index = static_cast<int>(i);
        if (count == 0) continue;
        const bool folds = folded && count > 1 && !groups[i].always;
        const float head = head_of(f, groups[i].always ? 1 : count, folds);
        each(index, nullptr, Rect{view.x, y, view.w, head});
        y += head;
        if (folds && open_group(f) != index) continue;
        for (const Setting& setting : groups[i].settings) {
            if (!is_offered(setting, f.state.document)) continue;
            const float high = f.px(kSetting) * setting_rows(f, setting);
            each(index, &setting, Rect{view.x, y, view.w, high});
            y += high;
        }
    }
    return y;
}

/// Scrolls the control that the keyboard has reached into view.
void follow_focus(const Frame& f, Rect view, Rect row, std::size_t drawn_before) {
    const Focus& focus = f.ui.focus();
    if (!focus.arrived) return;
    const auto first = focus.drawing.begin() + static_cast<std::ptrdiff_t>(drawn_before);
    if (std::find(first, focus.drawing.end(), focus.current) == focus.drawing.end()) return;
    float& offset = f.scratch.settings_scroll;
    offset -= std::max(0.0f, view.y - row.y);
    offset += std::max(0.0f, row.bottom() - view.bottom());
}

}  // namespace

float settings_height(const Frame& f, float width, bool folded) {
    return f.px(kTitle) + edits_height(f, width) + walk(f, {}, 0, folded, [](auto...) {}) + f.px(6);
}

void draw_settings(const Frame& f, Rect area, bool folded) {
    section_label(f.ui, {area.x + f.theme.margin, area.y + f.px(14)}, f.say(Str::settings));
    const Rect view{area.x, area.y + f.px(kTitle), area.w, std::max(0.0f, area.h - f.px(kTitle))};
    const auto clip = f.painter().clip(view);
    scroll_area(f.ui, "settings_scroll", view, settings_height(f, area.w, folded) - f.px(kTitle), f.scratch.settings_scroll);
    // Rows cut by the edge are drawn as well, but their texts are not recorded for the tests.
    Painter quiet(f.painter().list(), f.theme, f.painter().fonts(), nullptr);
    Ui quiet_ui(quiet, f.ui.focus());
    const Frame cut{f.state, f.derived, f.theme, quiet_ui, f.actions, f.scratch, f.area, f.window};
    const auto at = [&](Rect rect) -> const Frame& {
        return rect.y >= view.y - 1 && rect.bottom() <= view.bottom() + 1 ? f : cut;
    };
    float y = view.y - f.scratch.settings_scroll;
    if (const float high = edits_height(f, area.w); high > 0) {
        const Rect rect{view.x, y, view.w, high};
        edits(at(rect), rect);
        y += high;
    }
    walk(f, view, y, folded, [&](int group, const Setting* setting, Rect rect) {
        const std::size_t before = f.ui.focus().drawing.size();
        if (setting)
            draw_setting(at(rect), *setting, rect);
        else if (rect.h > f.px(kSettingsGap) && folded)
            fold(at(rect), group, rect);
        else if (rect.h > f.px(kSettingsGap))
            at(rect).painter().text({rect.x + f.theme.margin, rect.bottom() - f.px(5)},
                                    f.say(setting_groups()[static_cast<std::size_t>(group)].title), {Type::SmallStrong}, Hue::Faint);
        follow_focus(f, view, rect, before);
    });
}

}  // namespace app
