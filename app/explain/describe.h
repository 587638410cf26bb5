#pragma once
// A view described in words, for whoever cannot see it: read aloud, copied, or printed by `attenscope describe`.

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
    attn::StepId step = attn::kNoStep;  ///< the shown step
    int place = 0, places = 0;          ///< position in the walk and its length, from 1; 0: not mentioned
    std::optional<attn::Cell> cell{};   ///< the cell to describe
    attn::Convention convention = attn::Convention::Rows;
    Language language = Language::English;
    attn::CountFrom count = attn::CountFrom::One;  ///< for layers and heads
    std::string caption{};                           ///< of the walk at this step; empty: none
    std::optional<std::string> page = {};  ///< the text of an experiments' page, if one is shown instead of a step
};

/// Paragraphs separated by newlines: the computation and its text; the settings; the step and what it does; its matrix
/// with its largest and smallest numbers; for weights, what each row attends to; the cell and how it was made.
std::string describe_view(const DescribeSource& source);

}  // namespace app
