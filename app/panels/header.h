#pragma once
// Where things stand in the bar on top, for those who point at them.

#include "app/frame/view.h"

namespace app {

/// The text's field.
Rect header_text_rect(const Frame& frame);
/// The tabs of the screens, or the list that they fold into.
Rect header_tabs_rect(const Frame& frame);

}  // namespace app
