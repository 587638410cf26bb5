#pragma once
// The command line: chooses the command, reads its options, runs it.

#include <span>
#include <string>

#include "app/cli/command.h"

namespace app {

/// `arguments` without the program's name. Returns the exit status; throws nothing.
int run_cli(std::span<const std::string> arguments, Streams& streams);

/// The subcommands, in the order of the manual.
std::span<const Command* const> commands();

}  // namespace app
