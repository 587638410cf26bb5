#pragma once
// What must be said without stopping anybody; before a room it goes by itself.

#include <optional>

#include "app/frame/view.h"

namespace app {

/// Seconds that a note stands before a room: long enough to be read twice.
inline constexpr double kRoomNote = 6;
/// Design pixels at the very foot of a room for how far the walk is.
inline constexpr float kRoomProgress = 16;
/// A screen's place without what stands below it: what is told of the document, and stays. What goes soon covers its foot.
Rect above_notes(const Frame& frame, Rect body);
/// A note stands at the foot, where else the moment's sentence does.
bool says_note_before_room(const Frame& frame);
/// Seconds after the frame that was drawn last in which a note before a room goes; none: none does.
std::optional<double> room_note_due(const Scratch& scratch);

}  // namespace app
