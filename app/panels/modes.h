#pragma once
// The three ways to use the program: studying a chapter next to the picture, presenting with a projector, or inspecting
// with every panel and no chapter.

#include "app/state/course.h"
#include "app/frame/view.h"

namespace app {

enum class Mode : std::uint8_t { Study, Present, Inspect };

Mode mode_of(const ViewState& view);
/// Study continues at the page that was left, or begins with the first chapter.
void enter_mode(const Frame& frame, Mode mode);
/// The learner's last page, even if its chapter has been closed since; else the first page of the first chapter.
OpenPage page_to_learn(const AppState& state);

}  // namespace app
