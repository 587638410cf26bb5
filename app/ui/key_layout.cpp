#include "app/ui/key_layout.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace app::gui {
namespace {

Key counted_from(Key first, char32_t steps) { return static_cast<Key>(static_cast<char32_t>(first) + steps); }

std::optional<Key> letter_of(char32_t c) {
    if (c >= U'a' && c <= U'z') return counted_from(Key::A, c - U'a');
    if (c >= U'A' && c <= U'Z') return counted_from(Key::A, c - U'A');
    return std::nullopt;
}

std::optional<Key> sign_of(char32_t c) {
    if (c >= U'0' && c <= U'9') return counted_from(Key::Digit0, c - U'0');
    switch (c) {
        case U'+':
            return Key::Plus;
        case U'-':
            return Key::Minus;
        case U',':
            return Key::Comma;
        case U'.':
            return Key::Period;
        case U'?':
        case U'\u061F':  // Arabic
            return Key::Question;
        case U'[':
            return Key::LeftBracket;
        case U']':
            return Key::RightBracket;
        default:
            return std::nullopt;
    }
}

/// The US keyboard's sign at a place; for signs other than letters and digits.
std::optional<Key> sign_at(int place) {
    if (place == GLFW_KEY_EQUAL) return Key::Plus;
    return place == GLFW_KEY_MINUS || place == GLFW_KEY_COMMA || place == GLFW_KEY_PERIOD ||
                   place == GLFW_KEY_LEFT_BRACKET || place == GLFW_KEY_RIGHT_BRACKET
               ? sign_of(static_cast<char32_t>(place))
               : std::nullopt;
}

}  // namespace

bool writes_signs(int place) { return place > GLFW_KEY_SPACE && place <= GLFW_KEY_WORLD_2; }

std::optional<Key> key_of(const KeyCap& cap) {
    if (const auto letter = letter_of(cap.plain)) return letter;
    if (!cap.latin && cap.place >= GLFW_KEY_A && cap.place <= GLFW_KEY_Z)
        return counted_from(Key::A, static_cast<char32_t>(cap.place - GLFW_KEY_A));
    if (const auto sign = sign_of(cap.typed)) return sign;
    // An input method may deliver what was written too late, or not at all.
    if (cap.plain == U'/' && cap.shift && cap.typed == 0) return Key::Question;
    if (cap.plain == U'=') return Key::Plus;  // shares its key with the plus
    if (const auto sign = sign_of(cap.plain)) return sign;
    if (cap.place >= GLFW_KEY_0 && cap.place <= GLFW_KEY_9)
        return counted_from(Key::Digit0, static_cast<char32_t>(cap.place - GLFW_KEY_0));
    return cap.latin ? std::nullopt : sign_at(cap.place);
}

}  // namespace app::gui
