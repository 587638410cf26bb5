#pragma once
// What the compat files share among themselves.

#include <array>
#include <functional>
#include <map>
#include <string>

#include "app/ui/compat.h"
#include "app/ui/field_text.h"

namespace app::gui {

/// GLFW's number of a key: where ImGui is told that it is down, whatever place it has on the keyboard.
int code_of(Key key);
/// Tells ImGui that the key of that number went down or up.
void feed_key(int code, bool down);
/// Tells ImGui that a character was typed: the one way to a text field, from the keyboard and from a test.
void type_sign(char32_t sign);

/// Characters that ImGui would refuse or change on their way from the keyboard to a field: beyond 16 bits, private-use
/// ones, and the sign that stands for a line feed. They travel as surrogates, which no text has, and are told apart again
/// in the field.
class TypedSigns {
public:
    /// What ImGui gets in place of it; 0, which it passes over, for the 2,049th that no frame has seen yet.
    char32_t ticket_of(char32_t sign) {
        if (waiting_ == kTickets) return 0;
        ++waiting_;
        next_ = (next_ + 1) % kTickets;
        signs_[next_] = sign;
        return kFirst + next_;
    }
    /// A frame has seen all of them.
    void seen() { waiting_ = 0; }
    bool is_ticket(char32_t sign) const { return sign >= kFirst && sign < kFirst + kTickets; }
    char32_t sign_of(char32_t ticket) const { return signs_[ticket - kFirst]; }

private:
    static constexpr std::uint32_t kFirst = 0xD800, kTickets = 0x800;
    std::array<char32_t, kTickets> signs_{};
    std::uint32_t next_ = 0, waiting_ = 0;
};

/// What a field has given its text's characters for, as long as ImGui may hand any of them back: also from what it keeps
/// to be undone.
struct KeptField {
    FieldText signs;
    int quiet = 0;  ///< frames in which it has not had the keyboard
};

/// What is kept beside ImGui's own context.
struct Kept {
    TypedSigns typed;
    std::map<std::uint32_t, KeptField> fields;  ///< by id: that which has the keyboard, and those that just had it
    std::function<void(const std::string&)> copy = {};  ///< in place of the window's clipboard
    std::function<std::string()> paste = {};
};
Kept& kept();

}  // namespace app::gui
