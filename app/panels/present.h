#pragma once
// Presenting: what a clicker does (its keys are in the table of commands), and what is drawn over the picture.

#include "app/frame/view.h"

namespace app {

/// Begins or ends presenting.
void toggle_presenting(const Frame& frame);
/// The next motion, the previous step, the end. If the screen is dark, they only light it.
void next_presented(const Frame& frame);
void back_presented(const Frame& frame);
void leave_presenting(const Frame& frame);
/// Erases what the pen drew.
void wipe_pen(const Frame& frame);

}  // namespace app
