#pragma once
// What is shown while there are no tokens.

#include "app/frame/view.h"

namespace app {

/// Asks for a sentence; with an image model, for a picture.
Str nothing_yet(const Frame& frame);

}  // namespace app
