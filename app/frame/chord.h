#pragma once
// Key chords are written as text, "Ctrl+Shift+L", and parsed at compile time. The sheet of keys, tooltips, menu and
// palette print the same text.

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "app/ui/compat.h"

namespace app {

/// A key and its modifiers.
struct Chord {
    /// Yes if the text names it. With Ctrl, a letter without Shift is a different chord (Ctrl+C, Ctrl+Shift+C).
    /// Otherwise Either: signs and digits need Shift on some keyboards, and letters are written as capitals.
    enum class Shift : std::uint8_t { Either, No, Yes };
    std::string_view text{};  ///< as written; `cap` is the key alone
    std::string_view cap{};
    gui::Key key{};
    bool ctrl = false;
    bool alt = false;
    Shift shift = Shift::Either;
};

struct KeyName {
    std::string_view name;
    gui::Key key;
};
/// Keys other than letters, digits and F1 to F12, as labelled on a key cap.
inline constexpr std::array kKeyNames = std::to_array<KeyName>({
    {"Space", gui::Key::Space}, {"←", gui::Key::Left},      {"→", gui::Key::Right},       {"↑", gui::Key::Up},
    {"↓", gui::Key::Down},      {"Home", gui::Key::Home},   {"End", gui::Key::End},       {"PgUp", gui::Key::PageUp},
    {"PgDn", gui::Key::PageDown}, {"Esc", gui::Key::Escape}, {"Enter", gui::Key::Enter},  {"Del", gui::Key::Delete},
    {"⌫", gui::Key::Backspace}, {".", gui::Key::Period},    {",", gui::Key::Comma},       {"?", gui::Key::Question},
    {"−", gui::Key::Minus},     {"+", gui::Key::Plus},
});

constexpr std::optional<gui::Key> key_named(std::string_view name) {
    const auto after = [](gui::Key from, int by) { return static_cast<gui::Key>(static_cast<int>(from) + by); };
    if (name.size() == 1 && name[0] >= 'A' && name[0] <= 'Z') return after(gui::Key::A, name[0] - 'A');
    if (name.size() == 1 && name[0] >= '0' && name[0] <= '9') return after(gui::Key::Digit0, name[0] - '0');
    for (const KeyName& row : kKeyNames)
        if (row.name == name) return row.key;
    if (name.size() < 2 || name.size() > 3 || name[0] != 'F') return std::nullopt;
    int number = 0;
    for (const char digit : name.substr(1)) {
        if (digit < '0' || digit > '9' || (number == 0 && digit == '0')) return std::nullopt;
        number = 10 * number + (digit - '0');
    }
    if (number > 12) return std::nullopt;
    return after(gui::Key::F1, number - 1);
}

/// "Ctrl+Shift+L": Ctrl, Alt and Shift in this order, then one key. Nothing if the text is not a chord.
constexpr std::optional<Chord> chord_of(std::string_view text) {
    Chord chord{.text = text, .cap = text};
    const auto takes = [&chord](std::string_view held) {
        if (!chord.cap.starts_with(held)) return false;
        chord.cap.remove_prefix(held.size());
        return true;
    };
    chord.ctrl = takes("Ctrl+");
    chord.alt = takes("Alt+");
    const bool shift = takes("Shift+");
    const auto key = key_named(chord.cap);
    if (!key) return std::nullopt;
    chord.key = *key;
    const bool other_with_shift = chord.ctrl && chord.key <= gui::Key::Z;
    chord.shift = shift ? Chord::Shift::Yes : other_with_shift ? Chord::Shift::No : Chord::Shift::Either;
    return chord;
}

/// The chords of a command, separated by spaces. A mistake in the text is a compile error.
class Chords {
public:
    consteval Chords(const char* text) {  // NOLINT(google-explicit-constructor): a row of the table says only its text
        for (std::string_view rest = text; !rest.empty();) {
            const std::size_t end = rest.find(' ');
            all_.at(count_++) = chord_of(rest.substr(0, end)).value();
            rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
        }
    }
    constexpr const Chord* begin() const { return all_.data(); }
    constexpr const Chord* end() const { return all_.data() + count_; }
    constexpr bool empty() const { return count_ == 0; }
    /// The first chord, shown next to the command's name.
    constexpr std::string_view text() const { return count_ == 0 ? std::string_view{} : all_[0].text; }

private:
    std::array<Chord, 5> all_{};
    std::size_t count_ = 0;
};

}  // namespace app
