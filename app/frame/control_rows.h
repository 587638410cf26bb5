#pragma once
// Controls in rows above a picture, and small type around it.

#include <string_view>

#include "app/frame/view.h"

namespace app {

/// Places controls one after the other, in as many rows as they need.
class ControlRows {
public:
    ControlRows(const Frame& frame, Rect area, float height, float gap) : f_(frame), area_(area), h_(height), gap_(gap) {}
    /// The rectangle for the next control; never wider than the area.
    Rect next(float width);
    float bottom() const { return y_ < 0 ? area_.y : y_ + h_; }

private:
    const Frame& f_;
    Rect area_;
    float h_, gap_;
    float x_ = 0, y_ = -1;
};

/// A word that can be switched on and off. Returns whether it was pressed.
bool word_switch(const Frame& frame, std::string_view id, Rect rect, std::string_view label, bool on);
float word_switch_width(const Frame& frame, std::string_view label);

/// Small type at the bottom of an area, wrapped; returns the area left above it.
Rect caption_below(const Frame& frame, Rect area, std::string_view text);
/// A sentence in the middle of an area that is otherwise empty.
void say_in_middle(const Frame& frame, Rect area, std::string_view words);

}  // namespace app
