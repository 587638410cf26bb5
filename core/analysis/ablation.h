#pragma once
// What is left of a computation without one of its heads.

#include <vector>

#include "core/document/intervene.h"

namespace attn {

/// The heads' outputs that a run recorded, in the order of the computation.
std::vector<StepId> head_outputs(const Trace& trace);
/// The document whose run is that of `document` with the output of one of its heads replaced, an intervention more.
Document without_head(Document document, const Run& run, StepId head_output, PutBy by);

}  // namespace attn
