#pragma once
// Decides which keys an input method has taken. On X, GLFW passes every key on, also those that go into a composition:
// a Backspace that removes a letter from "nih" would also delete from the text. GLFW does not say which keys these are;
// they are recognized by letters that produce no character until the composition is finished.

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <utility>

namespace app::gui {

/// For a text field; nothing is composed elsewhere. A composition is assumed to begin with Latin letters, which is
/// right for pinyin. With methods that compose several letters into one sign, or produce one while the next begins, a
/// key may still reach the text.
class Composing {
public:
    /// `Sign`: a character other than a Latin letter; it may be a dead accent.
    enum class Writes : unsigned char { Nothing, Letter, Sign };

    /// Whether a key that went down or repeats, without Ctrl, Alt or Super, belongs to the input method.
    bool takes(int place, Writes writes) {
        if (writes == Writes::Sign) accent_ = letters_ == 0;
        if (writes == Writes::Letter && !std::exchange(accent_, false)) letters_ += 1;
        if (letters_ == 0 || writes != Writes::Nothing || !edits(place)) return false;
        if (place == GLFW_KEY_BACKSPACE) letters_ -= 1;
        if (place == GLFW_KEY_ESCAPE || place == GLFW_KEY_ENTER || place == GLFW_KEY_KP_ENTER) end();
        return true;
    }
    /// A character has arrived, composed or typed; or the caret was moved, a chord was pressed or the window lost the
    /// keyboard, at which input methods drop or deliver what they have.
    void end() { *this = {}; }

private:
    static bool edits(int place) {
        return place == GLFW_KEY_SPACE || place == GLFW_KEY_KP_ENTER || (place >= GLFW_KEY_ESCAPE && place <= GLFW_KEY_END);
    }

    int letters_ = 0;      ///< Latin letters that have produced no character
    /// A sign has produced no character; a letter after it that produces none either is not composed.
    bool accent_ = false;
};

}  // namespace app::gui
