#pragma once
// What is said where there are no tokens yet.

#include "app/frame/view.h"

namespace app {

/// That a sentence is to be typed; with a model of pictures, that a picture is to be dropped.
Str nothing_yet(const Frame& frame);

}  // namespace app
