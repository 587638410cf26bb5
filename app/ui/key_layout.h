#pragma once
// From a key of the keyboard to the key of a shortcut. GLFW numbers keys by their place on a US keyboard; people press
// what is printed on theirs. Every key of the window passes through `key_of`, so that the program's shortcuts and those
// of ImGui's text field agree on what was pressed.

#include <optional>

#include "app/ui/compat.h"

namespace app::gui {

/// A key that went down, with what the layout in use has on it.
struct KeyCap {
    int place = 0;       ///< GLFW's number of the key
    char32_t plain = 0;  ///< what it writes by itself; 0: nothing that is a character
    char32_t typed = 0;  ///< what it wrote this time, with Shift and AltGr; 0: nothing, or it is not known
    bool shift = false;
    bool latin = true;  ///< the layout has Latin letters on some keys
};

/// Whether a key's place says nothing of what it writes: letters, digits and signs, not arrows or the keypad.
bool writes_signs(int place);

/// The shortcut's key for a key that writes signs; nothing: no shortcut is on it. A letter is what the key says, and its
/// place only where the layout has no Latin letters (Russian, Greek). A sign is what was written, however many keys that
/// took. A digit is also its place in the row of digits: French layouts write it with Shift only.
std::optional<Key> key_of(const KeyCap& cap);

}  // namespace app::gui
