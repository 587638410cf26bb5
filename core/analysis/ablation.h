#pragma once
// What is left of a computation without one of its heads.

#include <string_view>
#include <vector>

#include "core/document/document.h"

namespace attn {

/// What a head's output is replaced by, in each row: zeros, or the mean of its rows in this run, by which what all rows have in
/// common stays [Wang et al. 2022, "Interpretability in the Wild", 3.1, over one text].
enum class Ablation : std::uint8_t { Zero, Mean };

/// The heads' outputs that a run recorded, in the order of the computation.
std::vector<StepId> head_outputs(const Trace& trace);
/// The document whose run is that of `document` with the output of one of its heads replaced: its numbers are typed over, and
/// everything after it follows.
Document without_head(Document document, const Run& run, StepId head_output, Ablation by);

}  // namespace attn
