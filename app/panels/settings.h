#pragma once
// The switches of the document, below the list of steps.

#include "app/frame/view.h"

namespace app {

/// What the settings need. Folded: of the groups of several settings one stands open, and the others say in a line what
/// they are set to.
float settings_height(const Frame& frame, float width, bool folded);
void draw_settings(const Frame& frame, Rect area, bool folded);

}  // namespace app
