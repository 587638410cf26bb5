#pragma once
// Before a room: the keys of a clicker, and what lies over the picture.

#include "app/views/view.h"

namespace app {

/// F5 and, while presenting, all keys. True: they are done with.
bool present_keys(const Frame& frame);
/// Begins, or leaves.
void toggle_presenting(const Frame& frame);

}  // namespace app
