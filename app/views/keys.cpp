// Keys: what each does, and the sheet that tells them.

#include "app/views/keys.h"

#include <algorithm>
#include <array>

#include "app/state/edits.h"
#include "app/views/heads.h"
#include "app/views/present.h"
#include "app/views/stage_touch.h"

namespace app {
namespace {

struct KeyLine {
    std::array<std::string_view, 5> keys;
    Str does;
};
constexpr std::array kLines = {
    KeyLine{{"Space"}, Str::key_play},
    KeyLine{{"←", "→"}, Str::key_step},
    KeyLine{{"Home", "End"}, Str::key_ends},
    KeyLine{{"↑", "↓"}, Str::key_head},
    KeyLine{{"Alt+←", "Alt+→"}, Str::key_cell},
    KeyLine{{"Enter", "Del"}, Str::key_type},
    KeyLine{{"D"}, Str::key_change},
    KeyLine{{"Esc"}, Str::key_unpin},
    KeyLine{{"Ctrl+L"}, Str::key_text},
    KeyLine{{"Ctrl+Z"}, Str::key_undo},
    KeyLine{{"Ctrl+Y", "Ctrl+Shift+Z"}, Str::key_redo},
    KeyLine{{"F9"}, Str::key_seed},
    KeyLine{{"F8", "F2", "F3", "F4", "F10"}, Str::key_screen},
    KeyLine{{"F10", "L"}, Str::key_heatmap},
    KeyLine{{"F5", "PgDn", "PgUp"}, Str::key_present},
    KeyLine{{"B", "S", "P"}, Str::key_room},
    KeyLine{{"F6"}, Str::key_theme},
    KeyLine{{"F7"}, Str::key_language},
    KeyLine{{"Ctrl +", "Ctrl −", "Ctrl 0"}, Str::key_scale},
    KeyLine{{"C"}, Str::key_colors},
    KeyLine{{"T"}, Str::key_convention},
    KeyLine{{"M"}, Str::key_motion},
    KeyLine{{"F11"}, Str::key_full},
    KeyLine{{"F1", "?"}, Str::key_help},
    KeyLine{{"Ctrl+Q"}, Str::key_quit},
};

}  // namespace

void draw_keys(const Frame& f) {
    if (!f.view().keys_open || f.window.empty()) return;
    Painter& p = f.painter();
    const auto onto = p.onto(gui::foreground());
    p.fill(f.window, Ink(Hue::Ink, 0.28f));
    const float w = std::min(f.window.w - f.px(24), f.px(520)), around = f.px(84) + f.px(34);
    const auto count = static_cast<float>(kLines.size());
    const float line = std::min(f.px(31), (f.window.h - f.px(24) - around) / count);
    const float h = std::min(f.window.h - f.px(24), around + line * count);
    const Rect card = rect_around(f.window.center(), w, h);
    p.card(card);
    const auto clip = p.clip(card);
    p.text({card.x + f.px(28), card.y + f.px(42)}, f.say(Str::keys_title), {Type::TitleStrong}, Hue::Ink);
    float y = card.y + f.px(60);
    for (const KeyLine& row : kLines) {
        float x = card.x + f.px(28);
        for (const std::string_view key : row.keys)
            if (!key.empty()) x += key_cap(f.ui, {x, y + line / 2}, key) + f.px(6);
        p.text_fit({card.x + w * 0.52f, y, w * 0.48f - f.px(20), line}, f.say(row.does), {Type::Body}, Hue::Ink);
        y += line;
    }
    p.text_fit({card.x + f.px(28), y + f.px(4), w - f.px(56), line}, f.say(Str::key_open), {Type::Small}, Hue::Soft);
}

namespace {

/// Typing over the pinned number, and taking that back.
void numbers_by_key(const Frame& f) {
    using gui::Key;
    if (gui::pressed(Key::D) && !f.state.document.edits.empty())
        f.change_view([](ViewState& v) { v.difference = !v.difference; });
    if (!f.view().pinned) return;
    const CellRef cell = *f.view().pinned;
    if (gui::pressed(Key::Enter)) open_number_field(f, cell);
    if ((gui::pressed(Key::Delete) || gui::pressed(Key::Backspace)) && edit_at(f.state.document, cell))
        f.edit([&](attn::Document& d) { reset_cell(d, cell); });
}

void screens_by_key(const Frame& f) {
    using gui::Key;
    constexpr Key kKeys[kScreenCount] = {Key::F2, Key::F3, Key::F4, Key::F8, Key::F10};
    if (f.view().screen == Screen::Heads && gui::pressed(Key::F10)) return next_heads_page(f);
    for (int i = 0; i < kScreenCount; ++i) {
        const auto screen = static_cast<Screen>(i);
        if (!gui::pressed(kKeys[i]) || !has_screen(f, screen)) continue;
        show_screen(f, screen);
    }
}

}  // namespace

void handle_keys(const Frame& f) {
    using gui::Key;
    if (present_keys(f)) return;
    const bool ctrl = gui::mod_ctrl(), shift = gui::mod_shift(), alt = gui::mod_alt();
    if (ctrl) {
        if (gui::pressed(Key::Q)) f.change_view([](ViewState& v) { v.quit = true; });
        if (gui::pressed(Key::L)) f.scratch.focus_text = true;
        if (gui::pressed(Key::Plus, true)) f.change_view([](ViewState& v) { v.scale += 0.125f; });
        if (gui::pressed(Key::Minus, true)) f.change_view([](ViewState& v) { v.scale -= 0.125f; });
        if (gui::pressed(Key::Digit0)) f.change_view([](ViewState& v) { v.scale = 1; });
    }
    if (gui::pressed(Key::F1)) f.change_view([](ViewState& v) { v.keys_open = !v.keys_open; });
    screens_by_key(f);
    if (gui::pressed(Key::F6)) f.change_view([](ViewState& v) { v.theme = next_theme(v.theme); });
    if (gui::pressed(Key::F7))
        f.change_view(
            [](ViewState& v) { v.language = v.language == Language::English ? Language::Chinese : Language::English; });
    if (gui::pressed(Key::F9)) new_seed(f);
    if (gui::pressed(Key::F11)) f.change_view([](ViewState& v) { v.full_screen = !v.full_screen; });
    if (gui::typing() || f.scratch.focus.owns_keys()) return;
    if (ctrl) {
        if (gui::pressed(Key::Z, true)) f.push(shift ? Action(Redo{}) : Action(Undo{}));
        if (gui::pressed(Key::Y, true)) f.push(Redo{});
        return;
    }
    if (gui::pressed(Key::Escape)) {
        if (f.view().keys_open)
            f.change_view([](ViewState& v) { v.keys_open = false; });
        else if (f.view().screen == Screen::Flow && f.view().flow != FlowLook{})
            f.change_view([](ViewState& v) { v.flow = {}; });
        else
            f.push(Pin{});
    }
    if (gui::pressed(Key::Slash) && shift) f.change_view([](ViewState& v) { v.keys_open = !v.keys_open; });
    const int rows = (gui::pressed(Key::Down, true) ? 1 : 0) - (gui::pressed(Key::Up, true) ? 1 : 0);
    const int cols = (gui::pressed(Key::Right, true) ? 1 : 0) - (gui::pressed(Key::Left, true) ? 1 : 0);
    if (alt) {
        if ((rows != 0 || cols != 0) && !f.view().pinned && f.derived.focus)
            f.push(Pin{CellRef{f.trace()[f.derived.focus->step].tag, f.derived.focus->row, f.derived.focus->col}});
        if (rows != 0 || cols != 0) f.push(MovePin{rows, cols});
        return;
    }
    numbers_by_key(f);
    if (gui::pressed(Key::Space)) f.push(Play{!f.view().playing});
    if (cols != 0) f.push(StepBy{cols});
    if (rows != 0) f.push(ChooseHead{f.view().head + rows});
    if (gui::pressed(Key::C)) f.change_view([](ViewState& v) { v.shared_scale = !v.shared_scale; });
    if (gui::pressed(Key::T)) turn_convention(f);
    if (gui::pressed(Key::L) && f.view().screen == Screen::Heads) switch_lines_and_heatmap(f);
    if (gui::pressed(Key::M)) f.change_view([](ViewState& v) { v.still = !v.still; });
    if (gui::pressed(Key::Home)) f.push(GoToStop{0, 1});
    if (gui::pressed(Key::End)) f.push(GoToStop{static_cast<int>(f.derived.timeline.stops.size()) - 1, 1});
}

std::string next_theme(std::string_view now) {
    const auto all = themes();
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].id == now) return std::string(all[(i + 1) % all.size()].id);
    return std::string(all.front().id);
}

void turn_convention(const Frame& f) {
    using attn::Convention;
    f.change_view(
        [](ViewState& v) { v.convention = v.convention == Convention::Rows ? Convention::Columns : Convention::Rows; });
}

void new_seed(const Frame& f) {
    f.edit([](attn::Document& d) {
        if (d.weights == "random") ++d.weight_seed;
        if (d.vectors == "random") ++d.vector_seed;
    });
}

}  // namespace app
