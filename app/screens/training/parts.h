#pragma once
// The parts of the screen of training, each in a rectangle of its own.

#include <string>

#include "app/frame/view.h"

namespace app {

/// Words of a task in the language shown.
inline std::string_view in_language(const Frame& f, attn::train::TaskText text) {
    return f.view().language == Language::Chinese ? text.chinese : text.english;
}
inline const std::string& in_language(const Frame& f, const attn::BothLanguages& text) {
    return f.view().language == Language::Chinese ? text.chinese : text.english;
}
/// "87 %", with a space that does not break.
std::string percent_text(double share);
/// "4 800".
std::string steps_text(std::int64_t steps);

/// A training is under way: it has steps to take, and takes them.
bool trains_now(const Frame& frame);

/// How what is trained beside it looks everywhere: its colour; its lines are dashes, its marks squares.
inline constexpr Hue kBesideHue = Hue::Warning;
/// A piece of the line of one of two trainings, with its mark, in the middle of `area`.
void draw_line_sample(const Frame& frame, Rect area, bool beside);
/// "as it is", or what the variation is called.
std::string_view name_of_run(const Frame& frame, bool beside);

/// Task, size, seed, speed; what is being done; what goes on from here.
void draw_train_controls(const Frame& frame, Rect area);
/// Loss and answers over the steps, and the snapshots below them, to be scrubbed.
void draw_train_curves(const Frame& frame, Rect area);
/// The attention of the snapshot under the playhead, and what was measured of it.
void draw_train_heads(const Frame& frame, Rect area);

}  // namespace app
