#pragma once
// Before a room: what a clicker does (its keys are in the table of commands), and what lies over the picture.

#include "app/frame/view.h"

namespace app {

/// Begins, or leaves.
void toggle_presenting(const Frame& frame);
/// The next motion, the step before, the end: a dark screen is lit first, and nothing else happens then.
void next_before_room(const Frame& frame);
void back_before_room(const Frame& frame);
void leave_room(const Frame& frame);
/// What the pen drew goes.
void wipe_pen(const Frame& frame);

}  // namespace app
