#pragma once
// A run of a document with what every picture of it needs.

#include <memory>
#include <stop_token>
#include <vector>

#include "app/timeline/step_ranges.h"
#include "core/document/document.h"

namespace app {

/// A finished computation, shared between the thread that made it and the frames that draw it. Never changed.
struct Computed {
    attn::Run run;
    StepRanges ranges;  ///< one a step
};
/// Null where a stop was asked for.
std::shared_ptr<const Computed> compute_all(attn::Run run, const std::stop_token& stop = {});

}  // namespace app
