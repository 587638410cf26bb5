// Controls that hold a value: the drop-down list, the slider, the scroll bar.

#include <algorithm>
#include <cmath>

#include "app/ui/widgets.h"

namespace app {
namespace {

using gui::Key;

/// The next enabled option in a direction, or the same one if there is none.
int neighbour(std::span<const SelectOption> options, int from, int way) {
    const int count = static_cast<int>(options.size());
    for (int i = from + way; i >= 0 && i < count; i += way) {
        if (options[static_cast<std::size_t>(i)].enabled) return i;
    }
    return from;
}

/// The list's rectangle: under the value, or above it if there is no room below; always on the screen.
Rect list_area(const Ui& ui, Rect value, std::span<const SelectOption> options, Align align, Rect screen) {
    const Theme& theme = ui.theme();
    float width = value.w;
    for (const SelectOption& option : options) {
        float row = ui.painter().width(option.label, Type::BodyStrong) + theme.px(56);
        if (!option.note.empty()) row += ui.painter().width(option.note, Type::Small) + theme.px(16);
        width = std::max(width, row);
    }
    width = std::min(width, screen.w - theme.px(16));
    const float wanted = static_cast<float>(options.size()) * theme.row_height + theme.px(12);
    const float height = std::min(wanted, screen.h - theme.px(16));
    float x = align == Align::Left ? value.x - theme.px(12) : value.right() - width + theme.px(12);
    float y = value.bottom() + theme.px(4);
    if (y + height > screen.bottom() - theme.px(8)) y = value.y - theme.px(4) - height;
    x = std::clamp(x, screen.x + theme.px(8), std::max(screen.x + theme.px(8), screen.right() - width - theme.px(8)));
    y = std::clamp(y, screen.y + theme.px(8), std::max(screen.y + theme.px(8), screen.bottom() - height - theme.px(8)));
    return {std::round(x), std::round(y), std::ceil(width), std::ceil(height)};
}

bool option_row(Ui& ui, std::string_view id, Rect row, const SelectOption& option, bool is_chosen) {
    const Theme& theme = ui.theme();
    Painter& painter = ui.painter();
    Touch touch;
    if (option.enabled)
        touch = touch_area(ui, id, row, false);
    else
        ui.record(id, row);
    if (is_chosen)
        painter.fill(row, Hue::AccentSoft, theme.button_radius);
    else if (touch.hovered)
        painter.fill(row, Hue::Back, theme.button_radius);
    if (touch.hovered) gui::set_cursor(gui::Cursor::Hand);
    const Rect inner = row.inset(theme.px(12), 0);
    if (!option.note.empty()) painter.text_fit(inner, option.note, {Type::Small, Align::Right}, Hue::Soft);
    const auto faded = painter.opacity(option.enabled ? 1.0f : 0.5f);
    painter.text_fit(inner, option.label, {is_chosen ? Type::BodyStrong : Type::Body},
                     is_chosen ? Hue::Accent : Hue::Ink);
    return touch.clicked;
}

/// Draws the open list. `fresh`: a key opened it in this frame, and must not close it again.
void option_list(Ui& ui, std::string_view id, Rect area, std::span<const SelectOption> options, int& chosen,
                 bool fresh) {
    const Theme& theme = ui.theme();
    ui.painter().card(area);
    const Rect inner = area.inset(theme.px(6));
    const float content = static_cast<float>(options.size()) * theme.row_height;
    scroll_area(ui, std::string(id) + ".scroll", inner, content, ui.focus().popup_scroll);
    bool close = !fresh && (gui::pressed(Key::Escape) || gui::pressed(Key::Enter) || gui::pressed(Key::Tab));
    {
        const auto clip = ui.painter().clip(inner);
        for (std::size_t i = 0; i < options.size(); ++i) {
            const float y = inner.y + static_cast<float>(i) * theme.row_height - ui.focus().popup_scroll;
            const Rect row{inner.x, y, inner.w, theme.row_height};
            if (option_row(ui, std::string(id) + "." + std::to_string(i), row, options[i],
                           static_cast<int>(i) == chosen)) {
                chosen = static_cast<int>(i);
                close = true;
            }
        }
    }
    if (gui::pressed(Key::Up, true)) chosen = neighbour(options, chosen, -1);
    if (gui::pressed(Key::Down, true)) chosen = neighbour(options, chosen, 1);
    if (close) gui::close_popup();
}

double place_of(double value, const SliderRange& range) {
    const double low = range.low, high = range.high;
    if (!(high > low)) return 0.0;
    if (range.logarithmic && low > 0.0) return std::log(std::max(value, low) / low) / std::log(high / low);
    return (value - low) / (high - low);
}

double value_at(double place, const SliderRange& range) {
    const double low = range.low, high = range.high;
    if (range.logarithmic && low > 0.0) return low * std::pow(high / low, place);
    return low + (high - low) * place;
}

/// The value after pointer and key input.
float moved_value(const Touch& touch, Rect track, float value, const SliderRange& range) {
    double place = std::clamp(place_of(value, range), 0.0, 1.0);
    double next = value;
    const bool fine = gui::mod_shift();
    if (touch.held && fine) {
        next = value_at(place + static_cast<double>(gui::mouse_delta().x) * 0.1 / std::max(track.w, 1.0f), range);
    } else if (touch.held) {
        next = value_at((static_cast<double>(gui::mouse().x) - track.x) / std::max(track.w, 1.0f), range);
        if (range.step > 0.0f) next = std::round(next / range.step) * range.step;
    }
    if (touch.right_clicked || touch.double_clicked) next = range.reset;
    if (touch.focused) {
        const double step = range.step * (fine ? 0.1 : gui::mod_ctrl() ? 10.0 : 1.0);
        if (gui::pressed(Key::Left, true) || gui::pressed(Key::Down, true)) next -= step;
        if (gui::pressed(Key::Right, true) || gui::pressed(Key::Up, true)) next += step;
        if (gui::pressed(Key::Home)) next = range.low;
        if (gui::pressed(Key::End)) next = range.high;
    }
    return static_cast<float>(
        std::clamp(next, static_cast<double>(range.low), static_cast<double>(std::max(range.low, range.high))));
}

}  // namespace

namespace {

/// A closed list: the chosen option and a chevron.
void closed_list(Ui& ui, Rect rect, std::string_view label, const Touch& touch, bool open, Align align) {
    const Theme& theme = ui.theme();
    Painter& painter = ui.painter();
    const float arrow = theme.px(7), arrow_room = arrow + theme.px(8);
    const bool lively = touch.hovered || open;
    if (lively) painter.fill(rect.inset(-theme.px(6), theme.px(2)), Hue::Back, theme.button_radius);
    if (touch.hovered) gui::set_cursor(gui::Cursor::Hand);
    if (touch.focused && !open) focus_ring(ui, rect.inset(-theme.px(4), theme.px(3)), theme.button_radius);
    const Rect words{rect.x, rect.y, rect.w - arrow_room, rect.h};
    const std::string shown = painter.fitted(label, Type::Body, words.w);
    painter.text_in(words, shown, {Type::Body, align}, Hue::Ink);
    const float wide = painter.width(shown, Type::Body);
    const float text_end = align == Align::Right    ? words.right()
                           : align == Align::Center ? words.center().x + wide / 2
                                                    : words.x + wide;
    painter.icon(Icon::Chevron, {text_end + theme.px(6) + arrow / 2, rect.center().y}, arrow,
                 lively ? Hue::Accent : Hue::Soft);
}

}  // namespace

bool select_elsewhere(Ui& ui, std::string_view id, Rect rect, std::string_view label, Align align) {
    const Touch touch = touch_area(ui, id, rect);
    closed_list(ui, rect, label, touch, false, align);
    return touch.clicked;
}

bool select(Ui& ui, std::string_view id, Rect rect, std::span<const SelectOption> options, int& chosen, Align align,
            std::string_view fixed) {
    if (options.empty()) return false;
    Painter& painter = ui.painter();
    chosen = std::clamp(chosen, fixed.empty() ? 0 : -1, static_cast<int>(options.size()) - 1);
    const int before = chosen;
    const Touch touch = touch_area(ui, id, rect);
    gui::push_id(id);
    const bool open = gui::popup_open("list");
    closed_list(ui, rect, fixed.empty() ? options[static_cast<std::size_t>(chosen)].label : fixed, touch, open, align);
    if (touch.focused && !open) {
        if (gui::pressed(Key::Up, true)) chosen = neighbour(options, chosen, -1);
        if (gui::pressed(Key::Down, true)) chosen = neighbour(options, chosen, 1);
    }
    const bool opening = touch.clicked && !open;
    if (opening) {
        ui.focus().popup_scroll = 0.0f;
        gui::open_popup("list");
    }
    const Rect area = list_area(ui, rect, options, align, gui::screen());
    if (ImDrawList* list = gui::begin_popup("list", area)) {
        const auto onto = painter.onto(list);
        option_list(ui, id, area, options, chosen, opening);
        gui::end_popup();
    }
    gui::pop_id();
    return chosen != before;
}

bool select(Ui& ui, std::string_view id, Rect rect, std::span<const std::string_view> options, int& chosen,
            Align align) {
    std::vector<SelectOption> rows;
    rows.reserve(options.size());
    for (std::string_view label : options) rows.push_back({label, true, {}});
    return select(ui, id, rect, std::span<const SelectOption>(rows), chosen, align);
}

bool slider(Ui& ui, std::string_view id, Rect rect, float& value, const SliderRange& range) {
    const Theme& theme = ui.theme();
    Painter& painter = ui.painter();
    const Touch touch = touch_area(ui, id, rect);
    const float radius = theme.knob_radius;
    const Rect track{rect.x + radius, rect.center().y - theme.track_height / 2, rect.w - 2 * radius,
                     theme.track_height};
    const float next = moved_value(touch, track, value, range);
    // A NaN counts as changed to a valid value.
    const bool changed = next != value;
    if (changed) value = next;
    const auto place = static_cast<float>(std::clamp(place_of(value, range), 0.0, 1.0));
    const float round = theme.track_height / 2;
    const Rect whole = track.inset(-round, 0);
    painter.fill(whole, Hue::Rule, round);
    const Point knob{track.x + track.w * place, track.center().y};
    painter.fill({whole.x, whole.y, knob.x - whole.x, whole.h}, Ink(Hue::Accent, 0.35f), round);
    if (touch.hovered || touch.held) painter.circle(knob, radius * 1.75f, Ink(Hue::Accent, 0.14f));
    painter.circle(knob, radius, Hue::Accent);
    if (touch.focused) focus_ring(ui, rect_around(knob, radius * 2, radius * 2), radius);
    if (touch.hovered || touch.held) gui::set_cursor(gui::Cursor::Hand);
    return changed;
}

void scroll_area(Ui& ui, std::string_view id, Rect view, float content_height, float& offset) {
    const float most = std::max(0.0f, content_height - view.h);
    const Theme& theme = ui.theme();
    if (view.contains(gui::mouse())) offset -= gui::wheel() * theme.row_height * 1.5f;
    offset = std::isfinite(offset) ? std::clamp(offset, 0.0f, most) : 0.0f;
    if (most <= 0.5f) return;
    const float width = theme.px(5), length = std::max(theme.px(24), view.h * view.h / content_height);
    const float free = view.h - length;
    const Rect grip{view.right() - width, view.y + free * offset / most, width, length};
    const Touch touch = touch_area(ui, id, grip.inset(-theme.px(3), 0), false);
    if (touch.held && free > 0.0f) offset = std::clamp(offset + gui::mouse_delta().y * most / free, 0.0f, most);
    ui.painter().fill(grip, Ink(Hue::Soft, touch.held ? 0.7f : touch.hovered ? 0.5f : 0.25f), width / 2);
}

}  // namespace app
