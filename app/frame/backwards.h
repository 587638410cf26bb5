#pragma once
// The reverse pass in the window: starting it, leaving it, and the number whose gradient it computes.

#include <string>

#include "app/frame/view.h"

namespace app {

/// Whether a reverse pass can be started from the pinned or explained number, or the present one can be left.
bool can_turn_back(const Frame& f);
/// Starts the reverse pass from the pinned number, else from the explained one; leaves it if it is on and no other
/// number is pinned.
void turn_back(const Frame& f);
/// The same, starting from the loss, if the document has one.
bool can_turn_back_from_loss(const Frame& f);
void turn_back_from_loss(const Frame& f);
bool is_turned_back(const Frame& f);
void leave_reverse(const Frame& f);
/// "backwards from output [cat, 3]", "backwards from the loss".
std::string whose_gradient(const Frame& f);

/// For a section of the list of steps; in the reverse pass, a section is the gradient of one role's value.
std::string symbol_of_section(const Frame& f, const Section& section);
std::string title_of_section(const Frame& f, const Section& section);
Hue hue_of_stop(const Stop& stop);

}  // namespace app
