#pragma once
// The stage for a matrix that is too large for its numbers: a map that can be zoomed and panned.

#include "app/frame/view.h"

namespace app {

/// Whether the step at the playhead is shown as a map: if it is too large to be laid out with its operands, or if the
/// user has zoomed in.
bool stage_shows_map(const Frame& frame);
/// Draws it. The scene in the scratch then has the positions of its cells.
void draw_stage_map(const Frame& frame);
/// The wheel over the usual stage zooms into the step's matrix; the cell under the pointer stays there.
void enter_stage_map(const Frame& frame);

}  // namespace app
