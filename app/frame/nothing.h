#pragma once
// What is shown while there is nothing to draw yet.

#include <string>

#include "app/frame/view.h"

namespace app {

/// Asks for a sentence; with an image model, for a picture.
Str nothing_yet(const Frame& frame);
/// "Computing …", with the share that is done once some of it is.
std::string computing_words(const Frame& frame, float share);

}  // namespace app
