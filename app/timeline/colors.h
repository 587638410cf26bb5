#pragma once
// The hue of a role and the colour range of a step's cells: the same in every picture.

#include "app/draw/scene.h"
#include "app/timeline/step_ranges.h"
#include "core/trace/trace.h"

namespace app {

/// The hue of a role in every picture.
Hue hue_of(attn::Role role);

/// The colour scale of a step's cells. `shared`: all scores of the run share one range, and all vectors another.
/// `afar`: for a small picture (is_gone_through). `whole`: spans all numbers, not only nearly all.
ColorScale color_scale(const attn::Trace& trace, const StepRanges& ranges, attn::StepId step, bool shared, bool afar = false, bool whole = false);

}  // namespace app
