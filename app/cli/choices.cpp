#include "app/cli/choices.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/io/safe_text.h"

namespace app {

CLI::Validator one_of(std::vector<std::string_view> ids) {
    return CLI::Validator(
        [ids = std::move(ids)](const std::string& value) {
            if (std::find(ids.begin(), ids.end(), value) != ids.end()) return std::string();
            return fmt::format("there is no {}; choose one of {}", attn::in_quotes(value), fmt::join(ids, ", "));
        },
        "");
}

std::optional<double> number_of(std::string_view text) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number)) return std::nullopt;
    return number;
}

CLI::Validator number_between(double low, double high) {
    return CLI::Validator(
        [low, high](const std::string& value) {
            const auto number = number_of(value);
            if (number && *number >= low && *number <= high) return std::string();
            return fmt::format("{} is not possible; take a number from {} to {}", attn::in_quotes(value), low, high);
        },
        "");
}

}  // namespace app
