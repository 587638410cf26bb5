#pragma once
// The switches of the document, below the list of steps.

#include "app/views/view.h"

namespace app {

float settings_height(const Frame& frame);
void draw_settings(const Frame& frame, Rect area);

}  // namespace app
