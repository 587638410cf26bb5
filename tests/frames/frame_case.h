#pragma once
// A moment of the program, as a row of a table: what is shown, the progress of its motion, its look and size.

#include <optional>
#include <ostream>
#include <span>
#include <string_view>
#include <utility>

#include "app/frame/view.h"
#include "app/screens/heads/look.h"
#include "app/state/state.h"

namespace frames {

struct FrameCase {
    std::string_view name;  ///< of the golden's file, too
    attn::Document (*document)();
    std::string_view step;                     ///< as in `trace --step`; empty: the document has none
    double progress = 1;                       ///< of the step's motion, 0…1
    std::optional<std::pair<int, int>> pin{};  ///< row and column of that step, from 0
    std::string_view theme = "light";
    app::Language language = app::Language::English;
    app::Size size{1280, 800};
    app::Place part = app::Place::Stage;  ///< the part of the frame that the golden contains
    std::string_view compared{};          ///< the kind of the comparison, on its screen; empty: the stage
    std::string_view shown = "weights";   ///< on the compare screen
    /// An action on the pinned cell, by its key.
    enum class Act : std::uint8_t { Nothing, Type, Change, Enter, Closer, Room, Cube, Fan } act = Act::Nothing;
    std::string_view heads{};                            ///< a page of the heads screen; empty: another screen
    void (*choose)(app::HeadsChoice& choice) = nullptr;  ///< on that page
    attn::Convention convention = attn::Convention::Rows;
    void (*look)(app::ViewState& view) = nullptr;  ///< other differences in the view
};

/// How the test framework names a case.
inline void PrintTo(const FrameCase& frame, std::ostream* out) { *out << frame.name; }

/// Every operation in motion and at rest; three themes, two languages; texts of no, one, few and many tokens, with
/// long words and with characters that no font here has.
std::span<const FrameCase> frame_cases();

/// The cases with a golden of what is drawn.
std::span<const FrameCase> golden_cases();

/// Whether the golden includes pixels.
bool keeps_picture(const FrameCase& frame);

/// The rectangle of a case's part in a frame of `size`, in whole pixels.
app::Rect part_rect(const FrameCase& frame);

}  // namespace frames
