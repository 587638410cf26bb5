#pragma once
// Steps, rows and columns as they are named on a command line.

#include <string>
#include <string_view>

#include "core/result.h"
#include "core/trace.h"

namespace app {

/// "weights.h2", "weights" (the first head's) or the step's number. The error lists what there is.
attn::Result<attn::StepId> step_named(const attn::Trace& trace, std::string_view name);

/// A row (or column) from 1, or its label where only one has it.
attn::Result<int> row_named(const attn::Trace& trace, const attn::Step& step, std::string_view name);
attn::Result<int> column_named(const attn::Trace& trace, const attn::Step& step, std::string_view name);

}  // namespace app
