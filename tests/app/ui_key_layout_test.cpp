// Shortcuts on keyboards that are not American: each is on the key with its label.
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "app/frame/commands.h"
#include "app/ui/key_layout.h"
#include "core/text/unicode.h"

namespace app {
namespace {

using gui::Key;
using gui::KeyCap;

/// The four rows of a keyboard by their positions on a US one, and the characters of a layout there, without Shift and with
/// it. A blank: nothing.
constexpr std::string_view kPlaces = "1234567890-=QWERTYUIOP[]ASDFGHJKL;'ZXCVBNM,./";
struct Layout {
    std::string_view name;
    std::u32string_view plain, shifted;
    bool latin;
};
const Layout kLayouts[] = {
    {"us", U"1234567890-=qwertyuiop[]asdfghjkl;'zxcvbnm,./", U"!@#$%^&*()_+QWERTYUIOP{}ASDFGHJKL:\"ZXCVBNM<>?", true},
    {"fr", U"&é\"'(-è_çà)=azertyuiop $qsdfghjklmùwxcvbn,;:!", U"1234567890°+AZERTYUIOP £QSDFGHJKLM%WXCVBN?./§", true},
    {"de", U"1234567890ß qwertzuiopü+asdfghjklöäyxcvbnm,.-", U"!\"§$%&/()=? QWERTZUIOPÜ*ASDFGHJKLÖÄYXCVBNM;:_", true},
    {"ru", U"1234567890-=йцукенгшщзхъфывапролджэячсмитьбю.", U"!\"№;%:?*()_+ЙЦУКЕНГШЩЗХЪФЫВАПРОЛДЖЭЯЧСМИТЬБЮ,", false},
    {"gr", U"1234567890-=;ςερτυθιοπ[]ασδφγηξκλ΄'ζχψωβνμ,./", U"!@#$%^&*()_+:ΣΕΡΤΥΘΙΟΠ{}ΑΣΔΦΓΗΞΚΛ¨\"ΖΧΨΩΒΝΜ<>?", false},
    {"cz", U"+ěščřžýáíé=´qwertzuiopú)asdfghjklů§yxcvbnm,.-", U"1234567890%ˇQWERTZUIOP/(ASDFGHJKL\"!YXCVBNM?:_", true},
};

/// The key for a chord: a position, and whether Shift is held.
struct Finger {
    std::size_t at;
    bool shift;
};

std::optional<Key> pressed_key(const Layout& layout, Finger finger, bool known = true) {
    const auto sign = [&](std::u32string_view row) { return row[finger.at] == U' ' ? U'\0' : row[finger.at]; };
    const char32_t typed = known ? sign(finger.shift ? layout.shifted : layout.plain) : U'\0';
    return gui::key_of({kPlaces[finger.at], sign(layout.plain), typed, finger.shift, layout.latin});
}

std::vector<Finger> fingers_for(const Layout& layout, const Chord& chord) {
    std::vector<Finger> out;
    for (std::size_t at = 0; at < kPlaces.size(); ++at)
        for (const bool shift : {false, true}) {
            if (chord.shift != Chord::Shift::Either && shift != (chord.shift == Chord::Shift::Yes)) continue;
            if (pressed_key(layout, {at, shift}) == chord.key) out.push_back({at, shift});
        }
    return out;
}

TEST(KeyLayout, RowsAreComplete) {
    for (const Layout& layout : kLayouts) {
        EXPECT_EQ(layout.plain.size(), kPlaces.size()) << layout.name;
        EXPECT_EQ(layout.shifted.size(), kPlaces.size()) << layout.name;
    }
}

TEST(KeyLayout, EveryShortcutOfTheSheetIsOnEveryKeyboard) {
    for (const Layout& layout : kLayouts)
        for (const UserCommand& command : commands_of_user()) {
            bool any = command.chords.empty();
            for (const Chord& chord : command.chords) {
                const bool written = chord.key <= Key::Digit9 || (chord.key >= Key::Period && chord.key <= Key::RightBracket);
                any |= !written || !fingers_for(layout, chord).empty();
            }
            EXPECT_TRUE(any) << layout.name << " has no way to " << command.id;
        }
}

TEST(KeyLayout, ALetterIsTheKeyWithThatLabel) {
    for (const Layout& layout : kLayouts)
        for (int i = 0; i < 26; ++i) {
            const Key letter = static_cast<Key>(i);
            const std::u32string row(layout.plain);
            const std::size_t said = layout.latin ? row.find(static_cast<char32_t>(U'a' + i)) : kPlaces.find(static_cast<char>('A' + i));
            for (std::size_t at = 0; at < kPlaces.size(); ++at)
                for (const bool shift : {false, true})
                    EXPECT_EQ(pressed_key(layout, {at, shift}) == letter, at == said)
                        << layout.name << " " << static_cast<char>('A' + i) << " at " << kPlaces[at];
        }
}

/// Mistakes that were seen: AZERTY's A was Q, which quits; QWERTZ's Z and Y were exchanged, its plus, minus and ? did
/// nothing.
TEST(KeyLayout, FormerMistakes) {
    const auto at = [](char place) { return kPlaces.find(place); };
    const Layout &fr = kLayouts[1], &de = kLayouts[2], &ru = kLayouts[3];
    EXPECT_EQ(pressed_key(fr, {at('Q'), false}), Key::A);
    EXPECT_EQ(pressed_key(fr, {at(';'), false}), Key::M);
    EXPECT_EQ(pressed_key(fr, {at('M'), false}), Key::Comma);
    EXPECT_EQ(pressed_key(fr, {at('M'), true}), Key::Question);
    EXPECT_EQ(pressed_key(fr, {at('1'), false}), Key::Digit1);
    EXPECT_EQ(pressed_key(fr, {at('1'), true}), Key::Digit1);
    EXPECT_EQ(pressed_key(fr, {at('6'), false}), Key::Minus);
    EXPECT_EQ(pressed_key(de, {at('Y'), false}), Key::Z);
    EXPECT_EQ(pressed_key(de, {at('Z'), false}), Key::Y);
    EXPECT_EQ(pressed_key(de, {at(']'), false}), Key::Plus);
    EXPECT_EQ(pressed_key(de, {at('/'), false}), Key::Minus);
    EXPECT_EQ(pressed_key(de, {at('-'), true}), Key::Question);
    EXPECT_EQ(pressed_key(de, {at('-'), false}), std::nullopt);
    EXPECT_EQ(pressed_key(de, {at('['), false}), std::nullopt);
    EXPECT_EQ(pressed_key(ru, {at('Z'), false}), Key::Z);
    EXPECT_EQ(pressed_key(ru, {at('7'), true}), Key::Question);
    EXPECT_EQ(pressed_key(ru, {at('/'), true}), Key::Comma);
}

/// With some input methods the character of a key arrives later: then the label of the key is used.
TEST(KeyLayout, WithoutLabelsAUsKeyboardWorks) {
    const Layout& us = kLayouts[0];
    EXPECT_EQ(pressed_key(us, {kPlaces.find('/'), true}, false), Key::Question);
    EXPECT_EQ(pressed_key(us, {kPlaces.find('/'), false}, false), std::nullopt);
    EXPECT_EQ(pressed_key(us, {kPlaces.find('='), true}, false), Key::Plus);
    EXPECT_EQ(pressed_key(us, {kPlaces.find('-'), true}, false), Key::Minus);
    EXPECT_EQ(pressed_key(us, {kPlaces.find('1'), true}, false), Key::Digit1);
}

TEST(KeyLayout, ArrowsAndTheKeypadGoByPosition) {
    for (const int place : {GLFW_KEY_LEFT, GLFW_KEY_ENTER, GLFW_KEY_F1, GLFW_KEY_KP_ADD, GLFW_KEY_LEFT_CONTROL, GLFW_KEY_SPACE})
        EXPECT_FALSE(gui::writes_signs(place)) << place;
    for (const char place : kPlaces) EXPECT_TRUE(gui::writes_signs(place)) << place;
    EXPECT_TRUE(gui::writes_signs(GLFW_KEY_WORLD_1));  // beside the left Shift
}

}  // namespace
}  // namespace app
