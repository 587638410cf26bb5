#pragma once

#include "app/views/view.h"

namespace app {

/// Turns what was pressed into actions; single keys keep still while a text field or a control has the keyboard.
void handle_keys(const Frame& frame);
/// The theme after this one, round.
std::string next_theme(std::string_view now);
/// Tokens become columns, or rows again.
void turn_convention(const Frame& frame);
/// New random numbers for whatever is random.
void new_seed(const Frame& frame);

}  // namespace app
