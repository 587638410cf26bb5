// Focus, press areas and buttons of all kinds.

#include "app/ui/widgets.h"

#include <algorithm>
#include <cmath>

namespace app {

using gui::Key;

void begin_focus(Focus& focus) {
    focus.order.swap(focus.drawing);
    focus.drawing.clear();
    focus.arrived = focus.edited = false;
    focus.pointed = focus.holder = {};
    focus.holds.clear();
    focus.controls.clear();
    if (gui::mouse_clicked(0) || gui::mouse_clicked(1)) focus.visible = false;
    if (gui::any_popup()) return;  // the open list has the keys
    if (gui::pressed(Key::Escape)) focus.visible = false;
    if (!gui::pressed(Key::Tab, true) || focus.order.empty() || gui::mod_ctrl()) return;
    const auto count = static_cast<std::ptrdiff_t>(focus.order.size());
    const auto here = std::find(focus.order.begin(), focus.order.end(), focus.current);
    const bool back = gui::mod_shift();
    std::ptrdiff_t next = back ? count - 1 : 0;
    if (here != focus.order.end()) next = (here - focus.order.begin() + (back ? count - 1 : 1)) % count;
    focus.current = focus.order[static_cast<std::size_t>(next)];
    focus.visible = focus.arrived = true;
    gui::release_keyboard();
}

Touch touch_area(Ui& ui, std::string_view id, Rect rect, bool tab_stop) {
    ui.record(id, rect);
    const gui::Press press = gui::press_area(id, rect);
    Focus& focus = ui.focus();
    if (press.hovered) focus.pointed = {std::string(id), rect};
    if (tab_stop) {
        focus.drawing.push_back(press.id);
        focus.controls.push_back(rect);
    }
    Touch touch;
    touch.id = press.id;
    touch.hovered = press.hovered;
    touch.held = press.held;
    touch.clicked = press.clicked;
    touch.double_clicked = press.hovered && gui::mouse_double_clicked(0);
    touch.right_clicked = press.hovered && gui::mouse_clicked(1);
    if (press.hovered && gui::mouse_clicked(0)) focus.current = press.id;
    if (focus.current == press.id) focus.holder = {std::string(id), rect};
    touch.focused = focus.current == press.id && focus.visible && !gui::typing();
    if (touch.focused && (gui::pressed(Key::Enter) || gui::pressed(Key::Space))) touch.clicked = true;
    return touch;
}

void focus_ring(Ui& ui, Rect rect, float radius) {
    const float width = ui.theme().focus_width, out = width + ui.theme().px(1);
    ui.painter().stroke(rect.inset(-out), Hue::Accent, radius + out, width);
}

namespace {

struct ButtonInks {
    Ink fill;
    Ink border;
    Ink label;
};

ButtonInks inks_of(const Theme& theme, ButtonKind kind, const Touch& touch) {
    const float pressed = touch.held ? 1.0f : 0.0f;
    switch (kind) {
        case ButtonKind::Plain:
            return {Ink(Hue::Back, touch.hovered || touch.held ? 1.0f : 0.0f), Ink(Hue::Rule, pressed),
                    touch.hovered ? Hue::Ink : Hue::Soft};
        case ButtonKind::Soft:
            return {touch.hovered ? mix(theme[Hue::Back], theme[Hue::AccentSoft], 0.6f) : theme[Hue::Back], Hue::Rule,
                    Hue::Ink};
        case ButtonKind::Filled:
            break;
    }
    const Color accent = theme[Hue::Accent];
    const Color fill = touch.held      ? mix(accent, theme[Hue::Ink], 0.25f)
                       : touch.hovered ? mix(accent, theme[Hue::Ink], 0.12f)
                                       : accent;
    return {fill, Ink(fill), ink_on(accent)};
}

/// Press area, background and ring of a button; a disabled button cannot be pressed.
Touch button_base(Ui& ui, std::string_view id, Rect rect, ButtonKind kind, bool enabled, float radius) {
    Touch touch;
    if (enabled)
        touch = touch_area(ui, id, rect);
    else
        ui.record(id, rect);
    if (!enabled && rect.contains(gui::mouse())) ui.focus().pointed = {std::string(id), rect};
    const ButtonInks inks = inks_of(ui.theme(), kind, touch);
    const auto faded = ui.painter().opacity(enabled ? 1.0f : 0.45f);
    ui.painter().fill(rect, inks.fill, radius);
    if (kind == ButtonKind::Soft) ui.painter().stroke(rect, inks.border, radius, ui.theme().rule_width);
    if (touch.focused) focus_ring(ui, rect, radius);
    if (touch.hovered) gui::set_cursor(gui::Cursor::Hand);
    return touch;
}

}  // namespace

bool button(Ui& ui, std::string_view id, Rect rect, std::string_view label, ButtonKind kind, bool enabled) {
    const Touch touch = button_base(ui, id, rect, kind, enabled, ui.theme().button_radius);
    const auto faded = ui.painter().opacity(enabled ? 1.0f : 0.45f);
    const Type type = kind == ButtonKind::Filled ? Type::BodyStrong : Type::Body;
    ui.painter().text_fit(rect.inset(ui.theme().px(6), 0), label, {type, Align::Center},
                          inks_of(ui.theme(), kind, touch).label);
    return touch.clicked;
}

float button_width(const Ui& ui, std::string_view label) {
    return std::ceil(ui.painter().width(label, Type::BodyStrong)) + ui.theme().px(32);
}

bool icon_button(Ui& ui, std::string_view id, Rect rect, Icon icon, ButtonKind kind, bool enabled) {
    const bool round = kind == ButtonKind::Filled;
    const float radius = round ? std::min(rect.w, rect.h) / 2 : ui.theme().button_radius;
    const Touch touch = button_base(ui, id, rect, kind, enabled, radius);
    const auto faded = ui.painter().opacity(enabled ? 1.0f : 0.45f);
    ui.painter().icon(icon, rect.center(), ui.theme().icon_size, inks_of(ui.theme(), kind, touch).label);
    return touch.clicked;
}

bool link(Ui& ui, std::string_view id, Point baseline, std::string_view label, TextStyle style, Ink ink) {
    Painter& painter = ui.painter();
    const float width = painter.width(label, style.type), em = ui.theme().em(style.type);
    const float shift = style.align == Align::Left ? 0.0f : style.align == Align::Center ? 0.5f : 1.0f;
    const Rect rect{baseline.x - width * shift, baseline.y - em, width, em * 1.35f};
    const Touch touch = touch_area(ui, id, rect);
    painter.text(baseline, label, style, touch.hovered ? Ink(Hue::Accent) : ink);
    if (touch.focused) focus_ring(ui, rect, ui.theme().px(3));
    if (touch.hovered) gui::set_cursor(gui::Cursor::Hand);
    return touch.clicked;
}

namespace {

/// Design pixels of padding around the words of a segment, both sides together.
constexpr float kSegmentAir = 20;

}  // namespace

float segments_width(const Ui& ui, std::span<const std::string_view> labels) {
    float width = 0;
    for (const std::string_view label : labels)
        width += std::ceil(ui.painter().width(label, Type::BodyStrong)) + ui.theme().px(kSegmentAir);
    return width;
}

std::vector<Rect> segments(const Ui& ui, Rect rect, std::span<const std::string_view> labels) {
    std::vector<float> widths;
    float words = 0;
    for (const std::string_view label : labels) {
        widths.push_back(std::ceil(ui.painter().width(label, Type::BodyStrong)));
        words += widths.back();
    }
    const float rest = rect.w - words, each = std::max(0.0f, rest) / static_cast<float>(std::max<std::size_t>(labels.size(), 1)),
                shrink = rest < 0 && words > 0 ? rect.w / words : 1.0f;
    std::vector<Rect> out;
    float x = rect.x;
    for (const float width : widths) {
        out.push_back({x, rect.y, width * shrink + each, rect.h});
        x = out.back().right();
    }
    return out;
}

bool segmented(Ui& ui, std::string_view id, Rect rect, std::span<const std::string_view> labels, int& chosen) {
    if (labels.empty()) return false;
    const Theme& theme = ui.theme();
    const std::vector<Rect> places = segments(ui, rect, labels);
    const int before = chosen;
    gui::push_id(id);
    bool focused = false;
    std::vector<ItemId> ids;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        const Rect& segment = places[i];
        const bool is_chosen = static_cast<int>(i) == chosen;
        // Ids use the index, so that tests and the keyboard find the segments in every language.
        const char name[] = {'.', static_cast<char>('0' + i % 10), 0};
        const Touch touch = touch_area(ui, std::string(id) + name, segment, is_chosen);
        ids.push_back(touch.id);
        focused |= touch.focused;
        const Rect pill = segment.inset(theme.px(2), 0);
        if (is_chosen)
            ui.painter().fill(pill, Hue::AccentSoft, theme.button_radius);
        else if (touch.hovered)
            ui.painter().fill(pill, Hue::Back, theme.button_radius);
        if (touch.focused) focus_ring(ui, pill, theme.button_radius);
        ui.painter().text_fit(pill, labels[i], {is_chosen ? Type::BodyStrong : Type::Body, Align::Center},
                              is_chosen ? Hue::Accent : Hue::Soft);
        if (touch.hovered) gui::set_cursor(gui::Cursor::Hand);
        if (touch.clicked) chosen = static_cast<int>(i);
    }
    gui::pop_id();
    const int last = static_cast<int>(labels.size()) - 1;
    if (focused && gui::pressed(Key::Left, true)) chosen = std::max(0, chosen - 1);
    if (focused && gui::pressed(Key::Right, true)) chosen = std::min(last, chosen + 1);
    if (focused) ui.focus().current = ids[static_cast<std::size_t>(std::clamp(chosen, 0, last))];  // goes along
    return chosen != before;
}

bool toggle(Ui& ui, std::string_view id, Rect rect, std::string_view label, bool& on) {
    const Theme& theme = ui.theme();
    Painter& painter = ui.painter();
    const Touch touch = touch_area(ui, id, rect);
    if (touch.clicked) on = !on;
    const float height = theme.em(Type::Body) * 1.25f, width = height * 1.75f;
    const Rect track{rect.right() - width, rect.center().y - height / 2, width, height};
    const Color off = mix(theme[Hue::Rule], theme[Hue::Soft], touch.hovered ? 0.45f : 0.3f);
    painter.fill(track, on ? Ink(Hue::Accent) : Ink(off), height / 2);
    const float knob = height / 2 - theme.px(2);
    const Point center{on ? track.right() - height / 2 : track.x + height / 2, track.center().y};
    painter.circle(center, knob, theme.dark && !on ? Hue::Ink : Hue::Paper);
    if (touch.focused) focus_ring(ui, track, height / 2);
    if (touch.hovered) gui::set_cursor(gui::Cursor::Hand);
    painter.text_fit({rect.x, rect.y, rect.w - width - theme.gap, rect.h}, label, {Type::Body}, Hue::Soft);
    return touch.clicked;
}

}  // namespace app
