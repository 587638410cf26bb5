#pragma once
// The hue of a role and the range of colours of a step's cells: the same in every picture.

#include "app/draw/scene.h"
#include "app/timeline/step_ranges.h"
#include "core/trace/trace.h"

namespace app {

/// The hue that a role has everywhere.
Hue hue_of(attn::Role role);

/// The colours of a step's cells. `shared`: all scores of the run span one range, all vectors another.
/// `afar`: of a small picture (is_gone_through). `whole`: they span all numbers, not nearly all.
ColorScale color_scale(const attn::Trace& trace, const StepRanges& ranges, attn::StepId step, bool shared, bool afar = false, bool whole = false);

}  // namespace app
