#pragma once
// Results on their way out: to standard output, or to a file that is written whole or not at all.

#include <string>
#include <string_view>

#include "app/cli/command.h"

namespace app {

enum class Content : std::uint8_t { Text, Binary };

/// Where OUT is empty or "-": standard output, which must not be a terminal for binary content.
Exit write_output(Streams& streams, const std::string& out, std::string_view bytes, Content content);

}  // namespace app
