#pragma once
// What a thing does, in one sentence beside it, once the pointer has rested on it for half a second.

#include <string>

#include "app/frame/view.h"

namespace app {

/// The pointer is on it and does nothing: no button is held, no list is open, nothing lies over the window.
bool rests_on(const Frame& frame, Rect rect);
/// Says the sentence when it is time. Call it in each frame that draws the thing; `id` tells things apart.
void hint(const Frame& frame, std::string_view id, Rect rect, std::string_view sentence);
/// Of a thing that runs a command: what the command does, and its key.
void hint_of_command(const Frame& frame, std::string_view command, Rect rect);

/// Of whatever control is under the pointer, where nothing better has been said: the command that it runs, or its
/// `tip_…` in strings.inc. Call it once, after all views.
void hint_of_pointed(const Frame& frame);
/// What a control does, by its id ("head_2", "section_3", "window+": all of a kind say the same); empty: nothing is known.
std::string tip_of_control(const Frame& frame, std::string_view id);

/// Around all views of a frame: `seconds` since the last one.
void begin_hints(Scratch& scratch);
void draw_hint(const Frame& frame, double seconds);
/// A sentence is due that time alone will bring.
bool hint_is_due(const Scratch& scratch);

}  // namespace app
