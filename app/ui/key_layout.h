#pragma once
// Maps keys of the keyboard to keys of shortcuts. GLFW numbers keys by their place on a US keyboard; people press what
// is printed on theirs. Every key of the window passes through `key_of`, so that the program's shortcuts and those of
// ImGui's text field agree on what was pressed.

#include <optional>

#include "app/ui/compat.h"

namespace app::gui {

/// A key that went down, with its meaning in the layout in use.
struct KeyCap {
    int place = 0;       ///< GLFW's number of the key
    char32_t plain = 0;  ///< the character that it produces alone; 0: none
    char32_t typed = 0;  ///< the character that it produced this time, with Shift and AltGr; 0: none, or unknown
    bool shift = false;
    bool latin = true;  ///< the layout has Latin letters on some keys
};

/// Whether the layout decides what a key produces: true for letters, digits and signs, false for arrows and the keypad.
bool writes_signs(int place);

/// The shortcut's key for a key that writes signs; none: no shortcut uses it. A letter is matched by the key's label,
/// and by its place only if the layout has no Latin letters (Russian, Greek). A sign is matched by what was written,
/// however many keys that took. A digit is also matched by its place in the digit row: French layouts write digits only
/// with Shift.
std::optional<Key> key_of(const KeyCap& cap);

}  // namespace app::gui
