#pragma once
// The switches of the document, below the list of steps.

#include "app/views/view.h"

namespace app {

/// What the settings need when each row is `row` pixels high.
float settings_height(const Frame& frame, float row);
/// Between these a row's height follows the room there is.
float lowest_setting(const Frame& frame);
float usual_setting(const Frame& frame);
void draw_settings(const Frame& frame, Rect area);

}  // namespace app
