#pragma once
// Manual pages, the same for `--help` and `man`: name, synopsis, description, arguments, options, exit statuses,
// examples.

#include <span>
#include <string>
#include <string_view>

#include "app/cli/command.h"
#include "app/cli/parser.h"

namespace app {

/// For a terminal of 80 columns. `commands`: those that the page lists.
std::string manual_page(const Manual& manual, std::span<const Option> options,
                        std::span<const Command* const> commands = {});

/// For `man`: the same in groff's man macros, without a date.
std::string manual_roff(const Manual& manual, std::span<const Option> options,
                        std::span<const Command* const> commands = {});

/// The name of the page in `man`: "attenscope", "attenscope-trace".
std::string manual_name(const Manual& manual);

/// A paragraph in lines of at most 80 terminal cells, each indented by `indent` spaces. Ends with a line break.
std::string wrapped(std::string_view text, std::size_t indent);

}  // namespace app
