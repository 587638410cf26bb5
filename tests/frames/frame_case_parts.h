#pragma once
// What the tables of cases share. Internal to frame_case*.cpp.

#include "tests/frames/frame_case.h"
#include "tests/frames/frame_documents.h"

namespace frames {

using app::Language;
using app::Place;
using app::Sheet;
using app::ViewState;

inline constexpr app::Size kSmall{640, 480}, kProjector{1024, 768}, kLarge{1280, 800}, kMiddle{1024, 640},
    kWindow{1000, 540}, kRoom{960, 560};
inline constexpr Language kChinese = Language::Chinese, kEnglish = Language::English;
inline constexpr auto kNoPin = std::nullopt;
inline constexpr auto kNoAct = FrameCase::Act::Nothing;
using Pin = std::pair<int, int>;

constexpr FrameCase columns(FrameCase frame) {
    frame.convention = attn::Convention::Columns;
    return frame;
}

using Look = void (*)(ViewState& view);
constexpr FrameCase with(FrameCase frame, Look look) {
    frame.look = look;
    return frame;
}

/// The whole window, for panels that cover it.
constexpr FrameCase whole(std::string_view name, std::string_view theme, Language language) {
    return {name, causal, "weights", 1, Pin{3, 1}, theme, language, kWindow, Place::Overlay};
}

std::span<const FrameCase> stage_cases();   ///< operations in motion and at rest, large texts, cubes
std::span<const FrameCase> screen_cases();  ///< panels and the other screens
std::span<const FrameCase> sheet_cases();   ///< other runs, chapters, panels over the window
std::span<const FrameCase> column_cases();  ///< tokens as columns

}  // namespace frames
