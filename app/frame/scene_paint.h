#pragma once
// Draws a scene: plain sprites to ink.

#include "app/frame/view.h"
#include "app/layout/stage.h"

namespace app {

void paint_scene(const Frame& frame, const Scene& scene);

/// What the layouts of the stage and of the flow are given: lengths of the theme, the run, the pose, the focus.
StageStyle stage_style(const Frame& frame);
StageInput stage_input(const Frame& frame, Rect area);

}  // namespace app
