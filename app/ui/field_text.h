#pragma once
// Converts between a text and the ImGui text field that edits it. The field holds one line of 16-bit characters, ends
// at a zero byte, and returns all that it holds, so a character that it cannot hold would come back as another and the
// text would be damaged. Therefore the field never gets the text itself: a character that it cannot hold, or that would
// break the line, is replaced by a stand-in and restored when the text is read back. What is not edited does not
// change.
//
// Stand-ins are private-use characters, because any others could collide with typed text. Private-use characters of the
// text itself are shown as they are while they are free, and get another stand-in otherwise. A line feed is shown as ↵,
// unless the text contains that sign.

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace app::gui {

class FieldText {
public:
    /// `highest`: the largest code point that the field can hold.
    explicit FieldText(char32_t highest) : highest_(highest) {}

    /// The text as the field gets it; none if the stand-ins run out, which up to 4,000 different characters that need
    /// one never cause.
    std::optional<std::string> shown(std::string_view text);
    /// The text that a field's contents mean.
    std::string text_of(std::string_view shown) const;

    /// The stand-in of a character of the text, from now on; none: there is none left. Bytes that are not UTF-8 are
    /// numbered from kFirstByte on.
    std::optional<char32_t> stand_in(char32_t sign);
    /// The character of the text that a character of the field means.
    char32_t meant(char32_t shown) const;

    /// Every character so far stands for itself.
    bool plain() const { return meant_.empty(); }

    /// The private-use characters of the field, with the character that each stands for.
    std::map<char32_t, char32_t> stand_ins() const;

    static constexpr char32_t kFirstByte = 0x110000;

private:
    bool holds(char32_t sign) const;
    void keep(char32_t sign, char32_t stand_in);

    char32_t highest_;
    std::map<char32_t, char32_t> stand_ins_, meant_;
};

/// Clipboard text for a one-line field: line breaks and tabs become spaces, other control characters are removed.
std::string on_one_line(std::string_view text);

}  // namespace app::gui
