#pragma once
// Shell completion for `attenscope`: commands, options, and the values of options that have a fixed set.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/parser.h"

namespace app {

/// A command as a shell sees it; the program itself has an empty name.
struct CompletedCommand {
    std::string_view name, summary;
    std::vector<Option> options;
};

/// A script that defines `_attenscope` and registers it with bash. The first of `commands` is the program itself.
std::string bash_completion(std::span<const CompletedCommand> commands);
/// The same for zsh, to be found as `_attenscope` in a folder of its `fpath`; options come with descriptions.
std::string zsh_completion(std::span<const CompletedCommand> commands);

}  // namespace app
