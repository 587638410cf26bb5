#pragma once
// The document's settings, below the list of steps.

#include "app/frame/view.h"

namespace app {

/// The height of the settings. Folded: of the groups with several settings only one is open, and the others show their
/// values in a line.
float settings_height(const Frame& frame, float width, bool folded);
void draw_settings(const Frame& frame, Rect area, bool folded);

}  // namespace app
