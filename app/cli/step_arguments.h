#pragma once
// Steps, rows and columns as named on the command line.

#include <string>
#include <string_view>
#include <utility>

#include "core/attention/forms/attention.h"
#include "core/base/result.h"
#include "core/trace/counting.h"

namespace app {

/// An error about an option's value.
inline attn::Error wrong_option(std::string_view option, std::string message) {
    return {std::move(message), std::string(option), "", 0};
}

/// Finds "weights.h2", "weights" (of the first head), a step's number, or a head's number ("7.11", "scores 7.11"). The
/// error lists the steps.
attn::Result<attn::StepId> step_named(const attn::Trace& trace, std::string_view name, attn::CountFrom count = attn::CountFrom::One);

/// The cell at a row and a column as shown, each by its number from 1 or by a unique label: if tokens are columns, the
/// row that is shown is a column of the value.
attn::Result<attn::Cell> cell_named(const attn::Trace& trace, attn::StepId step, std::string_view row,
                                    std::string_view column, attn::Convention shown);

}  // namespace app
