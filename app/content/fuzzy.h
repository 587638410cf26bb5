#pragma once
// Fuzzy search by a few typed letters.

#include <string_view>

namespace app {

/// How well `text` matches `query`; 0: not at all. Every word of the query must occur, ignoring ASCII case: best at the
/// beginning of the text, then of a word, then inside one, and last as letters in order with others in between (ASCII
/// words of three letters and more). Chinese matches any substring. An empty query matches everything.
int fuzzy_score(std::string_view query, std::string_view text);

}  // namespace app
