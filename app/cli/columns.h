#pragma once
// Text in columns for a terminal, where a Chinese character is two cells wide.

#include <string>
#include <string_view>
#include <vector>

namespace app {

/// Cells that a terminal needs for a text.
std::size_t terminal_width(std::string_view text);

enum class Side : std::uint8_t { Left, Right };

/// For a table of numbers whose first column holds the names.
std::vector<Side> right_but_first(std::size_t columns);

/// Aligned rows, with two spaces between columns and none at line ends; `sides` gives the alignment of each column
/// (left where it has no entry).
std::string in_columns(const std::vector<std::vector<std::string>>& rows, const std::vector<Side>& sides = {},
                       std::size_t indent = 0);

}  // namespace app
