#pragma once
// Text in columns on a terminal, where a Chinese character is two cells wide.

#include <string>
#include <string_view>
#include <vector>

namespace app {

/// Cells that a terminal needs for a text.
std::size_t terminal_width(std::string_view text);

enum class Side : std::uint8_t { Left, Right };

/// Of a table of numbers whose first column names the lines.
std::vector<Side> right_but_first(std::size_t columns);

/// Rows of cells under each other, two blanks between columns, without blanks at line ends; `sides` says for each
/// column which side its cells stand on (left where it says nothing).
std::string in_columns(const std::vector<std::vector<std::string>>& rows, const std::vector<Side>& sides = {},
                       std::size_t indent = 0);

}  // namespace app
