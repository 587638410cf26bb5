// Key handling, and the sheet that lists the keys.

#include "app/panels/keys.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "app/frame/commands.h"
#include "app/frame/sheet.h"

namespace app {
namespace {

constexpr CommandGroup kGroups[] = {CommandGroup::Watch, CommandGroup::Closer, CommandGroup::Change,
                                    CommandGroup::Export,  CommandGroup::Look,   CommandGroup::Room,
                                    CommandGroup::Chapters, CommandGroup::Program};

/// A line of the sheet: a key and what it does, or a group's title.
struct KeysLine {
    Str words;
    bool title = false;
    std::vector<Chord> keys;
};

std::vector<KeysLine> lines() {
    std::vector<KeysLine> out;
    for (const CommandGroup group : kGroups) {
        out.push_back({title_of(group), true, {}});
        for (const UserCommand& command : commands_of_user()) {
            if (command.group != group || command.chords.empty()) continue;
            if (out.back().title || out.back().words != command.line) out.push_back({command.line, false, {}});
            for (const Chord& chord : command.chords) out.back().keys.push_back(chord);
        }
    }
    return out;
}

/// The number of lines in the first column: groups stay whole, and both columns are about equally high.
std::size_t first_column(const std::vector<KeysLine>& all) {
    std::size_t best = all.size();
    const auto longer = [&](std::size_t at) { return std::max(at, all.size() - at); };
    for (std::size_t at = 1; at < all.size(); ++at)
        if (all[at].title && longer(at) < longer(best)) best = at;
    return best;
}

/// Keys with the same modifiers show them only once: "Alt+←", "→".
std::string_view cap_text(const KeysLine& line, std::size_t i) {
    const Chord& chord = line.keys[i];
    if (i == 0) return chord.text;
    const Chord& last = line.keys[i - 1];
    const bool shifts = chord.shift == Chord::Shift::Yes || last.shift == Chord::Shift::Yes;
    return !shifts && chord.ctrl == last.ctrl && chord.alt == last.alt ? chord.cap : chord.text;
}

void draw_line(const Frame& f, Rect row, const KeysLine& line, float keys_w) {
    Painter& p = f.painter();
    if (line.title) {
        section_label(f.ui, {row.x, row.bottom() - f.px(6)}, f.say(line.words));
        return;
    }
    float x = row.x;
    for (std::size_t i = 0; i < line.keys.size(); ++i)
        x += key_cap(f.ui, {x, row.center().y}, cap_text(line, i)) + f.px(4);
    const float left = std::max(row.x + keys_w, x + f.px(6));
    p.text_fit({left, row.y, row.right() - left, row.h}, f.say(line.words), {Type::Small}, Hue::Ink);
}

}  // namespace

void draw_keys(const Frame& f) {
    if (f.view().sheet != Sheet::Keys || f.window.empty()) return;
    const std::vector<KeysLine> all = lines();
    const std::size_t split = first_column(all);
    const float most = static_cast<float>(std::max(split, all.size() - split)), head = f.px(58), foot = f.px(42);
    const float high = f.px(f.theme.projector ? 26 : 29), content = most * high;
    const Rect card = sheet_rect(f, f.px(1100), head + foot + content);
    const SheetScope sheet(f, "keys", card);
    Painter& p = f.painter();
    const auto clip = p.clip(card);
    const float margin = f.px(28), gap = f.px(28), column = (card.w - 2 * margin - gap) / 2;
    p.text({card.x + margin, card.y + f.px(40)}, f.say(Str::keys_title), {Type::TitleStrong}, Hue::Ink);
    const Rect body{card.x, card.y + head, card.w - f.px(8), card.h - head - foot};
    const int lines_down = (gui::pressed(gui::Key::Down, true) ? 1 : 0) - (gui::pressed(gui::Key::Up, true) ? 1 : 0);
    f.scratch.keys_scroll += high * static_cast<float>(lines_down);
    scroll_area(f.ui, "keys.scroll", body, content, f.scratch.keys_scroll);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const bool right = i >= split;
        const float x = card.x + margin + (right ? column + gap : 0);
        const float y = body.y + high * static_cast<float>(right ? i - split : i) - f.scratch.keys_scroll;
        // Only whole lines: half a word cannot be read.
        if (y >= body.y - 1 && y + high <= body.bottom() + 1) draw_line(f, {x, y, column, high}, all[i], column * 0.4f);
    }
    p.text_fit({card.x + margin, card.bottom() - foot, card.w - 2 * margin, foot - f.px(8)}, f.say(Str::key_open),
               {Type::Small}, Hue::Soft);
}

namespace {

/// Whether another command has the same key with Shift; while Shift is held, the key is that command's.
bool is_taken_with_shift(const Chord& chord) {
    const auto is_same_with_shift = [&](const Chord& other) {
        return other.shift == Chord::Shift::Yes && other.key == chord.key && other.ctrl == chord.ctrl && other.alt == chord.alt;
    };
    const auto all = commands_of_user();
    return std::any_of(all.begin(), all.end(), [&](const UserCommand& command) {
        return std::any_of(command.chords.begin(), command.chords.end(), is_same_with_shift);
    });
}

/// Pressed in this frame, with exactly the held modifiers.
bool is_pressed(const Chord& chord, bool repeat) {
    if (!gui::pressed(chord.key, repeat) || gui::mod_ctrl() != chord.ctrl || gui::mod_alt() != chord.alt) return false;
    if (chord.shift == Chord::Shift::Either) return !gui::mod_shift() || !is_taken_with_shift(chord);
    return gui::mod_shift() == (chord.shift == Chord::Shift::Yes);
}

bool is_pressed(const UserCommand& command) {
    return std::any_of(command.chords.begin(), command.chords.end(),
                       [&](const Chord& chord) { return is_pressed(chord, command.repeats); });
}

/// When presenting, the clicker's keys run the presenting commands, whatever they do otherwise.
const UserCommand* pressed_while_presenting(const Frame& f) {
    if (!f.view().present.on || gui::typing() || gui::any_popup() || f.view().sheet != Sheet::None) return nullptr;
    const auto all = commands_of_user();
    const auto found = std::find_if(all.begin(), all.end(), [](const UserCommand& command) {
        return command.group == CommandGroup::Room && is_pressed(command);
    });
    return found == all.end() ? nullptr : &*found;
}

}  // namespace

void handle_keys(const Frame& f) {
    TypedLately& typed = f.scratch.typed;
    typed = f.scratch.focus.edited ? TypedLately{0, false} : TypedLately{typed.ago + f.scratch.seconds, typed.warned};
    if (const UserCommand* command = pressed_while_presenting(f)) return command->run(f);
    const bool searching = f.scratch.search_coming > 0 && f.scratch.search_coming-- > 0;
    const bool taken = gui::typing() || searching || f.scratch.focus.owns_keys() || gui::any_popup();
    const bool covered = f.view().sheet != Sheet::None;
    for (const UserCommand& command : commands_of_user()) {
        const bool closes = (command.id == "keys" && f.view().sheet == Sheet::Keys) || (command.id == "help" && f.view().sheet == Sheet::Help && !taken);
        if (command.keys == UserCommand::Keys::Free && (taken || (covered && !closes))) continue;
        // A change below a sheet would be invisible.
        if (covered && command.group == CommandGroup::Change) continue;
        if (is_pressed(command) && is_possible(f, command)) command.run(f);
    }
}

}  // namespace app
