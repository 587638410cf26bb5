#pragma once
// Whether what is written on a frame can be read: no label over another, none cut off.

#include <string>
#include <vector>

#include "app/ui/paint.h"

namespace frames {

/// Two labels on each other, or one (`second` empty) that its clip or the window cuts.
struct LabelFault {
    std::string first, second;
    app::Rect first_rect, second_rect;
    std::string text() const;
};

/// The ink of a label lies inside its rectangle; letters without descenders leave its lowest part free.
struct LabelRules {
    float slack = 1.5f;  ///< pixels that rectangles may share or be cut by: rounding, and air around letters
};

/// Slanted labels are recorded level, as they were before they were turned: here they are turned the same way, and
/// compared as the rectangles that they are. Labels that say the same at the same place (one matrix fading into
/// another) count as one.
std::vector<LabelFault> label_faults(const std::vector<app::LabelRect>& labels, app::Size window,
                                     const LabelRules& rules = {});

}  // namespace frames
