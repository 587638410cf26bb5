#pragma once
// What the compat files share among themselves.

#include "app/ui/compat.h"

namespace app::gui {

/// GLFW's number of a key: where ImGui is told that it is down, whatever place it has on the keyboard.
int code_of(Key key);
/// Tells ImGui that the key of that number went down or up.
void feed_key(int code, bool down);

}  // namespace app::gui
