#pragma once
// The three ways to use the program: to reading a chapter beside the picture, to present before a room, to inspect with
// every panel and no text.

#include "app/state/course.h"
#include "app/frame/view.h"

namespace app {

enum class Mode : std::uint8_t { Study, Present, Inspect };

Mode mode_of(const ViewState& view);
/// Studying goes on at the page that was left, or begins with the first chapter.
void enter_mode(const Frame& frame, Mode mode);
/// Where the learner was last, also when the chapter has been closed since; else the first page of the first chapter.
OpenPage page_to_learn(const AppState& state);

}  // namespace app
