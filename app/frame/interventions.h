#pragma once
// Interventions as chips that can be taken back, and the head that a key or a button switches off.

#include "app/frame/view.h"

namespace app {

/// One chip for each intervention, in as many rows as they need; a click takes the intervention back. Returns where the chips end:
/// `area.y` if there are none.
float draw_interventions(const Frame& frame, Rect area);
float interventions_height(const Frame& frame, float width);

/// A head: the part and layer of its attention, and its number from 0.
struct HeadInSight {
    attn::Tag at;
    int head = 0;
};
/// The head that the screen shows. None: it shows none, or heads of this document cannot be switched off.
std::optional<HeadInSight> head_in_sight(const Frame& frame);
bool is_off(const Frame& frame, const HeadInSight& head);
void switch_head(const Frame& frame, const HeadInSight& head);

}  // namespace app
