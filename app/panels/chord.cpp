// Keys by name, and whether they are pressed.

#include "app/frame/commands.h"

namespace app {
namespace {

struct KeyName {
    gui::Key key;
    std::string_view name;
};
constexpr KeyName kKeyNames[] = {
    {gui::Key::Space, "Space"},    {gui::Key::Left, "←"},      {gui::Key::Right, "→"},     {gui::Key::Up, "↑"},
    {gui::Key::Down, "↓"},         {gui::Key::Home, "Home"},   {gui::Key::End, "End"},     {gui::Key::PageUp, "PgUp"},
    {gui::Key::PageDown, "PgDn"},  {gui::Key::Escape, "Esc"},  {gui::Key::Enter, "Enter"}, {gui::Key::Tab, "Tab"},
    {gui::Key::Delete, "Del"},     {gui::Key::Backspace, "⌫"}, {gui::Key::Period, "."},    {gui::Key::Comma, ","},
    {gui::Key::Question, "?"},     {gui::Key::Minus, "−"},     {gui::Key::Plus, "+"},      {gui::Key::LeftBracket, "["},
    {gui::Key::RightBracket, "]"},
};

std::string name_of_key(gui::Key key) {
    using gui::Key;
    const auto offset = [key](Key from) { return static_cast<int>(key) - static_cast<int>(from); };
    if (key <= Key::Z) return std::string(1, static_cast<char>('A' + offset(Key::A)));
    if (key <= Key::Digit9) return std::string(1, static_cast<char>('0' + offset(Key::Digit0)));
    if (key <= Key::F12) return "F" + std::to_string(offset(Key::F1) + 1);
    for (const KeyName& row : kKeyNames)
        if (row.key == key) return std::string(row.name);
    return "?";
}

}  // namespace

std::string chord_text(const Chord& chord) {
    std::string text;
    if (chord.ctrl) text += "Ctrl+";
    if (chord.alt) text += "Alt+";
    if (chord.shift == Chord::Shift::Yes) text += "Shift+";
    return text + name_of_key(chord.key);
}

bool chord_pressed(const Chord& chord, bool repeat) {
    if (gui::mod_ctrl() != chord.ctrl || gui::mod_alt() != chord.alt) return false;
    if (chord.shift != Chord::Shift::Either && gui::mod_shift() != (chord.shift == Chord::Shift::Yes)) return false;
    return gui::pressed(chord.key, repeat);
}

}  // namespace app
