#pragma once
// Finding things by a few typed letters.

#include <string_view>

namespace app {

/// How well `text` is what `query` asks for; 0: not at all. Every word of the query must be found, without regard to
/// ASCII case: best at the beginning of the text, then of a word, then inside, and last as letters in order with others
/// between them (ASCII words of three letters and more). Chinese is found by any part. An empty query finds everything.
int fuzzy_score(std::string_view query, std::string_view text);

}  // namespace app
