#pragma once
// The parts of the training screen, each in its own rectangle.

#include <string>

#include "app/frame/view.h"

namespace app {

/// A task's text in the current language.
inline std::string_view in_language(const Frame& f, attn::train::TaskText text) {
    return f.view().language == Language::Chinese ? text.chinese : text.english;
}
inline const std::string& in_language(const Frame& f, const attn::BothLanguages& text) {
    return f.view().language == Language::Chinese ? text.chinese : text.english;
}
/// "87 %", with a non-breaking space.
std::string percent_text(double share);
/// "4 800".
std::string steps_text(std::int64_t steps);

/// Whether a training is running and has steps left.
bool trains_now(const Frame& frame);

/// How the variation is drawn everywhere: in this colour, with dashed lines and square marks.
inline constexpr Hue kBesideHue = Hue::Warning;
/// A sample of the line of one of the two trainings, with its mark, centred in `area`.
void draw_line_sample(const Frame& frame, Rect area, bool beside);
/// "unchanged", or the name of the variation.
std::string_view name_of_run(const Frame& frame, bool beside);

/// Task, size, seed, speed; the state of the training; what can be done next.
void draw_train_controls(const Frame& frame, Rect area);
/// Loss and answers over the steps, and below them the snapshots, which can be scrubbed.
void draw_train_curves(const Frame& frame, Rect area);
/// The attention of the snapshot under the playhead, and its measurement.
void draw_train_heads(const Frame& frame, Rect area);

}  // namespace app
