// The galleries: examples, forms of attention and models, chosen from pictures that were computed for the cards.

#include "app/state/gallery.h"

#include <algorithm>
#include <cmath>

#include "app/frame/commands.h"
#include "app/frame/map_picture.h"
#include "app/frame/sheet.h"
#include "app/state/own_models.h"
#include "app/state/edits.h"
#include "app/ui/rich_text.h"
#include "core/io/safe_text.h"
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

/// In design pixels: a card's height; and the most lines of its title and its sentence.
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

/// Equations side by side are placed one below the other in a card.
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

/// A card's text; a renamed model has its recipe below the name.
struct CardWords {
    std::string title, says;
};
CardWords words_of(const Frame& f, const GalleryCard& card) {
    const std::string_view given = card.model ? given_name(f.view().model_names, *card.model) : std::string_view();
    if (given.empty()) return {card.title, card.says};
    return {attn::visible_text(given), f.say(Str::model_recipe_and_words, {card.title, card.says})};
}

std::string_view key_of(const GalleryCard& card) { return card.model ? nameable_model(*card.model) : std::string_view(); }

/// The button in the card's corner that renames a model.
Rect pencil_of(const Frame& f, Rect card) {
    const float side = f.px(30);
    return {card.right() - side - f.px(4), card.y + f.px(4), side, side};
}

void paint_pencil(const Frame& f, Rect card, const Touch& touch) {
    const Rect at = pencil_of(f, card);
    if (touch.hovered) f.painter().fill(at, Hue::Back, f.theme.button_radius);
    if (touch.focused) focus_ring(f.ui, at, f.theme.button_radius);
    if (touch.hovered) gui::set_cursor(gui::Cursor::Hand);
    f.painter().icon(Icon::Pencil, at.center(), f.theme.icon_size, touch.hovered ? Hue::Ink : Hue::Soft);
}

void begin_naming(const Frame& f, const GalleryCard& card) {
    const std::string_view given = given_name(f.view().model_names, *card.model);
    f.scratch.naming = {std::string(key_of(card)), std::string(given), false};
}

/// The field in the title's place. The typed name applies immediately; an empty one restores the recipe.
void name_field(const Frame& f, Rect area, std::string_view placeholder) {
    Naming& naming = f.scratch.naming;
    FieldLook look;
    look.placeholder = placeholder;
    look.take_focus = !naming.active;
    if (look.take_focus) f.change_view([](ViewState&) {});  // it gets the keyboard two frames later
    const gui::FieldResult typed = text_field(f.ui, "gallery_name", area, naming.text, look);
    if (typed.changed)
        f.change_view([key = naming.key, text = naming.text](ViewState& v) {
            if (text.find_first_not_of(' ') == std::string::npos)
                v.model_names.erase(key);
            else
                v.model_names[key] = text;
        });
    const bool left = naming.active && !typed.active;
    naming.active |= typed.active;
    if (typed.entered || left) naming = {};
}

/// Draws the card; texts that do not fit end in dots.
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
    const CardWords words = words_of(f, of);
    const std::string_view key = key_of(of);
    const bool naming = !key.empty() && f.scratch.naming.key == key;  // its field is higher than a line
    if (naming) {
        name_field(f, {inside.x, y, inside.w, f.theme.field_height}, of.title);
        y += f.theme.field_height;
    } else {
        y += draw_lines(p, {inside.x, y, inside.w, inside.bottom() - y}, words.title, {Type::BodyStrong},
                        of.chosen ? Hue::Accent : Hue::Ink, look.title);
    }
    y += f.px(3);
    if (of.level) {
        const float high = f.px(20);
        const Rect tag{inside.right() - tag_w + f.px(4), inside.y - f.px(4), tag_w, high};
        p.fill(tag, Hue::Back, high / 2);
        p.text_in(tag, level, {Type::Small, Align::Center}, Hue::Soft);
    }
    draw_lines(p, {inside.x, y, inside.w, inside.bottom() - y}, open ? words.says : of.refused, {Type::Small}, Hue::Soft, look.says - (naming ? 1 : 0));
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
    // Shows the heads' weights, not whichever matrix was last.
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

/// Scrolls the card that the keyboard has reached into view.
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
    // Cards cut by the edge are drawn as well, but their texts are not recorded for the tests.
    Painter quiet(f.painter().list(), f.theme, f.painter().fonts(), nullptr);
    Ui quiet_ui(quiet, f.ui.focus());
    const Frame cut{f.state, f.derived, f.theme, quiet_ui, f.actions, f.scratch, f.area, f.window};
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto column = static_cast<float>(static_cast<int>(i) % across), row = static_cast<float>(static_cast<int>(i) / across);
        const Rect card{view.x + f.px(2) + column * (wide + gap), view.y + f.px(2) - offset + row * (high + gap), wide, high};
        const std::string id = "gallery." + (all[i].id.empty() ? std::string("none") : all[i].id);
        const bool named = !f.scratch.naming.key.empty() && key_of(all[i]) == f.scratch.naming.key;
        // The button on a card takes presses before the card; while its name is being edited, the card opens nothing.
        const bool own = !key_of(all[i]).empty() && !intersection(pencil_of(f, card), view).empty();
        const Touch pencil = own ? touch_area(f.ui, id + ".rename", intersection(pencil_of(f, card), view)) : Touch{};
        const Touch touch = named ? Touch{} : touch_area(f.ui, id, intersection(card, view));
        keep_in_sight(f, view, card, touch.focused);
        if (card.bottom() < view.y || card.y > view.bottom()) continue;
        const bool whole = card.y >= view.y - 1 && card.bottom() <= view.bottom() + 1;
        if (whole) f.ui.record(id, card);
        paint_card(whole ? f : cut, which, card, all[i], touch);
        if (own) paint_pencil(f, card, pencil);
        if (pencil.clicked) begin_naming(f, all[i]);
        if (touch.hovered && all[i].refused.empty()) gui::set_cursor(gui::Cursor::Hand);
        if (touch.clicked && all[i].refused.empty()) open_card(f, which, all[i]);
    }
}

}  // namespace

void draw_gallery(const Frame& f) {
    const auto which = gallery_of(f.view().sheet);
    if (which != Gallery::Models) f.scratch.naming = {};
    if (!which || f.window.empty()) return;
    const Rect card = sheet_rect(f, f.px(kGalleryWidth), f.px(kGalleryHeight));
    const SheetScope sheet(f, "gallery", card);
    const auto clip = f.painter().clip(card);
    const Rect head = sheet_head(f, "gallery", card, title_of(*which), f.view().sheet);
    cards(f, *which, {head.x, head.bottom() + f.px(8), head.w, card.bottom() - head.bottom() - f.px(30)});
}

}  // namespace app
