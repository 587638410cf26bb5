#pragma once
// Messages that interrupt nobody; when presenting, they disappear by themselves.

#include <optional>

#include "app/frame/view.h"

namespace app {

/// Seconds that a message is shown when presenting: long enough to read it twice.
inline constexpr double kPresentedNote = 6;
/// Design pixels for the walk's progress at the bottom when presenting.
inline constexpr float kPresentedProgress = 16;
/// The screen's area without the lasting messages about the document below it. Messages that disappear cover the area's
/// bottom.
Rect above_notes(const Frame& frame, Rect body);
/// When presenting, a message is shown at the bottom in place of the caption.
bool shows_presented_note(const Frame& frame);
/// Seconds after the last frame in which a message disappears when presenting; none: none does.
std::optional<double> presented_note_due(const Scratch& scratch);

}  // namespace app
