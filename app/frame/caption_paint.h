#pragma once
// The sentence of a moment (app/explain/caption.h), drawn: the subtitle of the stage, the flow's headline, what a room reads.

#include "app/frame/view.h"

namespace app {

/// Design pixels at the foot of the stage that the subtitle has.
inline constexpr float kSubtitle = 38;
/// Design pixels for the path from the whole model to what is seen (breadcrumb.h).
inline constexpr float kPath = 30;

/// What the stage's place leaves for the picture: all but the subtitle, where one stands.
Rect stage_area(const Frame& frame, Rect place);

/// In the middle of a rectangle, as large as there is room, at most of `largest` (Small, Body or Title): on one line,
/// else on two.
void draw_caption(const Frame& frame, Rect rect, const Caption& caption, Type largest);

}  // namespace app
