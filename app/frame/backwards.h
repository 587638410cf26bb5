#pragma once
// The reverse pass in the window: asking for it, leaving it, and whose it is.

#include <string>

#include "app/frame/view.h"

namespace app {

/// A number that may be asked for is pinned or explained, or the reverse pass is there and may be left.
bool can_turn_back(const Frame& f);
/// From the pinned number, else the one that is explained; where nothing else is pinned it is left again.
void turn_back(const Frame& f);
/// The same from the loss, where the document has one.
bool can_turn_back_from_loss(const Frame& f);
void turn_back_from_loss(const Frame& f);
bool is_turned_back(const Frame& f);
void leave_reverse(const Frame& f);
/// "backwards from output [cat, 3]", "backwards from the loss".
std::string whose_gradient(const Frame& f);

/// Of a section of the list of steps: in the reverse pass it is the gradient of one role's value.
std::string symbol_of_section(const Frame& f, const Section& section);
std::string title_of_section(const Frame& f, const Section& section);
Hue hue_of_stop(const Stop& stop);

}  // namespace app
