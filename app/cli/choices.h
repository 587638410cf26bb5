#pragma once
// Checks of single arguments, with messages that name what can be chosen.

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace app {

/// One of the ids; the message lists them.
CLI::Validator one_of(std::vector<std::string_view> ids);

/// A number written with '.', inside the closed range; NaN and "1,5" are none.
CLI::Validator number_between(double low, double high);

/// The whole of `text` as a number with '.', whatever the locale; NaN and infinities are refused.
std::optional<double> number_of(std::string_view text);

/// Ids of a table's rows.
template <class Table>
std::vector<std::string_view> ids_of(const Table& table) {
    std::vector<std::string_view> ids;
    for (const auto& row : table) ids.push_back(row.id);
    return ids;
}

}  // namespace app
