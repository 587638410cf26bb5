#pragma once
// Interventions as chips that can be taken back, and the head that a key or a button switches off.

#include "app/frame/view.h"

namespace app {

/// One chip for each intervention, in as many rows as they need; a click takes the intervention back. Returns where the chips end:
/// `area.y` if there are none.
float draw_interventions(const Frame& frame, Rect area);
float interventions_height(const Frame& frame, float width);

/// The head that the screen shows, where it can be switched off.
std::optional<HeadPlace> head_to_switch(const Frame& frame);
bool is_off(const Frame& frame, const HeadPlace& head);
/// Off, or on again; it is then the chosen one.
void switch_head(const Frame& frame, const HeadPlace& head);
/// Every screen shows this head: the walk stands at its weights, unless it stands at a step of this head already.
void choose_head(const Frame& frame, const HeadPlace& head);

}  // namespace app
