#pragma once
// What is put in the place of what the model computes, as chips that take it back; and the head that can be switched off.

#include "app/frame/view.h"

namespace app {

/// A chip an intervention, in as many rows as they need; a click takes it back. Returns where they end: `area.y` where there are none.
float draw_interventions(const Frame& frame, Rect area);
float interventions_height(const Frame& frame, float width);

/// The head that is spoken of: its attention by part and layer, and its number. None: nothing here has heads that can be switched off.
struct HeadInSight {
    attn::Tag at;
    int head = 0;
};
std::optional<HeadInSight> head_in_sight(const Frame& frame);
bool is_off(const Frame& frame, const HeadInSight& head);
void switch_head(const Frame& frame, const HeadInSight& head);

}  // namespace app
