#include "app/frame/sheet.h"

#include <algorithm>

#include "app/frame/commands.h"

namespace app {
namespace {

constexpr float kEdge = 12;  ///< minimum distance in design pixels between a card and the window's edge

PaintScope open_layer(const Frame& f, std::string_view id) {
    return f.painter().onto(gui::begin_layer(std::string(id).c_str(), f.window));
}

/// Darkens everything, or everything around `hole`.
void darken(const Frame& f, Rect hole) {
    Painter& p = f.painter();
    const Ink dark(rgb(0x0B0F19), f.theme.dark ? 0.55f : 0.30f);
    const Rect all = f.window;
    if (hole.empty()) return p.fill(all, dark);
    p.fill({all.x, all.y, all.w, hole.y - all.y}, dark);
    p.fill({all.x, hole.bottom(), all.w, all.bottom() - hole.bottom()}, dark);
    p.fill({all.x, hole.y, hole.x - all.x, hole.h}, dark);
    p.fill({hole.right(), hole.y, all.right() - hole.right(), hole.h}, dark);
    p.stroke(hole, Hue::Accent, f.px(3), f.px(2));
}

}  // namespace

SheetScope::SheetScope(const Frame& f, std::string_view id, Rect card, Rect hole, Beside beside)
    : onto_(open_layer(f, id)) {
    Painter& p = f.painter();
    f.ui.focus().drawing.clear();  // Tab stays on the card
    darken(f, hole);
    p.card(card);
    f.ui.record(id, card);
    if (gui::any_popup()) return;
    const bool outside = beside == Beside::Closes && gui::mouse_clicked() && !card.contains(gui::mouse());
    if (outside || gui::pressed(gui::Key::Escape)) f.change_view([](ViewState& v) { v.sheet = Sheet::None; });
}

SheetScope::~SheetScope() { gui::end_layer(); }

Rect sheet_rect(const Frame& f, float width, float height) {
    const float w = std::min(width, f.window.w - 2 * f.px(kEdge)), h = std::min(height, f.window.h - 2 * f.px(kEdge));
    const Rect rect = rect_around(f.window.center(), std::max(w, 1.0f), std::max(h, 1.0f));
    return {std::round(rect.x), std::round(rect.y), std::round(rect.w), std::round(rect.h)};
}

Rect sheet_head(const Frame& f, std::string_view id, Rect card, Str title, Sheet sheet) {
    const float margin = f.px(kSheetMargin), cross = f.px(30);
    const Rect head{card.x + margin, card.y + f.px(18), card.w - 2 * margin, f.px(40)};
    f.painter().text_in(head, f.say(title), {Type::TitleStrong}, Hue::Ink);
    const Rect at{head.right() - cross, head.center().y - cross / 2, cross, cross};
    if (icon_button(f.ui, std::string(id) + ".close", at, Icon::Close)) toggle_sheet(f, sheet);
    return head;
}

}  // namespace app
