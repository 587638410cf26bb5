#include "app/views/settings.h"

#include <algorithm>

#include "app/views/settings_controls.h"

namespace app {
namespace {

/// Design pixels: the panel's own title, a group's title, the gap before a group that has none.
constexpr float kTitle = 26, kGroup = 25, kSettingsGap = 5;

int offered(const Frame& f, const SettingGroup& group) {
    return static_cast<int>(std::count_if(group.settings.begin(), group.settings.end(), [&](const Setting& setting) {
        return is_offered(setting, f.state.document);
    }));
}

/// A group of one says its name itself.
float head_of(const Frame& f, int settings) { return settings == 0 ? 0 : f.px(settings > 1 ? kGroup : kSettingsGap); }

float edits_height(const Frame& f) { return f.state.document.edits.empty() ? 0 : 2 * usual_setting(f); }

/// What has been typed over: how much, the switch that shows what it changed, and the way back.
void edits(const Frame& f, Rect area) {
    const float line = area.h / 2, x = area.x + f.theme.margin;
    const std::string words = f.say(Str::edit_count, {std::to_string(f.state.document.edits.size())});
    const std::string_view reset = f.say(Str::reset_all);
    const float reset_w = f.painter().width(reset, Type::Small);
    const Rect row{area.x, area.y, area.w, line};
    f.painter().circle({x + f.px(3), row.center().y}, f.px(2.5f), Hue::Warning);
    f.painter().text_fit({x + f.px(12), row.y, area.right() - f.px(14) - reset_w - f.px(8) - x - f.px(12), line}, words,
                         {Type::Small}, Hue::Ink);
    const float base = row.center().y + f.painter().middle_to_baseline(Type::Small);
    if (link(f.ui, "reset_edits", {area.right() - f.px(14), base}, reset, {Type::Small, Align::Right}, Hue::Accent))
        f.edit([](attn::Document& d) { d.edits.clear(); });
    bool on = f.view().difference;
    if (toggle(f.ui, "difference", {x, area.y + line, area.w - f.theme.margin - f.px(14), line},
               f.say(Str::what_changed), on))
        f.change_view([on](ViewState& v) { v.difference = on; });
}

/// One after the other from `y` down; each is told to `each`, with its rectangle. Returns where they end.
template <class Each>
float walk(const Frame& f, Rect view, float y, float row, Each each) {
    for (const SettingGroup& group : setting_groups()) {
        const int count = offered(f, group);
        if (count == 0) continue;
        const float head = head_of(f, count);
        each(&group, nullptr, Rect{view.x, y, view.w, head});
        y += head;
        for (const Setting& setting : group.settings) {
            if (!is_offered(setting, f.state.document)) continue;
            const float high = row * setting_rows(f, setting);
            each(&group, &setting, Rect{view.x, y, view.w, high});
            y += high;
        }
    }
    return y;
}

/// What the keyboard has come to is scrolled into sight.
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

float lowest_setting(const Frame& f) { return usual_setting(f); }
float usual_setting(const Frame& f) { return f.px(27); }

float settings_height(const Frame& f, float row) {
    return f.px(kTitle) + edits_height(f) + walk(f, {}, 0, row, [](auto...) {}) + f.px(6);
}

void draw_settings(const Frame& f, Rect area) {
    section_label(f.ui, {area.x + f.theme.margin, area.y + f.px(14)}, f.say(Str::settings));
    const float row = usual_setting(f);
    const Rect view{area.x, area.y + f.px(kTitle), area.w, std::max(0.0f, area.h - f.px(kTitle))};
    const auto clip = f.painter().clip(view);
    scroll_area(f.ui, "settings_scroll", view, settings_height(f, row) - f.px(kTitle), f.scratch.settings_scroll);
    // What the edge cuts is drawn as well, but nobody need be able to read it.
    Painter quiet(f.painter().list(), f.theme, f.painter().fonts(), nullptr);
    Ui quiet_ui(quiet, f.ui.focus());
    const Frame cut{f.state, f.derived, f.theme, quiet_ui, f.actions, f.scratch, f.area, f.window};
    const auto at = [&](Rect rect) -> const Frame& {
        return rect.y >= view.y - 1 && rect.bottom() <= view.bottom() + 1 ? f : cut;
    };
    float y = view.y - f.scratch.settings_scroll;
    if (const float high = edits_height(f); high > 0) {
        const Rect rect{view.x, y, view.w, high};
        edits(at(rect), rect);
        y += high;
    }
    walk(f, view, y, row, [&](const SettingGroup* group, const Setting* setting, Rect rect) {
        const std::size_t before = f.ui.focus().drawing.size();
        if (setting)
            draw_setting(at(rect), *setting, rect);
        else if (rect.h > f.px(kSettingsGap))
            at(rect).painter().text({rect.x + f.theme.margin, rect.bottom() - f.px(5)}, f.say(group->title),
                                    {Type::SmallStrong}, Hue::Faint);
        follow_focus(f, view, rect, before);
    });
}

}  // namespace app
