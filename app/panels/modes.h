#pragma once
// The three ways to use the program: to reading a chapter beside the picture, to present before a room, to inspect with
// every panel and no text.

#include "app/frame/view.h"

namespace app {

enum class Mode : std::uint8_t { Study, Present, Inspect };
inline constexpr int kModeCount = 3;

Mode mode_of(const ViewState& view);
/// Studying goes on at the page that was left, or begins with the first chapter that is offered.
void enter_mode(const Frame& frame, Mode mode);

/// The switch in the bar on top, and its width.
float use_width(const Frame& frame);
void use_switch(const Frame& frame, Rect rect);

}  // namespace app
