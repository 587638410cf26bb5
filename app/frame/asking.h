#pragma once
// The question of the text on the stage, before the walk and after it.

#include "app/frame/view.h"

namespace app {

/// Whether the question, or its answer, stands in place of the stage and of what is around it.
bool shows_question(const AppState& state);

void draw_question(const Frame& frame);

/// The question of the text, as at the first start; away where it is on the stage.
void toggle_question(const Frame& frame);
bool can_ask(const Frame& frame);

}  // namespace app
