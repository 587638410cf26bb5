#pragma once
// Two trainings with the same seed that differ in one thing, for the command line: in lockstep, then their results.

#include <string>

#include "app/cli/command.h"
#include "app/shell/interrupt.h"
#include "core/train/variations.h"

namespace app {

/// Steps both alternately until both are finished or interrupted; prints a line about both now and then.
void train_two(Streams& streams, attn::train::Trainer& one, attn::train::Trainer& other, const attn::train::Variation& variation,
               const Interrupt& interrupt);

/// Both results, measured on the unseen examples of a model's record: one column each.
std::string two_runs_table(const attn::train::Task& task, const attn::train::TaskOptions& options, const attn::train::Trainer& one,
                           const attn::train::TaskOptions& changed, const attn::train::Trainer& other);

}  // namespace app
