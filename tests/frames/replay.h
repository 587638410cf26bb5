#pragma once
// A record drawn again: what a golden looked like, and the proof that a record has all that is seen.

#include "app/gfx/image.h"
#include "app/shell/app.h"
#include "tests/frames/record.h"

namespace frames {

/// The frame that `record` is of, in `program`, which must be in the same theme. Maps are drawn from their cells, the
/// curves of ribbons anew from their ends.
app::gfx::Image replay(app::App& program, const Record& record, app::Size size);

/// Where on the frame a line of a record is, roughly; empty for lines that draw nothing.
app::Rect place_of(std::string_view line);

}  // namespace frames
