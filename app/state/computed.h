#pragma once
// A run of a document and the value ranges that its pictures need.

#include <memory>
#include <stop_token>
#include <vector>

#include "app/timeline/step_ranges.h"
#include "core/document/document.h"

namespace app {

/// A finished computation. Immutable: the thread that made it and the frames that draw it share it.
struct Computed {
    attn::Run run;
    StepRanges ranges;  ///< one per step
};
/// Null if a stop was requested.
std::shared_ptr<const Computed> compute_all(attn::Run run, const std::stop_token& stop = {});

}  // namespace app
