#pragma once
// Draws the sentence of a moment (app/explain/caption.h): the subtitle of the stage, the flow's headline, the text
// shown when presenting.

#include "app/frame/view.h"

namespace app {

/// Height of the subtitle at the foot of the stage, in design pixels.
inline constexpr float kSubtitle = 38;
/// Height of the path from the whole model to what is shown (breadcrumb.h), in design pixels.
inline constexpr float kPath = 30;

/// The part of the stage's place that is left for the picture, without the subtitle if there is one.
Rect stage_area(const Frame& frame, Rect place);

/// Centred in `rect`, in the largest type that fits, at most `largest` (Small, Body or Title): on one line, else on
/// two.
void draw_caption(const Frame& frame, Rect rect, const Caption& caption, Type largest);

}  // namespace app
