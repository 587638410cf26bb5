#pragma once
// What somebody may have meant who wrote a name that is not there.

#include <string>
#include <string_view>
#include <vector>

namespace attn {

/// Of these names, at least one, the one with the fewest letters to change (Levenshtein's distance, in bytes).
std::string closest_name(std::string_view name, const std::vector<std::string_view>& names);

}  // namespace attn
