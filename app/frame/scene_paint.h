#pragma once
// Draws a scene with the painter.

#include "app/frame/view.h"
#include "app/layout/stage.h"

namespace app {

void paint_scene(const Frame& frame, const Scene& scene);

/// The input of the layouts of the stage and the flow: lengths from the theme, the run, the pose, the focus.
StageStyle stage_style(const Frame& frame);
StageInput stage_input(const Frame& frame, Rect area);

}  // namespace app
