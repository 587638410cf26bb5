#pragma once

#include "app/frame/view.h"

namespace app {

/// Turns what was pressed into actions; single keys keep still while a text field or a control has the keyboard.
void handle_keys(const Frame& frame);

}  // namespace app
