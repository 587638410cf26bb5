#pragma once
// What a shell completes behind `attenscope`: commands, options, and the values of those that have few.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/parser.h"

namespace app {

/// A command as a shell sees it; the program itself has no name.
struct CompletedCommand {
    std::string_view name, summary;
    std::vector<Option> options;
};

/// A script that defines `_attenscope` and has bash use it. The first of `commands` is the program itself.
std::string bash_completion(std::span<const CompletedCommand> commands);
/// The same for zsh, to be found as `_attenscope` in a folder of its `fpath`; options with what they do.
std::string zsh_completion(std::span<const CompletedCommand> commands);

}  // namespace app
