#pragma once
// Between a text and the text field that it is edited in. ImGui's field holds one line of characters of 16 bits, ends at
// a zero byte, and hands back all that it holds: a character that it cannot hold came back as another, and the text was
// lost. So a field never gets a text as it is. What it cannot hold, or would draw on a second line, has a stand-in while
// it is in the field, and is put back when the text is read out of it: nothing that is not edited changes.
//
// Stand-ins are private-use characters, because no others may be taken without colliding with what people write. Those of
// the text itself stand for themselves as long as they are free, and have stand-ins of their own where they are not. A
// line feed is shown as ↵, unless the text has that sign too.

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace app::gui {

class FieldText {
public:
    /// `highest`: the last code point that a character of the field can hold.
    explicit FieldText(char32_t highest) : highest_(highest) {}

    /// The text as the field gets it; nothing where there are not enough stand-ins, which 4,000 different characters that
    /// need one never use up.
    std::optional<std::string> shown(std::string_view text);
    /// The text that a field holds.
    std::string text_of(std::string_view shown) const;

    /// The character that stands for one of the text, now and from now on; nothing: there is none left. Bytes that are
    /// not UTF-8 are counted from kFirstByte on.
    std::optional<char32_t> stand_in(char32_t sign);
    /// The character of the text for one of the field.
    char32_t meant(char32_t shown) const;

    /// Every character so far stands for itself.
    bool plain() const { return meant_.empty(); }

    /// The private-use characters that the field holds, with what each stands for.
    std::map<char32_t, char32_t> stand_ins() const;

    static constexpr char32_t kFirstByte = 0x110000;

private:
    bool holds(char32_t sign) const;
    void keep(char32_t sign, char32_t stand_in);

    char32_t highest_;
    std::map<char32_t, char32_t> stand_ins_, meant_;
};

/// Text from the clipboard for a field of one line: a line break or a tab becomes a space, other control characters go.
std::string on_one_line(std::string_view text);

}  // namespace app::gui
