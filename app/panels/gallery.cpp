// What can be chosen from pictures: examples, forms of attention, models. A card shows what was computed for it.

#include "app/state/gallery.h"

#include <algorithm>
#include <cmath>

#include "app/frame/commands.h"
#include "app/frame/map_picture.h"
#include "app/frame/sheet.h"
#include "app/state/edits.h"
#include "app/ui/rich_text.h"
#include "core/model/model.h"

namespace app {
namespace {

/// Design pixels.
constexpr float kGalleryWidth = 1100, kGalleryHeight = 700, kCardLeast = 232, kCardGap = 14, kPicture = 104,
                kCardPad = 12;

Str title_of(Gallery which) {
    constexpr Str kTitles[] = {Str::examples_title, Str::forms_title, Str::models_title};
    return kTitles[static_cast<std::size_t>(which)];
}

Str name_of(Level level) {
    constexpr Str kNames[] = {Str::level_first, Str::level_further, Str::level_whole};
    return kNames[static_cast<std::size_t>(level)];
}

/// Design pixels: a card's height, and the lines that its title and its sentence may take.
struct CardLook {
    float high;
    int title, says;
};
CardLook look_of(Gallery which) {
    constexpr CardLook kLooks[] = {{234, 2, 3}, {186, 1, 3}, {250, 1, 6}};
    return kLooks[static_cast<std::size_t>(which)];
}

void formula_line(const Frame& f, Rect room, const std::string& formula) {
    const FormulaLayout& layout = f.scratch.formulas.get(formula, FormulaSize::Small, f.theme, f.painter().fonts());
    const float high = layout.ascent + layout.descent;
    FormulaLook look;
    look.scale = std::min({1.2f, room.w / std::max(1.0f, layout.width), room.h / std::max(1.0f, high)});
    draw_formula(f.painter(), layout,
                 {room.center().x - layout.width * look.scale / 2,
                  room.center().y + (layout.ascent - layout.descent) / 2 * look.scale},
                 look);
}

/// Equations that stand side by side elsewhere stand below each other in a card.
void form_picture(const Frame& f, Rect room, const std::string& formula) {
    constexpr std::string_view kBetween = "\\quad";
    const std::size_t cut = formula.find(kBetween);
    if (cut == std::string::npos) {
        formula_line(f, room, formula);
        return;
    }
    const float half = room.h / 2;
    formula_line(f, {room.x, room.y, room.w, half - f.px(2)}, formula.substr(0, cut));
    formula_line(f, {room.x, room.y + half + f.px(2), room.w, half - f.px(2)}, formula.substr(cut + kBetween.size()));
}

/// The card as it looks; the words that do not fit end in dots.
void paint_card(const Frame& f, Gallery which, Rect card, const GalleryCard& of, const Touch& touch) {
    Painter& p = f.painter();
    const bool open = of.refused.empty();
    p.fill(card, of.chosen ? Ink(Hue::AccentSoft) : Ink(Hue::Paper), f.px(12));
    p.stroke(card, touch.hovered && open ? Ink(Hue::Accent) : Ink(Hue::Rule), f.px(12), f.px(touch.hovered && open ? 1.8f : 1));
    if (touch.focused) focus_ring(f.ui, card, f.px(12));
    const auto faded = p.opacity(open ? 1.0f : 0.5f);
    const Rect inside = card.inset(f.px(kCardPad), f.px(kCardPad));
    const CardLook look = look_of(which);
    const float picture = which == Gallery::Forms ? inside.h * 0.48f : f.px(kPicture);
    const std::string_view level = of.level ? f.say(name_of(*of.level)) : std::string_view();
    const float tag_w = of.level ? p.width(level, Type::Small) + f.px(14) : 0;
    const Rect room{inside.x + tag_w, inside.y, inside.w - 2 * tag_w, picture};
    if (!of.formula.empty()) form_picture(f, room, of.formula);
    if (of.picture.size() > 0) draw_map_picture(f, room, of.picture, f.px(20));
    float y = room.bottom() + f.px(8);
    y += draw_lines(p, {inside.x, y, inside.w, inside.bottom() - y}, of.title, {Type::BodyStrong},
                    of.chosen ? Hue::Accent : Hue::Ink, look.title);
    y += f.px(3);
    if (of.level) {
        const float high = f.px(20);
        const Rect tag{inside.right() - tag_w + f.px(4), inside.y - f.px(4), tag_w, high};
        p.fill(tag, Hue::Back, high / 2);
        p.text_in(tag, level, {Type::Small, Align::Center}, Hue::Soft);
    }
    draw_lines(p, {inside.x, y, inside.w, inside.bottom() - y}, open ? of.says : of.refused, {Type::Small}, Hue::Soft, look.says);
}

void open_card(const Frame& f, Gallery which, const GalleryCard& card) {
    f.change_view([](ViewState& v) {
        v.sheet = Sheet::None;
        if (v.screen == Screen::Home) v.screen = Screen::Stage;
    });
    if (which == Gallery::Examples) return open_example(f, example_document(card.id));
    if (which == Gallery::Forms)
        return f.edit([id = card.id](attn::Document& d) { choose(d, "variant", id); });
    const attn::ModelPtr now = f.state.document.model;
    if (!card.model) return f.edit([](attn::Document& d) { use_model(d, nullptr); });
    if (now && now->name == card.id) return;
    f.edit([model = card.model, language = f.view().language](attn::Document& d) { open_model(d, model, language); });
    f.push(Pin{});
    // What its heads look at, not the last matrix that happens to be there.
    f.change_view([](ViewState& v) { v.playhead = {{attn::Role::Weights, v.head}, 1}; });
}

std::optional<Gallery> gallery_of(Sheet sheet) {
    switch (sheet) {
        case Sheet::Examples: return Gallery::Examples;
        case Sheet::Forms: return Gallery::Forms;
        case Sheet::Models: return Gallery::Models;
        default: return std::nullopt;
    }
}

/// What the keyboard has come to is scrolled into sight.
void keep_in_sight(const Frame& f, Rect view, Rect card, bool focused) {
    if (!focused || !f.ui.focus().arrived) return;
    float& offset = f.scratch.gallery_scroll;
    offset -= std::max(0.0f, view.y - card.y);
    offset += std::max(0.0f, card.bottom() - view.bottom());
}

void cards(const Frame& f, Gallery which, Rect view) {
    const std::vector<GalleryCard>& all = f.derived.gallery;
    if (all.empty()) {
        f.painter().text_in(view, f.say(Str::gallery_waits), {Type::Body, Align::Center}, Hue::Soft);
        return;
    }
    const float gap = f.px(kCardGap), room = view.w - f.px(14);
    const int across = std::clamp(static_cast<int>((room + gap) / (f.px(kCardLeast) + gap)), 1, 6);
    const float wide = std::floor((room - gap * static_cast<float>(across - 1)) / static_cast<float>(across));
    const float high = f.px(look_of(which).high);
    const auto rows = (static_cast<int>(all.size()) + across - 1) / across;
    float& offset = f.scratch.gallery_scroll;
    scroll_area(f.ui, "gallery.scroll", view, static_cast<float>(rows) * (high + gap) - gap + f.px(4), offset);
    const auto clip = f.painter().clip(view);
    // What the edge cuts is drawn as well, but nobody need be able to read it.
    Painter quiet(f.painter().list(), f.theme, f.painter().fonts(), nullptr);
    Ui quiet_ui(quiet, f.ui.focus());
    const Frame cut{f.state, f.derived, f.theme, quiet_ui, f.actions, f.scratch, f.area, f.window};
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto column = static_cast<float>(static_cast<int>(i) % across), row = static_cast<float>(static_cast<int>(i) / across);
        const Rect card{view.x + f.px(2) + column * (wide + gap), view.y + f.px(2) - offset + row * (high + gap), wide, high};
        const std::string id = "gallery." + (all[i].id.empty() ? std::string("none") : all[i].id);
        const Touch touch = touch_area(f.ui, id, intersection(card, view));
        keep_in_sight(f, view, card, touch.focused);
        if (card.bottom() < view.y || card.y > view.bottom()) continue;
        const bool whole = card.y >= view.y - 1 && card.bottom() <= view.bottom() + 1;
        if (whole) f.ui.record(id, card);
        paint_card(whole ? f : cut, which, card, all[i], touch);
        if (touch.hovered && all[i].refused.empty()) gui::set_cursor(gui::Cursor::Hand);
        if (touch.clicked && all[i].refused.empty()) open_card(f, which, all[i]);
    }
}

}  // namespace

void draw_gallery(const Frame& f) {
    const auto which = gallery_of(f.view().sheet);
    if (!which || f.window.empty()) return;
    const Rect card = sheet_rect(f, f.px(kGalleryWidth), f.px(kGalleryHeight));
    const SheetScope sheet(f, "gallery", card);
    const auto clip = f.painter().clip(card);
    const Rect head = sheet_head(f, "gallery", card, title_of(*which), f.view().sheet);
    cards(f, *which, {head.x, head.bottom() + f.px(8), head.w, card.bottom() - head.bottom() - f.px(30)});
}

}  // namespace app
