#pragma once
// Shared by the compat files.

#include <array>
#include <functional>
#include <map>
#include <string>

#include "app/ui/compat.h"
#include "app/ui/field_text.h"

namespace app::gui {

/// GLFW's number of the key that is reported to ImGui, wherever the key is on the keyboard.
int code_of(Key key);
/// Tells ImGui that the key of that number went down or up.
void feed_key(int code, bool down);
/// Passes a typed character to ImGui: the only way into a text field, for the keyboard and for tests.
void type_sign(char32_t sign);

/// Characters that ImGui would refuse or change between the keyboard and a field: beyond 16 bits, in private use, or
/// the sign that stands for a line feed. They travel as surrogates, which no text contains, and are converted back in
/// the field.
class TypedSigns {
public:
    /// What ImGui gets instead; 0, which it ignores, if 2,048 others still wait for a frame.
    char32_t ticket_of(char32_t sign) {
        if (waiting_ == kTickets) return 0;
        ++waiting_;
        next_ = (next_ + 1) % kTickets;
        signs_[next_] = sign;
        return kFirst + next_;
    }
    /// A frame has received all of them.
    void seen() { waiting_ = 0; }
    bool is_ticket(char32_t sign) const { return sign >= kFirst && sign < kFirst + kTickets; }
    char32_t sign_of(char32_t ticket) const { return signs_[ticket - kFirst]; }

private:
    static constexpr std::uint32_t kFirst = 0xD800, kTickets = 0x800;
    std::array<char32_t, kTickets> signs_{};
    std::uint32_t next_ = 0, waiting_ = 0;
};

/// A field's stand-ins for its text's characters. They remain valid as long as ImGui may return any of them, also
/// from its undo buffer.
struct RecentField {
    FieldText signs;
    int quiet = 0;  ///< frames since it last had the keyboard
};

/// State in addition to ImGui's own context.
struct ContextState {
    TypedSigns typed;
    /// By id: the field that has the keyboard, and those that recently had it.
    std::map<std::uint32_t, RecentField> fields;
    std::function<void(const std::string&)> copy = {};  ///< replaces the window's clipboard
    std::function<std::string()> paste = {};
};
ContextState& context_state();

}  // namespace app::gui
