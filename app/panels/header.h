#pragma once
// Positions in the top bar, for elements that point at them.

#include "app/frame/view.h"

namespace app {

/// The text field.
Rect header_text_rect(const Frame& frame);
/// The screens' tabs, or the list that replaces them.
Rect header_tabs_rect(const Frame& frame);

}  // namespace app
