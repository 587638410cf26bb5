#pragma once
// Whether the text of a frame is legible: no label over another, none cut off.

#include <string>
#include <vector>

#include "app/ui/paint.h"

namespace frames {

/// Two overlapping labels, or one (`second` is empty) that its clip or the window cuts off.
struct LabelFault {
    std::string first, second;
    app::Rect first_rect, second_rect;
    std::string text() const;
};

struct LabelRules {
    float slack = 1.5f;  ///< pixels by which rectangles may overlap or be cut: rounding
    float air = 0.12f;   ///< the part of a label's height that no letter fills, above and below together
    /// Numbers are ignored: during a motion they pass over each other, and one matrix fades into the next.
    bool numbers_move = false;
};

/// Slanted labels are recorded before their rotation: here they are rotated in the same way and compared as rectangles.
/// Labels with the same text at the same place (one matrix fading into another) count as one.
std::vector<LabelFault> label_faults(const std::vector<app::LabelRect>& labels, app::Size window,
                                     const LabelRules& rules = {});

}  // namespace frames
