// The bar on top: the name, the text with its examples, language, theme, keys.

#include <algorithm>
#include <vector>

#include "app/state/edits.h"
#include "app/views/commands.h"
#include "app/views/header.h"
#include "app/views/hint.h"
#include "app/views/uses.h"
#include "app/views/view.h"
#include "core/document_origins.h"
#include "core/link.h"

namespace app {
namespace {

constexpr float kBrand = 170;    ///< the name's room
constexpr float kWide = 620;     ///< from here on the name stands there
constexpr float kRoomy = 1000;   ///< and from here on the screens, and what is turned seldom
constexpr float kUseful = 1200;  ///< and from here on the switch between studying, presenting and inspecting
constexpr float kTool = 36;      ///< a button among the tools, and its gap

std::vector<ScreenRow> tabs_here(const Frame& f) {
    std::vector<ScreenRow> out;
    for (const ScreenRow& row : screens())
        if (has_screen(f, row.screen)) out.push_back(row);
    return out;
}

/// Each as wide as the widest word, so that nothing moves with the language's choice of one of them.
float tabs_width(const Frame& f) {
    if (f.area.w < f.px(kRoomy)) return 0;
    float widest = 0;
    const std::vector<ScreenRow> here = tabs_here(f);
    for (const ScreenRow& tab : here) widest = std::max(widest, f.painter().width(f.say(tab.title), Type::BodyStrong));
    return (widest + f.px(24)) * static_cast<float>(here.size());
}

Rect tabs_rect(const Frame& f) {
    const float high = f.px(32);
    return {f.area.x + f.px(kBrand), f.area.center().y - high / 2, tabs_width(f), high};
}

void tabs(const Frame& f) {
    const Rect rect = tabs_rect(f);
    if (rect.empty()) return;
    const std::vector<ScreenRow> here = tabs_here(f);
    std::vector<std::string_view> titles;
    int chosen = 0;
    for (const ScreenRow& tab : here) {
        if (tab.screen == f.view().screen) chosen = static_cast<int>(titles.size());
        titles.push_back(f.say(tab.title));
    }
    const float each = rect.w / static_cast<float>(here.size());
    for (std::size_t i = 0; i < here.size(); ++i)
        hint_of_command(f, "screen_" + std::string(here[i].id),
                        {rect.x + each * static_cast<float>(i), rect.y, each, rect.h});
    if (segmented(f.ui, "screen", rect, titles, chosen)) show_screen(f, here[static_cast<std::size_t>(chosen)].screen);
}

Rect field_rect(const Frame& f) {
    const float tabs_w = tabs_width(f);
    const float x = f.area.x + f.px(f.area.w > f.px(kWide) ? kBrand : 16) + (tabs_w > 0 ? tabs_w + f.px(14) : 0);
    const float more = f.area.w < f.px(kRoomy) ? 0 : kTool;
    const float use = f.area.w < f.px(kUseful) ? 0 : use_width(f) + f.px(8);
    const float right = f.area.right() - use - f.px(f.area.w > f.px(kWide) ? 330 + more : 165);
    const float w = std::max(f.px(60), std::min(f.px(620), right - x));
    return {x, f.area.center().y - f.theme.field_height / 2, w, f.theme.field_height};
}

bool reads_source(const Frame& f) {
    const attn::Variant* variant = attn::find_variant(f.state.document.config.variant);
    return variant && attn::has(variant->uses, attn::Uses::Source) && !attn::shows_scene(f.state.document);
}

void drop(attn::Document& d, attn::Given which) { d.given[static_cast<std::size_t>(which)].reset(); }

void pick_example(const Frame& f, Rect rect) {
    std::vector<SelectOption> options;
    int chosen = -1;
    for (const Example& example : example_documents()) options.push_back({f.say(example.title)});
    if (!select(f.ui, "examples", rect, options, chosen, Align::Right, f.say(Str::examples)) || chosen < 0) return;
    open_example(f, example_documents()[static_cast<std::size_t>(chosen)]);
}

/// A text that was pasted is longer than the field can be.
void tell_cut(const Frame& f, const gui::FieldResult& result) {
    if (result.changed && result.cut)
        f.push(Tell{std::string(f.say(Str::field_cut, {std::to_string(gui::kMostFieldBytes)}))});
}

/// The text that attends. A link that is pasted into it opens its document.
void text(const Frame& f, Rect rect) {
    Scratch& s = f.scratch;
    if (!s.text_active) s.text = f.state.document.text;
    const float examples_w = rect.w > f.px(240) ? f.painter().width(f.say(Str::examples), Type::Small) + f.px(34) : 0;
    FieldLook look;
    look.placeholder = f.say(Str::text_placeholder);
    look.right_padding = examples_w;
    look.take_focus = s.focus_text;
    s.focus_text = false;
    const gui::FieldResult result = text_field(f.ui, "text", rect, s.text, look);
    s.text_active = result.active;
    tell_cut(f, result);
    if (result.changed && attn::is_link(s.text)) {
        if (auto document = attn::document_from_link(s.text)) {
            f.push(becomes(std::move(*document)));
            f.push(Tell{std::string(f.say(Str::opened_link))});
            s.text_active = false;
        }
    } else if (result.changed) {
        f.edit([typed = s.text](attn::Document& d) { type_text(d, typed); }, "text");
    }
    if (examples_w > 0) pick_example(f, {rect.right() - examples_w - f.px(4), rect.y, examples_w, rect.h});
}

/// The text that is looked at.
void source(const Frame& f, Rect rect) {
    Scratch& s = f.scratch;
    if (!s.source_active) s.source = f.state.document.source;
    FieldLook look;
    look.placeholder = f.say(Str::source_placeholder);
    const gui::FieldResult result = text_field(f.ui, "source", rect, s.source, look);
    s.source_active = result.active;
    tell_cut(f, result);
    if (!result.changed) return;
    f.edit(
        [typed = s.source](attn::Document& d) {
            d.source = typed;
            drop(d, attn::Given::X);
            drop(d, attn::Given::X_source);
            d.mask_pattern.resize(0, 0);
        },
        "source");
}

void texts(const Frame& f) {
    const Rect rect = field_rect(f);
    if (!reads_source(f)) {
        f.scratch.source_active = false;
        return text(f, rect);
    }
    const float gap = f.px(10), each = (rect.w - gap) / 2;
    text(f, {rect.x, rect.y, each, rect.h});
    source(f, {rect.x + each + gap, rect.y, each, rect.h});
}

void tools(const Frame& f) {
    const float y = f.area.center().y, size = f.px(32);
    float x = f.area.right() - f.px(16) - size;
    const auto tool = [&](std::string_view command) {
        const Rect at{x, y - size / 2, size, size};
        hint_of_command(f, command, at);
        return at;
    };
    if (icon_button(f.ui, "commands", tool("palette"), Icon::More)) run_command(f, "palette");
    x -= size + f.px(2);
    if (button(f.ui, "help", tool("help"), "?", ButtonKind::Plain)) run_command(f, "help");
    x -= size + f.px(2);
    if (icon_button(f.ui, "theme", tool("next_theme"), Icon::Contrast)) run_command(f, "next_theme");
    x -= size + f.px(2);
    if (icon_button(f.ui, "export", tool("export"), Icon::Export)) run_command(f, "export");
    if (f.area.w >= f.px(kRoomy)) {
        x -= size + f.px(2);
        const Icon now = f.columns() ? Icon::Columns : Icon::Rows;
        if (icon_button(f.ui, "convention", tool("convention"), now)) run_command(f, "convention");
    }
    const std::string_view word = f.say(Str::language_switch);
    const float w = f.painter().width(word, Type::Body) + f.px(24);
    x -= w + f.px(6);
    if (x > field_rect(f).right() && button(f.ui, "language", {x, y - size / 2, w, size}, word, ButtonKind::Plain))
        run_command(f, "other_language");
    if (f.area.w >= f.px(kUseful)) {
        x -= use_width(f) + f.px(8);
        use_switch(f, {x, y - size / 2, use_width(f), size});
    }
    const float undo_x = x - 2 * (size + f.px(2)) - f.px(8);
    if (undo_x < field_rect(f).right() + f.px(8)) return;
    hint_of_command(f, "undo", {undo_x, y - size / 2, size, size});
    hint_of_command(f, "redo", {undo_x + size + f.px(2), y - size / 2, size, size});
    if (icon_button(f.ui, "undo", {undo_x, y - size / 2, size, size}, Icon::Undo, ButtonKind::Plain,
                    f.state.history.can_undo()))
        f.push(Undo{});
    if (icon_button(f.ui, "redo", {undo_x + size + f.px(2), y - size / 2, size, size}, Icon::Redo, ButtonKind::Plain,
                    f.state.history.can_redo()))
        f.push(Redo{});
}

Frame in_header(const Frame& f) {
    Frame header = f;
    header.area = place_rect(Place::Header, f.window, f.theme, panels_of(f.state));
    return header;
}

}  // namespace

Rect header_text_rect(const Frame& f) { return field_rect(in_header(f)); }
Rect header_tabs_rect(const Frame& f) { return tabs_rect(in_header(f)); }

void draw_header(const Frame& f) {
    if (f.area.empty()) return;
    f.painter().fill(f.area, Hue::Paper);
    f.painter().fill({f.area.x, f.area.bottom() - f.theme.rule_width, f.area.w, f.theme.rule_width}, Hue::Rule);
    if (f.area.w > f.px(kWide))
        f.painter().text(
            {f.area.x + f.theme.margin, f.area.center().y + f.painter().middle_to_baseline(Type::TitleStrong)},
            f.say(Str::app_name), {Type::TitleStrong}, Hue::Accent);
    tabs(f);
    texts(f);
    tools(f);
}

}  // namespace app
