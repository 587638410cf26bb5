#pragma once
// Which keys an input method has taken. On X, GLFW hands over every key, also those that go into what is being composed:
// a Backspace that takes a letter off "nih" would delete from the text as well. GLFW does not say which these are; they
// are told by their letters, which write nothing until a character is made of them.

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <utility>

namespace app::gui {

/// For a text field; elsewhere nothing is composed. What is composed begins with Latin letters: right for pinyin; of methods
/// that compose several letters to a sign, or write one while the next begins, a key may still reach the text.
class Composing {
public:
    /// `Sign`: a character that is no Latin letter, which may be a dead accent.
    enum class Writes : unsigned char { Nothing, Letter, Sign };

    /// A key that went down or repeats, without Ctrl, Alt or Super: is it the input method's?
    bool takes(int place, Writes writes) {
        if (writes == Writes::Sign) accent_ = letters_ == 0;
        if (writes == Writes::Letter && !std::exchange(accent_, false)) letters_ += 1;
        if (letters_ == 0 || writes != Writes::Nothing || !edits(place)) return false;
        if (place == GLFW_KEY_BACKSPACE) letters_ -= 1;
        if (place == GLFW_KEY_ESCAPE || place == GLFW_KEY_ENTER || place == GLFW_KEY_KP_ENTER) end();
        return true;
    }
    /// A character has arrived: what was composed, or the key's own. Or the caret was set elsewhere, a chord was pressed, or
    /// the window has lost the keyboard: input methods then drop or hand over what they have.
    void end() { *this = {}; }

private:
    static bool edits(int place) {
        return place == GLFW_KEY_SPACE || place == GLFW_KEY_KP_ENTER || (place >= GLFW_KEY_ESCAPE && place <= GLFW_KEY_END);
    }

    int letters_ = 0;      ///< Latin letters that have written nothing
    bool accent_ = false;  ///< a sign has written nothing: a letter behind it that writes nothing, either, is not composed
};

}  // namespace app::gui
