#pragma once
// The path from the whole model to what is shown: model › block 2 › attention › head 3 › weights › cell. A click on a
// part goes to that level.

#include "app/frame/view.h"

namespace app {

void draw_breadcrumb(const Frame& frame, Rect line);

}  // namespace app
