#pragma once
// Draws a record: to see what a golden looked like, and to prove that a record contains everything visible.

#include "app/gfx/image.h"
#include "app/shell/app.h"
#include "tests/frames/record.h"

namespace frames {

/// The frame of `record` in `program`, which must have the same theme. Maps are drawn from their cells, the curves of ribbons
/// from their ends.
app::gfx::Image replay(app::App& program, const Record& record, app::Size size);

/// The approximate place of a record's line on the frame; empty for lines that draw nothing.
app::Rect place_of(std::string_view line);

}  // namespace frames
