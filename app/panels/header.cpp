// The top bar: the name, which leads home, the screens, the text with its examples, the way to the course, the level of
// detail, the menu.

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

#include "app/panels/header.h"
#include "app/frame/commands.h"
#include "app/frame/hint.h"
#include "app/frame/seen_picture.h"
#include "app/frame/view.h"
#include "app/state/edits.h"
#include "core/document/link.h"
#include "core/document/origins.h"
#include "core/document/take.h"
#include "core/io/safe_text.h"
#include "core/model/given_picture.h"

namespace app {
namespace {

// Design pixels: least and largest width of the text field; space between the parts of the bar; a tool's button.
constexpr float kLeastField = 220, kMostField = 620, kBarGap = 14, kTool = 32, kToolGap = 2;
/// The width that a long sentence gets before tabs and words are spread out, and the padding at both its ends.
constexpr float kSentence = 400, kFieldSide = 18;
/// A field's least width in pixels, if the window is wide enough.
constexpr float kReadable = 200;
/// The fields' part of a window that is narrow for its type.
constexpr float kFieldShare = 0.42f;
/// Space added to each tab in a bar with room to spare, in design pixels.
constexpr float kTabAir = 16;

bool reads_source(const Frame& f);

std::vector<ScreenRow> tabs_here(const Frame& f) {
    std::vector<ScreenRow> out;
    for (const ScreenRow& row : screens())
        if (row.tab && has_part(f.view().level, part_of(row.screen)) && has_screen(f, row.screen)) out.push_back(row);
    return out;
}

std::vector<std::string_view> titles_of(const Frame& f, const std::vector<ScreenRow>& rows) {
    std::vector<std::string_view> out;
    for (const ScreenRow& row : rows) out.push_back(f.say(row.title));
    return out;
}

/// What the bar contains: what a narrow window has no room for is in the list of screens, the menu and the palette.
struct Bar {
    bool brand = false, tabs = false, learn = false, level = false, levels = false, undo = false, language = false, help = false,
         menu = false, steps = false, cell = false;
    Rect screens, field;
    float tools = 0;  ///< where they begin
};

/// The button at the field's right end.
float examples_width(const Frame& f) { return f.painter().width(f.say(Str::examples), Type::Small) + f.px(34); }
float tool_width(const Frame& f) { return f.px(kTool + kToolGap); }
float brand_width(const Frame& f) {
    return f.theme.margin + f.painter().width(f.say(Str::app_name), Type::TitleStrong) + f.px(kBarGap);
}
float language_width(const Frame& f) {
    return f.painter().width(f.say(Str::language_switch), Type::Body) + f.px(24) + f.px(6);
}
float learn_width(const Frame& f) { return button_width(f.ui, f.say(Str::learn)) + f.px(6); }
float menu_word_width(const Frame& f) { return f.painter().width(f.say(Str::menu), Type::Body) + f.px(44); }

std::vector<std::string_view> titles_of_levels(const Frame& f) {
    return {f.say(Str::detail_first), f.say(Str::detail_numbers), f.say(Str::detail_everything)};
}
/// The width of the level as a list that shows the chosen one, and as three words side by side.
float level_width(const Frame& f) {
    float widest = 0;
    for (const std::string_view title : titles_of_levels(f)) widest = std::max(widest, f.painter().width(title, Type::Body));
    return widest + f.px(34);
}
float levels_width(const Frame& f) { return segments_width(f.ui, titles_of_levels(f)) + f.px(12); }
/// As wide as the longest name of a screen, so that nothing moves with the choice.
float menu_width(const Frame& f, std::span<const std::string_view> titles) {
    float widest = 0;
    for (const std::string_view title : titles) widest = std::max(widest, f.painter().width(title, Type::BodyStrong));
    return std::min(widest + f.px(34), f.area.w * 0.34f);
}

/// The parts that fit next to a readable field, the most useful first.
Bar bar_of(const Frame& f) {
    Bar bar;
    const std::vector<std::string_view> titles = titles_of(f, tabs_here(f));
    const float fields = reads_source(f) ? 2 : 1, tabs = segments_width(f.ui, titles);
    const float fixed = 2 * f.px(16) + 2 * f.px(kBarGap) + tool_width(f);
    const float menu = std::min(menu_width(f, titles), std::max(f.px(48), f.area.w - fixed - fields * kReadable));
    const float wanted = fields * f.px(kLeastField),
                least = std::max(std::min(wanted, f.area.w * kFieldShare * (fields > 1 ? 1.4f : 1.0f)),
                                 std::min(fields * kReadable, f.area.w * 0.6f));
    // Always present: the screens, if there are several, the field, and the menu.
    float left = f.area.w - fixed - least - (titles.size() > 1 ? menu : 0);
    const auto take = [&left](bool& part, float width, bool wanted_here = true) {
        part = wanted_here && width <= left;
        if (part) left -= width;
    };
    const bool stage = !f.view().present.on;
    take(bar.level, level_width(f) + f.px(10));  // always visible
    // A sentence that needs more than the least width takes precedence over everything that is also in the menu.
    const float letters = f.painter().width(f.state.document.text, Type::Body) + 2 * f.px(kFieldSide);
    const float sentence = std::clamp(std::min(letters, f.px(kSentence)) * fields - least, 0.0f, std::max(0.0f, left));
    left -= sentence;
    take(bar.steps, tool_width(f), stage && is_drawer(f, Place::Left));
    take(bar.cell, tool_width(f), stage && is_drawer(f, Place::Right));
    take(bar.brand, brand_width(f) - f.px(16));
    take(bar.language, language_width(f));
    take(bar.learn, learn_width(f), f.state.chapters != nullptr);
    // The examples button comes before lists become tabs and words.
    left -= std::max(0.0f, std::min(letters + examples_width(f), f.px(kSentence)) * fields - least - sentence);
    take(bar.tabs, tabs - menu, titles.size() > 1);
    take(bar.menu, menu_word_width(f) - tool_width(f));
    take(bar.help, tool_width(f));
    take(bar.levels, levels_width(f) - level_width(f), bar.level);
    // Undo has keys and is in the menu, so the sentence takes precedence.
    const float cut = std::max(0.0f, f.painter().width(f.state.document.text, Type::Body) + f.px(30) - least - sentence);
    take(bar.undo, 2 * tool_width(f) + f.px(8), left >= cut + 2 * tool_width(f) + f.px(8));
    // The rest is given to the field and to the tabs.
    float tools = bar.menu ? menu_word_width(f) : tool_width(f);
    for (const bool part : {bar.help, bar.cell, bar.undo, bar.undo}) tools += part ? tool_width(f) : 0;
    if (bar.language) tools += language_width(f);
    if (bar.learn) tools += learn_width(f);
    if (bar.level) tools += (bar.levels ? levels_width(f) : level_width(f)) + f.px(10);
    if (bar.undo) tools += f.px(8);
    bar.tools = f.area.right() - f.px(16) - tools;
    float x = f.area.x + (bar.brand ? brand_width(f) : f.px(16)) + (bar.steps ? tool_width(f) : 0);
    const float air = bar.tabs ? std::min(f.px(kTabAir) * static_cast<float>(titles.size()), std::max(0.0f, left) / 2) : 0;
    const float high = f.px(32);
    bar.screens = {x, f.area.center().y - high / 2, bar.tabs ? tabs + air : titles.size() > 1 ? menu : 0, high};
    x = bar.screens.right() + (bar.screens.w > 0 ? f.px(kBarGap) : 0);
    const float w = std::max(f.px(60), std::min(fields * f.px(kMostField), bar.tools - f.px(kBarGap) - x));
    bar.field = {x, f.area.center().y - f.theme.field_height / 2, w, f.theme.field_height};
    return bar;
}

/// The screens as tabs; in a narrow window, as a list that shows the current one.
void screens_of(const Frame& f, const Bar& bar) {
    const std::vector<ScreenRow> here = tabs_here(f);
    const std::vector<std::string_view> titles = titles_of(f, here);
    if (here.size() < 2) return;  // there is nowhere to go
    const auto open = std::find_if(here.begin(), here.end(), [&](const ScreenRow& row) { return row.screen == f.view().screen; });
    // At home none of them is chosen.
    int chosen = open == here.end() ? -1 : static_cast<int>(open - here.begin());
    bool changed = false;
    if (bar.tabs) {
        const std::vector<Rect> places = segments(f.ui, bar.screens, titles);
        for (std::size_t i = 0; i < here.size(); ++i) hint_of_command(f, "screen_" + std::string(here[i].id), places[i]);
        changed = segmented(f.ui, "screen", bar.screens, titles, chosen);
    } else {
        std::vector<SelectOption> rows;
        for (const std::string_view title : titles) rows.push_back({title});
        changed = select(f.ui, "screen", bar.screens, rows, chosen, Align::Left, chosen < 0 ? f.say(Str::screen_home) : std::string_view());
    }
    if (changed && chosen >= 0) show_screen(f, here[static_cast<std::size_t>(chosen)].screen);
}

/// The level of detail: three words, or a list if there is no room for them.
void level_switch(const Frame& f, Rect rect, bool words) {
    const std::vector<std::string_view> titles = titles_of_levels(f);
    int chosen = static_cast<int>(f.view().level);
    hint(f, "level", rect, f.say(Str::tip_level));
    const bool changed = words ? segmented(f.ui, "level", rect, titles, chosen) : select(f.ui, "level", rect, titles, chosen);
    if (changed) f.change_view([level = kDetails[chosen]](ViewState& v) { v.level = level; });
}

void learn_button(const Frame& f, Rect rect) {
    hint(f, "learn", rect, f.say(Str::tip_learn));
    if (button(f.ui, "learn", rect, f.say(Str::learn), ButtonKind::Soft)) run_command(f, "learn");
}

/// The program's name, which leads home.
void name_of_program(const Frame& f) {
    const Rect rect{f.area.x + f.theme.margin - f.px(8), f.area.center().y - f.px(18),
                    f.painter().width(f.say(Str::app_name), Type::TitleStrong) + f.px(16), f.px(36)};
    const Touch touch = touch_area(f.ui, "home", rect);
    hint_of_command(f, "home", rect);
    const bool here = f.view().screen == Screen::Home;
    if (touch.hovered || here) f.painter().fill(rect, here ? Hue::AccentSoft : Hue::Back, f.theme.button_radius);
    if (touch.focused) focus_ring(f.ui, rect, f.theme.button_radius);
    if (touch.hovered) gui::set_cursor(gui::Cursor::Hand);
    f.painter().text({f.area.x + f.theme.margin, f.area.center().y + f.painter().middle_to_baseline(Type::TitleStrong)},
                     f.say(Str::app_name), {Type::TitleStrong}, Hue::Accent);
    if (touch.clicked) run_command(f, "home");
}

/// The menu's entries, in order.
constexpr std::string_view kMenu[] = {"home",       "examples", "models",   "forms", "undo",          "redo",       "export",
                                      "copy_link",  "present",  "chapters", "glossary", "other_language", "next_theme", "convention",
                                      "larger",     "smaller",  "tour",     "help",  "keys",          "palette"};

/// The menu of all other commands.
void word_menu(const Frame& f, Rect rect) {
    std::vector<SelectOption> rows;
    for (const std::string_view id : kMenu) {
        const UserCommand& command = *find_user_command(id);
        rows.push_back({f.say(command.does), is_possible(f, command), command.chords.text()});
    }
    hint(f, "menu", rect, f.say(Str::tip_menu));
    int chosen = -1;
    if (select(f.ui, "menu", rect, rows, chosen, Align::Right, f.say(Str::menu)) && chosen >= 0) run_command(f, kMenu[chosen]);
}

bool reads_source(const Frame& f) {
    const attn::Form* form = attn::find_form(f.state.document.config.form);
    if (attn::reads_pair(f.state.document)) return true;
    return form && attn::has(form->reads, attn::Reads::Source) && !attn::shows_scene(f.state.document);
}


void pick_example(const Frame& f, Rect rect) {
    hint_of_command(f, "examples", rect);
    if (button(f.ui, "examples", rect, f.say(Str::examples), ButtonKind::Plain)) run_command(f, "examples");
}

/// Reports that a pasted text is longer than the field can be.
void tell_cut(const Frame& f, const gui::FieldResult& result) {
    if (result.changed && result.cut)
        f.push(Tell{std::string(f.say(Str::field_cut, {std::to_string(gui::kMostFieldBytes)}))});
}

/// A hint in the opening's field that one can type there, until someone does. Returns its width.
float type_hint(const Frame& f, Rect rect) {
    const std::string_view says = f.say(Str::asking_type);
    const float w = f.painter().width(says, Type::Small) + f.px(14);
    if (f.scratch.text_active || w + f.painter().width(f.state.document.text, Type::Body) + 2 * f.px(kFieldSide) > rect.w) return 0;
    return w;
}

/// The text field. A pasted link opens its document.
void text(const Frame& f, Rect rect) {
    Scratch& s = f.scratch;
    rect.x = std::round(rect.x);  // the field's letters start on a pixel
    if (!s.text_active) s.text = f.state.document.text;
    // A sentence that the examples button would cut gets its space: examples are also in the menu.
    const float sentence = f.painter().width(s.text, Type::Body) + 2 * f.px(kFieldSide);
    const bool beside = sentence <= rect.w - examples_width(f) || rect.w >= f.px(kSentence) + examples_width(f);
    const float examples_w = rect.w > f.px(240) && beside ? examples_width(f) : 0;
    FieldLook look;
    look.right_padding = examples_w;
    if (panels_of(f.state).asking) look.right_padding = type_hint(f, rect);
    const bool whole = f.painter().width(f.say(Str::text_placeholder), Type::Body) <= rect.w - look.right_padding - 2 * f.px(kFieldSide);
    look.placeholder = f.say(whole ? Str::text_placeholder : Str::text_placeholder_short);
    look.take_focus = s.focus_text;
    s.focus_text = false;
    const gui::FieldResult result = text_field(f.ui, "text", rect, s.text, look);
    s.text_active = result.active;
    tell_cut(f, result);
    // In the opening, Enter ends the sentence: its answer is computed.
    if (result.entered && panels_of(f.state).asking) f.push(OpeningAction{OpeningAction::Do::Answer});
    if (result.changed && attn::is_link(s.text)) {
        if (auto document = attn::document_from_link(s.text)) {
            f.push(becomes(std::move(*document)));
            f.push(Tell{std::string(f.say(Str::opened_link))});
            s.text_active = false;
        }
    } else if (result.changed) {
        f.edit([typed = s.text](attn::Document& d) { type_text(d, typed); }, "text");
    }
    // A user who types at home wants to see the result.
    if (result.changed && f.view().screen == Screen::Home) show_screen(f, Screen::Stage);
    if (!panels_of(f.state).asking && examples_w > 0) pick_example(f, {rect.right() - examples_w - f.px(4), rect.y, examples_w, rect.h});
}

/// The second text, which the first one attends to.
void source(const Frame& f, Rect rect) {
    Scratch& s = f.scratch;
    if (!s.source_active) s.source = f.state.document.source;
    FieldLook look;
    look.placeholder = f.say(attn::reads_pair(f.state.document) ? Str::pair_placeholder : Str::source_placeholder);
    const gui::FieldResult result = text_field(f.ui, "source", rect, s.source, look);
    s.source_active = result.active;
    tell_cut(f, result);
    if (!result.changed) return;
    f.edit([typed = s.source](attn::Document& d) { type_source(d, typed); }, "source");
}

/// Rings the patches that the focused cell is about, in a run over an image: the row's, and the one that it attends to.
void ring_patch(const Frame& f, Rect all, attn::Axis axis, int index, Hue hue) {
    const HeadsPicture& picture = *f.derived.picture;
    const int patch = axis.first + index - picture.before;
    if (axis.kind != attn::Axis::Kind::Tokens || patch < 0 || patch >= picture.patches()) return;
    const Rect at = patch_in(all, picture, patch);
    f.painter().stroke(at.inset(-f.px(1)), Ink(Hue::Paper, 0.9f), f.px(1), f.px(3));
    f.painter().stroke(at, hue, f.px(1), f.px(1.5f));
}

/// Draws the image at the left end of its field, on every screen; returns its width.
float picture_seen(const Frame& f, Rect field) {
    if (!f.derived.picture) return 0;
    const float margin = f.px(4);
    const Size size = size_in({field.w * 0.4f, field.h - 2 * margin}, *f.derived.picture);
    const Rect all{field.x + f.px(10), field.center().y - size.h / 2, size.w, size.h};
    draw_seen_picture(f, all, *f.derived.picture, 0);
    f.ui.record("picture_seen", all);
    if (const auto& cell = f.derived.focus; cell && cell->step != attn::kNoStep) {
        const attn::Step& step = f.trace()[cell->step];
        ring_patch(f, all, step.cols, cell->col, Hue::Key);
        ring_patch(f, all, step.rows, cell->row, Hue::Query);
    }
    return size.w;
}

/// The image and its name, in place of a text. Another image can be dropped onto the window.
void picture_name(const Frame& f, Rect rect) {
    f.scratch.text_active = f.scratch.source_active = f.scratch.focus_text = false;
    f.painter().fill(rect, Hue::Back, f.theme.button_radius);
    f.painter().stroke_dashed(rect, Hue::Faint, f.theme.button_radius, f.theme.rule_width, f.px(4), f.px(3));
    const auto& picture = f.state.document.picture;
    const std::string name = picture ? std::filesystem::path(picture->name).filename().string() : std::string();
    const std::string words = picture ? f.say(Str::picture_here, {attn::visible_text(name), std::to_string(picture->picture.width), std::to_string(picture->picture.height)})
                                      : std::string(f.say(Str::no_picture));
    hint(f, "picture", rect, f.say(Str::tip_picture));
    const float seen = picture_seen(f, rect);
    const float left = f.px(12) + (seen > 0 ? seen + f.px(8) : 0);
    f.painter().text_fit({rect.x + left, rect.y, rect.w - left - f.px(12), rect.h}, words, {Type::Body}, picture ? Hue::Ink : Hue::Soft);
}

void texts(const Frame& f, Rect rect) {
    if (attn::shows_picture(f.state.document)) return picture_name(f, rect);
    if (!reads_source(f)) {
        f.scratch.source_active = false;
        return text(f, rect);
    }
    // Half each; of two sentences the longer one has what the shorter one does not need.
    const auto needed = [&](std::string_view words) { return f.painter().width(words, Type::Body) + 2 * f.px(kFieldSide); };
    const float gap = f.px(10), half = (rect.w - gap) / 2, least = std::min(half, kReadable);
    const float own = needed(f.state.document.text), other = needed(f.state.document.source);
    float first = half;
    if (own > half && other < half) first = rect.w - gap - std::max(other, least);
    if (other > half && own < half) first = std::max(own, least);
    text(f, {rect.x, rect.y, first, rect.h});
    source(f, {rect.x + first + gap, rect.y, rect.w - gap - first, rect.h});
}

void tools(const Frame& f, const Bar& bar) {
    const float size = f.px(kTool), y = f.area.center().y - size / 2;
    float x = bar.tools;
    const auto next = [&](std::string_view command, float width) {
        const Rect at{x, y, width, size};
        x += width + f.px(kToolGap);
        hint_of_command(f, command, at);
        return at;
    };
    const auto tool = [&](bool there, std::string_view id, std::string_view command, Icon icon, bool enabled = true) {
        if (there && icon_button(f.ui, id, next(command, size), icon, ButtonKind::Plain, enabled)) run_command(f, command);
    };
    if (bar.learn) {
        learn_button(f, {x, y, learn_width(f) - f.px(6), size});
        x += learn_width(f);
    }
    if (bar.level) {
        const float width = bar.levels ? levels_width(f) : level_width(f);
        level_switch(f, {x, y, width, size}, bar.levels);
        x += width + f.px(10);
    }
    tool(bar.undo, "undo", "undo", Icon::Undo, f.state.history.can_undo());
    tool(bar.undo, "redo", "redo", Icon::Redo, f.state.history.can_redo());
    if (bar.undo) x += f.px(8);
    if (bar.language) {
        const float width = language_width(f) - f.px(6);
        if (button(f.ui, "language", next("other_language", width), f.say(Str::language_switch), ButtonKind::Plain))
            run_command(f, "other_language");
        x += f.px(6 - kToolGap);
    }
    if (bar.help && button(f.ui, "help", next("help", size), "?", ButtonKind::Plain)) run_command(f, "help");
    tool(bar.cell, "drawer_cell", "drawer_cell", Icon::Lens);
    if (bar.menu) return word_menu(f, {x, y, menu_word_width(f) - f.px(kToolGap), size});
    tool(true, "menu", "palette", Icon::More);
}

Frame in_header(const Frame& f) {
    Frame header = f;
    header.area = place_rect(Place::Header, f.window, f.theme, panels_of(f.state));
    return header;
}

}  // namespace

namespace {

/// The opening's bar: the name, the sentence, the course, the level, the language, and help. The rest comes with the
/// numbers.
void draw_header_of_opening(const Frame& f) {
    constexpr float kOpeningField = 580;
    const float pad = f.theme.margin, size = f.px(kTool), y = f.area.center().y - size / 2;
    const Rect help{f.area.right() - pad - size, y, size, size};
    if (button(f.ui, "help", help, "?", ButtonKind::Plain)) run_command(f, "help");
    hint_of_command(f, "help", help);
    const float language_w = language_width(f) - f.px(6);
    const Rect language{help.x - f.px(kToolGap) - language_w, y, language_w, size};
    if (button(f.ui, "language", language, f.say(Str::language_switch), ButtonKind::Plain)) run_command(f, "other_language");
    hint_of_command(f, "other_language", language);
    // The level of detail and the course are left of it, if there is room next to a sentence.
    float left_of = language.x - f.px(kBarGap);
    // The sentence shrinks last: its letters take precedence over the name, the course, and the levels as words.
    const float letters = f.painter().width(f.state.document.text, Type::Body) + f.px(2 * kFieldSide) + f.px(4);
    const float sentence = std::max(kReadable, std::min(letters, f.px(kOpeningField)));
    const auto fits = [&](float width) { return left_of - width - f.area.x - brand_width(f) >= sentence + f.px(kBarGap); };
    const bool words = fits(levels_width(f) + f.px(10) + learn_width(f));
    const float level_w = words ? levels_width(f) : level_width(f);
    level_switch(f, {left_of - level_w, y, level_w, size}, words);
    left_of -= level_w + f.px(10);
    if (f.state.chapters && fits(learn_width(f))) {
        left_of -= learn_width(f);
        learn_button(f, {left_of, y, learn_width(f) - f.px(6), size});
    }
    const float right = f.area.right() - left_of + f.px(kBarGap);
    const bool brand = f.area.w - brand_width(f) - right >= std::max(f.px(kReadable), sentence);
    if (brand) name_of_program(f);
    const float left = brand ? brand_width(f) : pad, most = std::max(0.0f, f.area.w - left - right);
    // Centred in the window, if it fits there.
    const float w = std::min(std::max(f.theme.opening, f.theme.scale) * kOpeningField, most);
    const float x = std::clamp(f.area.center().x - w / 2, f.area.x + left, std::max(f.area.x + left, f.area.right() - right - w));
    const Rect field{x, f.area.center().y - f.theme.field_height / 2, w, f.theme.field_height};
    texts(f, field);
    if (const float hint_w = type_hint(f, field); hint_w > 0 && !attn::shows_picture(f.state.document))
        f.painter().text_in({field.right() - hint_w, field.y, hint_w - f.px(14), field.h}, f.say(Str::asking_type), {Type::Small, Align::Right}, Hue::Soft);
}

}  // namespace

Rect header_text_rect(const Frame& f) { return bar_of(in_header(f)).field; }
Rect header_tabs_rect(const Frame& f) { return bar_of(in_header(f)).screens; }

void draw_header(const Frame& f) {
    if (f.area.empty()) return;
    f.painter().fill(f.area, Hue::Paper);
    f.painter().fill({f.area.x, f.area.bottom() - f.theme.rule_width, f.area.w, f.theme.rule_width}, Hue::Rule);
    if (panels_of(f.state).asking) return draw_header_of_opening(f);
    const Bar bar = bar_of(f);
    if (bar.brand) name_of_program(f);
    const float size = f.px(kTool);
    const Rect steps{bar.screens.x - tool_width(f), f.area.center().y - size / 2, size, size};
    if (bar.steps && icon_button(f.ui, "drawer_steps", steps, Icon::Sliders)) run_command(f, "drawer_steps");
    if (bar.steps) hint_of_command(f, "drawer_steps", steps);
    screens_of(f, bar);
    texts(f, bar.field);
    tools(f, bar);
}

}  // namespace app
