#pragma once
// The path from the whole model to what is seen: model › block 2 › attention › head 3 › weights › cell. Each part of it
// is a level that one click goes to.

#include "app/frame/view.h"

namespace app {

void draw_breadcrumb(const Frame& frame, Rect line);

}  // namespace app
