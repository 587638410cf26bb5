// Controls made of text: field, chip, tooltip, labels, banner.

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/ui/field_text.h"
#include "app/ui/rich_text.h"
#include "app/ui/widgets.h"

namespace app {
namespace {

std::uint32_t packed(Color color) { return IM_COL32(color.r, color.g, color.b, color.a); }

/// The text as a field shows it on its one line (field_text.h).
std::string with_return_signs(std::string_view text) {
    std::string out;
    for (const char c : text) c == '\n' ? out += "↵" : out += c;
    return out;
}

std::string upper(std::string_view text) {
    std::string out(text);
    for (char& c : out) {
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    }
    return out;
}

}  // namespace

gui::FieldResult text_field(Ui& ui, std::string_view id, Rect rect, std::string& text, const FieldLook& look) {
    const Theme& theme = ui.theme();
    Painter& painter = ui.painter();
    ui.record(id, rect);
    const std::string line = with_return_signs(text);
    painter.fonts().need(line, look.type);
    gui::push_id(id);
    const ItemId own = gui::id_of("##text");
    Focus& focus = ui.focus();
    focus.drawing.push_back(own);
    const bool hovered = rect.contains(gui::mouse());
    if (hovered) focus.pointed = {std::string(id), rect};
    painter.fill(rect, Hue::Back, theme.field_radius);
    const float side = theme.px(18);
    const Rect inner{rect.x + side, rect.y, rect.w - 2 * side - look.right_padding, rect.h};
    const bool take = look.take_focus || (focus.arrived && focus.current == own);
    // A field with the caret edits its own copy: release it if the text was changed elsewhere (undo).
    if (focus.typing == own && text != focus.typed) gui::release_keyboard();
    const Color ink = theme.text(Hue::Ink), caret = theme[Hue::Accent];
    const gui::FontAt font = painter.fonts().at(look.type);
    const gui::FieldResult result = gui::input_text("##text", inner, text, font, packed(ink), packed(caret),
                                                    packed(with_alpha(theme[Hue::Accent], 0.22f)), take);
    for (const auto& [shown, meant] : result.stand_ins)
        painter.fonts().stand_for(shown, meant >= gui::FieldText::kFirstByte ? meant - gui::FieldText::kFirstByte : meant, look.type);
    if (focus.current == own || result.active) {
        focus.holder = {std::string(id), rect};
        focus.holds = text.empty() ? std::string(look.placeholder) : text;
    }
    focus.edited |= result.changed;
    if (result.active) {
        focus.current = focus.typing = own;
        focus.typed = text;
    } else if (focus.typing == own) {
        focus.typing = 0;
    }
    const Ink border = result.active ? Ink(Hue::Accent)
                       : hovered     ? Ink(mix(theme[Hue::Rule], theme[Hue::Soft], 0.35f))
                                     : Ink(Hue::Rule);
    painter.stroke(rect, border, theme.field_radius, result.active ? theme.px(1.5f) : theme.rule_width);
    if (hovered && inner.contains(gui::mouse())) gui::set_cursor(gui::Cursor::Text);
    if (!result.active && painter.width(line, look.type) > inner.w) {
        // A field that is not being edited ends a text that is too long with …, or it would look like a shorter text.
        painter.fill(inner.inset(-1, theme.px(3)), Hue::Back);
        painter.text_fit(inner, result.shown, {look.type}, Hue::Ink);
    } else if (!text.empty()) {
        const auto clip = painter.clip(inner);
        const Point start{inner.x, inner.center().y + painter.middle_to_baseline(look.type)};
        painter.note_text(start, line, {look.type}, Hue::Ink);
    }
    if (text.empty() && !look.placeholder.empty()) painter.text_fit(inner, look.placeholder, {look.type}, Hue::Faint);
    gui::pop_id();
    return result;
}

Size chip_size(const Ui& ui, std::string_view text, std::string_view note) {
    const Theme& theme = ui.theme();
    const float words = ui.painter().width(text, Type::Body);
    const float extra = note.empty() ? 0.0f : ui.painter().width(note, Type::NumberSmall) + theme.px(6);
    return {std::ceil(std::max(words, theme.em(Type::Body) * 0.6f) + extra) + theme.px(16),
            std::round(theme.em(Type::Body) * 1.85f)};
}

Touch chip(Ui& ui, std::string_view id, Point top_left, std::string_view text, const ChipLook& look) {
    const Theme& theme = ui.theme();
    Painter& painter = ui.painter();
    const Size size = chip_size(ui, text, look.note);
    const Rect rect{top_left.x, top_left.y, size.w, size.h};
    const Touch touch = touch_area(ui, id, rect, false);
    painter.fill(rect, look.fill, theme.px(7));
    if (look.lit || touch.hovered)
        painter.stroke(rect, Ink(Hue::Accent, look.lit ? 1.0f : 0.5f), theme.px(7), theme.px(1.5f));
    const Rect inner = rect.inset(theme.px(8), 0);
    const float width = painter.text_in(inner, text, {look.lit ? Type::BodyStrong : Type::Body}, look.ink);
    if (!look.note.empty()) {
        const Rect rest{inner.x + width + theme.px(6), inner.y, inner.w - width - theme.px(6), inner.h};
        painter.text_in(rest, look.note, {Type::NumberSmall}, Hue::Soft);
    }
    return touch;
}

void section_label(Ui& ui, Point baseline, std::string_view text) {
    ui.painter().text(baseline, upper(text), {Type::SmallStrong}, Hue::Faint);
}

float key_cap(Ui& ui, Point left_middle, std::string_view key) {
    const Theme& theme = ui.theme();
    const float height = std::round(theme.em(Type::Small) * 1.75f);
    const float width = std::max(height, std::ceil(ui.painter().width(key, Type::Small)) + theme.px(12));
    const Rect rect{left_middle.x, std::round(left_middle.y - height / 2), width, height};
    // The darker lower edge makes it look like a key.
    ui.painter().fill(rect.moved(0, theme.px(1.5f)), mix(theme[Hue::Rule], theme[Hue::Soft], 0.25f), theme.px(5));
    ui.painter().fill(rect, Hue::Paper, theme.px(5));
    ui.painter().stroke(rect, mix(theme[Hue::Rule], theme[Hue::Soft], 0.25f), theme.px(5), theme.rule_width);
    ui.painter().text_in(rect, key, {Type::Small, Align::Center}, Hue::Soft);
    return width;
}

void progress_bar(Ui& ui, Rect rect, float share, Ink ink) {
    const float radius = rect.h / 2;
    ui.painter().fill(rect, Hue::Back, radius);
    const float full = rect.w * (std::isfinite(share) ? std::clamp(share, 0.0f, 1.0f) : 0.0f);
    // A very small share is still a visible dot.
    if (full > 0.0f) ui.painter().fill({rect.x, rect.y, std::max(full, rect.h * 0.45f), rect.h}, ink, radius);
}

namespace {

constexpr int kBannerLines = 3;

float banner_cross(const Theme& theme) { return theme.button_height * 0.8f; }
/// Space for what is next to the sentence: the sign of a warning.
float banner_sign(const Theme& theme, BannerKind kind) { return kind == BannerKind::Note ? 0 : theme.icon_size + theme.px(10); }
float banner_words(const Theme& theme, float width, BannerKind kind, bool can_be_closed) {
    return std::max(0.0f, width - 2 * theme.margin - banner_sign(theme, kind) - (can_be_closed ? banner_cross(theme) : 0));
}

}  // namespace

float banner_height(const Ui& ui, float width, std::string_view text, BannerKind kind, bool can_be_closed) {
    const Theme& theme = ui.theme();
    const float words = banner_words(theme, width, kind, can_be_closed);
    return theme.px(36) - theme.line_height(Type::Body) + lines_height(ui.painter(), words, text, Type::Body, kBannerLines);
}

bool banner(Ui& ui, std::string_view id, Rect rect, std::string_view text, BannerKind kind, bool can_be_closed) {
    const Theme& theme = ui.theme();
    Painter& painter = ui.painter();
    ui.record(id, rect);
    const Hue hue = kind == BannerKind::Note ? Hue::Accent : kind == BannerKind::Warning ? Hue::Warning : Hue::Key;
    painter.fill(rect, mix(theme[Hue::Paper], theme[hue], theme.dark ? 0.22f : 0.10f), 0.0f);
    painter.fill({rect.x, rect.y, theme.px(4), rect.h}, hue);
    const float x = rect.x + theme.margin + banner_sign(theme, kind), wide = banner_words(theme, rect.w, kind, can_be_closed);
    if (kind != BannerKind::Note) painter.icon(Icon::Warning, {rect.x + theme.margin + theme.icon_size / 2, rect.center().y}, theme.icon_size, hue);
    const float high = lines_height(painter, wide, text, Type::Body, kBannerLines);
    draw_lines(painter, {x, rect.center().y - high / 2, wide, high}, text, {Type::Body}, Hue::Ink, kBannerLines);
    if (!can_be_closed) return false;
    const float cross = banner_cross(theme);
    return icon_button(ui, std::string(id) + ".close", rect_around({rect.right() - theme.margin / 2 - cross / 2, rect.center().y}, cross, cross), Icon::Close);
}

namespace {

/// The card of this size on that side of the anchor, if possible, and inside the window.
Rect tip_at(Size size, Rect anchor, Rect bounds, float edge, TipSide side) {
    const float above = anchor.y - edge - size.h, below = anchor.bottom() + edge;
    const bool fits_above = above >= bounds.y + edge, fits_below = below + size.h <= bounds.bottom() - edge;
    float x = anchor.center().x - size.w / 2, y = (side == TipSide::Above && fits_above) || !fits_below ? above : below;
    if (side == TipSide::Right && anchor.right() + edge + size.w <= bounds.right() - edge)
        x = anchor.right() + edge, y = anchor.y;
    else if (side == TipSide::Left && anchor.x - edge - size.w >= bounds.x + edge)
        x = anchor.x - edge - size.w, y = anchor.y;
    const float left = bounds.x + edge, right = std::max(left, bounds.right() - size.w - edge);
    const float top = bounds.y + edge, low = std::max(top, bounds.bottom() - size.h - edge);
    return {std::round(std::clamp(x, left, right)), std::round(std::clamp(y, top, low)), size.w, size.h};
}

TipSide opposite(TipSide side) {
    switch (side) {
        case TipSide::Below: return TipSide::Above;
        case TipSide::Above: return TipSide::Below;
        case TipSide::Right: return TipSide::Left;
        case TipSide::Left: return TipSide::Right;
    }
    return side;
}

}  // namespace

Rect tooltip(Ui& ui, Rect anchor, Rect bounds, std::string_view markup, TipSide side) {
    const Theme& theme = ui.theme();
    Painter& painter = ui.painter();
    const float pad = theme.px(12);
    const float widest = std::min(theme.px(theme.projector ? 560.0f : 340.0f), bounds.w - 2 * pad - theme.px(16));
    const RichText text = lay_out_rich(markup, widest, Type::Body, theme, painter.fonts());
    const Size size{std::ceil(text.width) + 2 * pad, std::ceil(text.height()) + 1.4f * pad};
    const auto covers = [&](Rect tip) {
        return std::any_of(ui.focus().controls.begin(), ui.focus().controls.end(), [&](const Rect& one) { return one.overlaps(tip) && !one.contains(anchor.center()); });
    };
    Rect rect = tip_at(size, anchor, bounds, theme.px(8), side);
    if (covers(rect))
        if (const Rect other = tip_at(size, anchor, bounds, theme.px(8), opposite(side)); !covers(other) && !other.overlaps(anchor)) rect = other;
    const auto over = painter.onto(gui::foreground());
    painter.card(rect);
    draw_rich(painter, text, {rect.x + pad, rect.y + 0.7f * pad}, Hue::Ink);
    return rect;
}

}  // namespace app
