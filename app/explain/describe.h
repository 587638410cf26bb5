#pragma once
// A view in words, for whoever cannot see it: read aloud, copied, or printed by `attenscope describe`.

#include <optional>
#include <string>

#include "app/explain/inspection.h"
#include "core/document/document.h"
#include "core/trace/counting.h"

namespace app {

struct DescribeSource {
    const attn::Document& document;
    const attn::Trace& trace;
    const AxisLabels& labels;
    attn::StepId step = attn::kNoStep;  ///< that is shown
    int place = 0, places = 0;          ///< of the walk, from 1; 0: not told
    std::optional<attn::Cell> cell{};   ///< that is asked about
    attn::Convention convention = attn::Convention::Rows;
    Language language = Language::English;
    attn::CountFrom count = attn::CountFrom::One;  ///< layers and heads
    std::string caption{};                           ///< of the walk at the step, when it is there; empty: none
    std::optional<std::string> page = {};  ///< what a page of the experiments says, where that is shown instead of a step
};

/// Paragraphs parted by line feeds: the computation and its text; the choices; the step and what happens in it; its
/// matrix, with its largest and smallest numbers; of weights, what each row attends to; the cell and how it was made.
std::string describe_view(const DescribeSource& source);

}  // namespace app
