#pragma once
// The opening: the question of the text, its answer, and the way into the computation. What is drawn of it is in
// app/screens/opening/.

#include <string>

#include "app/frame/view.h"

namespace app {

/// Whether the question, or its answer, stands in place of the stage and of what is around it.
bool shows_question(const AppState& state);
/// Whether anything of the opening is drawn: also on the way into the matrix.
bool shows_opening(const AppState& state);

/// What is written large in it.
std::string words_of_opening(const Derived& derived, Language language);

/// The question of the text, as at the first start; away where it is on the stage.
void toggle_question(const Frame& frame);
bool can_ask(const Frame& frame);

/// What the keys that walk do in the opening: on to the answer, to its end, and into the matrix; back to the question.
void go_on_in_opening(const Frame& frame);
void go_back_in_opening(const Frame& frame);

}  // namespace app
