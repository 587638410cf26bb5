#pragma once
// Removing the regular endings of English words.

#include <string>
#include <string_view>
#include <vector>

namespace attn {

/// The possible bases of a lower-case English word, the likeliest first: "cats" -> cat; "chased" -> chas, chase;
/// "running" -> runn, run, runne; "dog's" -> dog, "he's" -> he. Only candidates: the caller knows which are words.
/// Empty for words too short to have an ending, and for other scripts.
std::vector<std::string> base_forms(std::string_view word);

/// The possible bases of a comparative or superlative: "taller" -> tall, "nicest" -> nice, "bigger" -> big. Most words
/// with these endings are neither (water, corner): look up the word itself first.
std::vector<std::string> compared_forms(std::string_view word);

}  // namespace attn
