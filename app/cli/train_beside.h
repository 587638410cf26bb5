#pragma once
// Two trainings on one seed that differ in one thing, for the command line: step by step, and what both came to.

#include <string>

#include "app/cli/command.h"
#include "app/shell/interrupt.h"
#include "core/train/variations.h"

namespace app {

/// A step of the one, a step of the other, until both are finished or it is interrupted; a line with both now and then.
void train_two(Streams& streams, attn::train::Trainer& one, attn::train::Trainer& other, const attn::train::Variation& variation,
               const Interrupt& interrupt);

/// What both came to, measured on the unseen examples of a model's record: a column each.
std::string two_runs_table(const attn::train::Task& task, const attn::train::TaskOptions& options, const attn::train::Trainer& one,
                           const attn::train::TaskOptions& changed, const attn::train::Trainer& other);

}  // namespace app
