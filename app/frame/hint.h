#pragma once
// Hints: what a control does, in one sentence next to it, once the pointer has rested on it for half a second.

#include <optional>
#include <string>

#include "app/frame/view.h"

namespace app {

/// Whether the pointer is on it and idle: no button is held, no list is open, nothing lies over the window.
bool rests_on(const Frame& frame, Rect rect);
/// Shows the sentence when it is due, by default on the side that suits the place of `rect` in the window. Call it in
/// each frame that draws the control; `id` identifies it.
void hint(const Frame& frame, std::string_view id, Rect rect, std::string_view sentence, std::optional<TipSide> side = std::nullopt);
/// For a control that runs a command: shows what the command does, and its key.
void hint_of_command(const Frame& frame, std::string_view command, Rect rect);

/// For the control under the pointer, if nothing more specific has been shown: the command that it runs, or its `tip_…`
/// in strings.inc. Call it once, after all views.
void hint_of_pointed(const Frame& frame);
/// What a control does, by its id ("head_2", "section_3", "window+": controls of a kind share a text); empty if nothing
/// is known.
std::string tip_of_control(const Frame& frame, std::string_view id);

/// Call these before and after all views of a frame; `seconds` since the last one.
void begin_hints(Scratch& scratch);
void draw_hint(const Frame& frame, double seconds);
/// Whether a hint will appear by the passing of time alone.
bool hint_is_due(const Scratch& scratch);

}  // namespace app
