#pragma once
// The opening: the question about the text, its answer, and the way into the computation. It is drawn in
// app/screens/opening/.

#include <string>

#include "app/frame/view.h"

namespace app {

/// Whether the question or its answer replaces the stage and its surroundings.
bool shows_question(const AppState& state);
/// Whether any of the opening is drawn; also during the transition into the matrix.
bool shows_opening(const AppState& state);

/// All text that the opening shows in large type.
std::string words_of_opening(const Derived& derived, Language language);

/// Shows the question about the text, as at the first start, or goes on to the stage if it is shown. In a chapter,
/// switches between question and answer instead.
void toggle_question(const Frame& frame);
bool can_ask(const Frame& frame);

/// The walking keys in the opening: forwards to the answer, to its end and into the matrix; back to the question.
void go_on_in_opening(const Frame& frame);
void go_back_in_opening(const Frame& frame);

}  // namespace app
