#pragma once
// Interventions as chips that can be removed, and the head that a key or a button switches off.

#include "app/frame/view.h"

namespace app {

/// One chip per intervention, in as many rows as needed; a click removes the intervention. Returns where the chips end:
/// `area.y` if there are none.
float draw_interventions(const Frame& frame, Rect area);
float interventions_height(const Frame& frame, float width);

/// The head that the screen shows, if it can be switched off.
std::optional<HeadPlace> head_to_switch(const Frame& frame);
bool is_off(const Frame& frame, const HeadPlace& head);
/// Switches it off, or on again, and chooses it.
void switch_head(const Frame& frame, const HeadPlace& head);
/// Makes every screen show this head: the walk moves to its weights, unless it is already at a step of this head.
void choose_head(const Frame& frame, const HeadPlace& head);

}  // namespace app
