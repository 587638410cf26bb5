#pragma once
// The pages that --help prints: the sections of a manual page, the options as they were declared.

#include <span>
#include <string>
#include <string_view>

#include "app/cli/command.h"
#include "app/cli/parser.h"

namespace app {

/// NAME, SYNOPSIS, DESCRIPTION, ARGUMENTS, OPTIONS, COMMANDS (of the program), EXIT STATUS, ENVIRONMENT, FILES,
/// EXAMPLES; 80 columns wide.
std::string manual_page(const Manual& manual, std::span<const Option> options,
                        std::span<const Command* const> commands = {});

/// `text` broken between words, or Chinese characters, so that lines, `indent` blanks included, have at most 80 cells.
std::string wrapped(std::string_view text, std::size_t indent);

}  // namespace app
