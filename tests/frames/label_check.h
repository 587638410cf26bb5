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

struct LabelRules {
    float slack = 1.5f;  ///< pixels that rectangles may share or be cut by: rounding
    float air = 0.12f;   ///< the part of a label's height that no letter fills, above and below together
    /// Numbers are let alone: in the middle of a motion they fly over each other and one matrix fades into the next.
    bool numbers_move = false;
};

/// Slanted labels are recorded level, as they were before they were turned: here they are turned the same way, and
/// compared as the rectangles that they are. Labels that say the same at the same place (one matrix fading into
/// another) count as one.
std::vector<LabelFault> label_faults(const std::vector<app::LabelRect>& labels, app::Size window,
                                     const LabelRules& rules = {});

}  // namespace frames
