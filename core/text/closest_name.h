#pragma once
// Suggestions for a misspelt name.

#include <string>
#include <string_view>
#include <vector>

namespace attn {

/// The name with the smallest Levenshtein distance (in bytes). `names` must not be empty.
std::string closest_name(std::string_view name, const std::vector<std::string_view>& names);

}  // namespace attn
