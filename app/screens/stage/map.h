#pragma once
// The stage for a matrix that is larger than its numbers: the whole of it, or as close as the hand comes.

#include "app/frame/view.h"

namespace app {

/// Whether the step at the playhead is shown so: where it is too large to be laid out with what it is made from, or
/// where the hand came closer.
bool stage_shows_map(const Frame& frame);
/// Shows it. What the scratch's scene holds afterwards says where its cells stand.
void draw_stage_map(const Frame& frame);
/// The wheel over the usual stage comes closer to the step's matrix: the cell under the pointer stays there.
void enter_stage_map(const Frame& frame);

}  // namespace app
