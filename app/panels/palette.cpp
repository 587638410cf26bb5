// The palette, which searches the commands, and help, which searches commands, terms and chapters: both by
// typing.

#include <algorithm>

#include "app/frame/commands.h"
#include "app/frame/sheet.h"
#include "app/panels/palette_entries.h"

namespace app {
namespace {

constexpr float kPaletteWidth = 640, kPaletteField = 48, kPaletteRow = 38;
constexpr int kRowsShown = 10;

void open(const Frame& f) {
    PaletteState& s = f.scratch.palette;
    s = {};
    s.open = true;
    s.of = f.view().sheet;
    s.entries = s.of == Sheet::Help ? help_entries(f) : palette_entries(f);
    s.listed = s.entries.size();
    s.found = palette_search(s.entries, "");
}

/// Entries for what the text names come before those that match it.
void search(const Frame& f) {
    PaletteState& s = f.scratch.palette;
    s.entries.resize(s.listed);
    s.found = palette_search(s.entries, s.text);
    if (s.of != Sheet::Palette) return;
    std::vector<int> named;
    for (PaletteEntry& entry : named_entries(f, s.text)) {
        named.push_back(static_cast<int>(s.entries.size()));
        s.entries.push_back(std::move(entry));
    }
    s.found.insert(s.found.begin(), named.begin(), named.end());
}

/// Runs the entry, after closing the sheet.
void run(const Frame& f, const PaletteEntry& entry) {
    if (!entry.possible) return;
    f.change_view([](ViewState& v) { v.sheet = Sheet::None; });
    entry.run(f);
}

void keys(const Frame& f) {
    PaletteState& s = f.scratch.palette;
    const int count = static_cast<int>(s.found.size()), before = s.chosen;
    if (count == 0) return;
    if (gui::pressed(gui::Key::Down, true)) ++s.chosen;
    if (gui::pressed(gui::Key::Up, true)) --s.chosen;
    if (gui::pressed(gui::Key::PageDown, true)) s.chosen = std::min(s.chosen + kRowsShown, count - 1);
    if (gui::pressed(gui::Key::PageUp, true)) s.chosen = std::max(s.chosen - kRowsShown, 0);
    s.chosen = (s.chosen + count) % count;
    s.follow |= s.chosen != before;
    if (gui::pressed(gui::Key::Enter))
        run(f, s.entries[static_cast<std::size_t>(s.found[static_cast<std::size_t>(s.chosen)])]);
}

void row(const Frame& f, Rect rect, int place) {
    PaletteState& s = f.scratch.palette;
    Painter& p = f.painter();
    const PaletteEntry& entry = s.entries[static_cast<std::size_t>(s.found[static_cast<std::size_t>(place)])];
    const Touch touch = touch_area(f.ui, "palette." + std::to_string(place), rect, false);
    const bool chosen = place == s.chosen;
    if (chosen)
        p.fill(rect, Hue::AccentSoft, f.theme.button_radius);
    else if (touch.hovered)
        p.fill(rect, Hue::Back, f.theme.button_radius);
    if (touch.hovered && entry.possible) gui::set_cursor(gui::Cursor::Hand);
    const Rect inner = rect.inset(f.px(14), 0);
    float right = inner.right();
    if (!entry.keys.empty()) {
        const float w = std::max(std::round(f.theme.em(Type::Small) * 1.75f),
                                 std::ceil(p.width(entry.keys, Type::Small)) + f.px(12));
        key_cap(f.ui, {right - w, rect.center().y}, entry.keys);
        right -= w + f.px(10);
    }
    const std::string& note = entry.why.empty() ? entry.note : entry.why;
    const float note_w = p.width(note, Type::Small);
    p.text_in({right - note_w, rect.y, note_w, rect.h}, note, {Type::Small, Align::Right}, Hue::Soft);
    right -= note_w + f.px(12);
    const auto faded = p.opacity(entry.possible ? 1.0f : 0.5f);
    float x = inner.x;
    if (entry.chosen) {
        p.icon(Icon::Check, {x + f.px(6), rect.center().y}, f.px(12), Hue::Accent);
        x += f.px(20);
    }
    p.text_fit({x, rect.y, right - x, rect.h}, entry.title, {chosen ? Type::BodyStrong : Type::Body},
               chosen ? Hue::Accent : Hue::Ink);
    if (touch.clicked) run(f, entry);
}

void list(const Frame& f, Rect area) {
    PaletteState& s = f.scratch.palette;
    const float high = f.px(kPaletteRow), content = high * static_cast<float>(s.found.size());
    if (std::exchange(s.follow, false)) {
        const float top = high * static_cast<float>(s.chosen);
        s.scroll = std::clamp(s.scroll, top + high - area.h, top);
    }
    scroll_area(f.ui, "palette.scroll", area, content, s.scroll);
    const auto clip = f.painter().clip(area);
    for (int i = 0; i < static_cast<int>(s.found.size()); ++i) {
        const float y = area.y + high * static_cast<float>(i) - s.scroll;
        // Only whole rows: half a word cannot be read.
        if (y >= area.y - 1 && y + high <= area.bottom() + 1) row(f, {area.x, y, area.w - f.px(8), high}, i);
    }
    if (s.found.empty())
        f.painter().text_in({area.x, area.y, area.w, high}, f.say(Str::palette_nothing), {Type::Body, Align::Center},
                            Hue::Soft);
}

}  // namespace

void draw_palette(const Frame& f) {
    PaletteState& s = f.scratch.palette;
    const Sheet sheet_now = f.view().sheet;
    if (sheet_now != Sheet::Palette && sheet_now != Sheet::Help) {
        s.open = false;
        return;
    }
    if (f.window.empty()) return;
    const bool fresh = !s.open || s.of != sheet_now;
    if (fresh) open(f);
    const float pad = f.px(12), field = f.px(kPaletteField), row_h = f.px(kPaletteRow);
    const float rows =
        std::floor(std::min(static_cast<float>(kRowsShown), (f.window.h - f.px(48) - field - 3 * pad) / row_h));
    Rect card = sheet_rect(f, f.px(kPaletteWidth), field + 3 * pad + row_h * std::max(rows, 1.0f));
    card.y = std::round(std::min(card.y, f.window.y + f.window.h * 0.14f));
    const SheetScope sheet(f, "palette", card);
    FieldLook look;
    look.placeholder = f.say(sheet_now == Sheet::Help ? Str::help_placeholder : Str::palette_placeholder);
    // The field has the keyboard all the time, except during a press on a row.
    look.take_focus = fresh || (!gui::typing() && !gui::mouse_down() && !gui::mouse_released());
    // It gets the keyboard two frames later, which must be requested: after a click nothing else would ask for them.
    if (look.take_focus) f.change_view([](ViewState&) {});
    text_field(f.ui, "palette_text", {card.x + pad, card.y + pad, card.w - 2 * pad, field}, s.text, look);
    if (s.text != s.searched) {
        s.searched = s.text;
        search(f);
        s.chosen = 0;
        s.scroll = 0;
    }
    if (!fresh) keys(f);
    const float top = card.y + 2 * pad + field;
    list(f, {card.x + pad, top, card.w - 2 * pad, card.bottom() - pad - top});
}

}  // namespace app
