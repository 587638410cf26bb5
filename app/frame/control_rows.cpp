#include "app/frame/control_rows.h"

#include <algorithm>

#include "app/ui/rich_text.h"

namespace app {

void say_in_middle(const Frame& f, Rect area, std::string_view words) {
    const RichText text =
        lay_out_rich(words, std::min(f.px(460), area.w - f.px(40)), Type::Body, f.theme, f.painter().fonts());
    draw_rich(f.painter(), text, {area.center().x - text.width / 2, area.center().y - text.height() / 2}, Hue::Soft);
}

Rect ControlRows::next(float width) {
    width = std::min(width, area_.w);
    if (y_ < 0) {
        y_ = area_.y;
        x_ = area_.x;
    } else if (x_ + width > area_.right() + 0.5f) {
        y_ += h_ + f_.px(4);
        x_ = area_.x;
    }
    const Rect out{x_, y_, width, h_};
    x_ += width + gap_;
    return out;
}

float word_switch_width(const Frame& f, std::string_view label) {
    return std::max(f.painter().width(label, Type::Small), f.painter().width(label, Type::SmallStrong)) + f.px(22);
}

bool word_switch(const Frame& f, std::string_view id, Rect rect, std::string_view label, bool on) {
    const Touch touch = touch_area(f.ui, id, rect);
    const Rect pill = rect.inset(0, f.px(2));
    if (on)
        f.painter().fill(pill, Hue::AccentSoft, f.theme.button_radius);
    else
        f.painter().stroke(pill, touch.hovered ? Hue::Faint : Hue::Rule, f.theme.button_radius, f.theme.rule_width);
    f.painter().text_fit(pill.inset(f.px(6), 0), label, {on ? Type::SmallStrong : Type::Small, Align::Center},
                         on ? Hue::Accent : Hue::Soft);
    if (touch.focused) focus_ring(f.ui, pill, f.theme.button_radius);
    if (touch.hovered) gui::set_cursor(gui::Cursor::Hand);
    return touch.clicked;
}

Rect caption_below(const Frame& f, Rect area, std::string_view text) {
    if (text.empty() || (f.view().figure && !f.view().figure_look.caption)) return area;
    const RichText lines = lay_out_rich(text, area.w, Type::Small, f.theme, f.painter().fonts());
    draw_rich(f.painter(), lines, {area.x, area.bottom() - lines.height()}, Hue::Soft);
    return {area.x, area.y, area.w, std::max(0.0f, area.h - lines.height() - f.px(2))};
}

}  // namespace app
