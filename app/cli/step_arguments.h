#pragma once
// Steps, rows and columns as they are named on a command line.

#include <string>
#include <string_view>
#include <utility>

#include "core/attention/forms/attention.h"
#include "core/base/result.h"
#include "core/trace/counting.h"

namespace app {

/// What is wrong with an option.
inline attn::Error wrong_option(std::string_view option, std::string message) {
    return {std::move(message), std::string(option), "", 0};
}

/// "weights.h2", "weights" (the first head's), the step's number, or a head as it is counted ("7.11", "scores 7.11"). The error lists
/// what there is.
attn::Result<attn::StepId> step_named(const attn::Trace& trace, std::string_view name, attn::CountFrom count = attn::CountFrom::One);

/// The cell at a row and a column as they are shown, each from 1 or by its label where only one has it: where tokens
/// are columns, the row that is shown is a column of the value.
attn::Result<attn::Cell> cell_named(const attn::Trace& trace, attn::StepId step, std::string_view row,
                                    std::string_view column, attn::Convention shown);

}  // namespace app
