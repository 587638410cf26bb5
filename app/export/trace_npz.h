#pragma once
// A trace as NumPy's NPZ.

#include <string>

#include "app/export/trace_format.h"

namespace app {

/// One float32 array per step, named after the step ("weights.h2"), and "trace.json": everything but the numbers.
attn::Result<std::string> trace_npz(const TraceSource& source);

}  // namespace app
