#pragma once
// The regular endings of English words, taken off again.

#include <string>
#include <string_view>
#include <vector>

namespace attn {

/// What a lower-case English word may have been made from, likeliest first: "cats" -> cat; "chased" -> chas, chase;
/// "running" -> runn, run, runne; "dog's" -> dog, "he's" -> he. Candidates only: the caller knows which are words. Empty
/// for words too short to have an ending, and for other scripts.
std::vector<std::string> base_forms(std::string_view word);

/// What a comparative or superlative may have been made from: "taller" -> tall, "nicest" -> nice, "bigger" -> big.
/// Fewer words that end so are comparatives than not (water, corner): look a word up by itself first.
std::vector<std::string> compared_forms(std::string_view word);

}  // namespace attn
