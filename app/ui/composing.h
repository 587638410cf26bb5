#pragma once
// Which keys an input method has taken. On X, GLFW hands over every key, also those that go into what is being composed:
// a Backspace that takes a letter off "nih" would delete from the text as well. GLFW does not say which these are; they
// are told by their letters, which write nothing until a character is made of them.

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace app::gui {

/// For a text field; elsewhere nothing is composed.
class Composing {
public:
    /// A key that went down or repeats, without Ctrl, Alt or Super: is it the input method's? `writes`: the layout has a
    /// sign on it. Such a key is nobody's until its character comes, or does not.
    bool takes(int place, bool writes) {
        if (writes) return letters_ += 1, false;
        if (letters_ == 0) return false;
        if (place == GLFW_KEY_BACKSPACE) letters_ -= 1;
        if (place == GLFW_KEY_ESCAPE || place == GLFW_KEY_ENTER || place == GLFW_KEY_KP_ENTER) end();
        return true;
    }
    /// A character has arrived: what was composed, or the key's own. Or the caret was set elsewhere, or the window has lost
    /// the keyboard: input methods then drop or hand over what they have.
    void end() { letters_ = 0; }

private:
    int letters_ = 0;  ///< keys with signs that have written nothing
};

}  // namespace app::gui
