#pragma once
// Draws a scene: plain sprites to ink.

#include "app/views/view.h"

namespace app {

void paint_scene(const Frame& frame, const Scene& scene);

}  // namespace app
