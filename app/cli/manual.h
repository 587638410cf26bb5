#pragma once
// The pages that --help prints: the sections of a manual page, the options taken from the parser itself.

#include <span>
#include <string>
#include <string_view>

#include "app/cli/command.h"

namespace app {

/// NAME, SYNOPSIS, DESCRIPTION, ARGUMENTS, OPTIONS, COMMANDS (of the program), EXIT STATUS, ENVIRONMENT, FILES,
/// EXAMPLES; 80 columns wide.
std::string manual_page(const Manual& manual, const CLI::App& parser, std::span<const Command* const> commands = {});

/// `text` broken between words so that lines, `indent` blanks included, have at most 80 characters.
std::string wrapped(std::string_view text, std::size_t indent);

}  // namespace app
