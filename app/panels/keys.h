#pragma once

#include "app/frame/view.h"

namespace app {

/// Turns key presses into actions; single keys are ignored while a text field or a control has the keyboard.
void handle_keys(const Frame& frame);

}  // namespace app
