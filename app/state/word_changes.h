#pragma once
// One word of a text exchanged for another: what changes then is what the other word is for.

#include <string>
#include <string_view>
#include <vector>

#include "core/document/document.h"

namespace app {

struct WordChange {
    int word = 0;            ///< of the text, from 0
    std::string from, to;    ///< as they are written
    std::string text;        ///< the whole text with the other word in it
    bool operator==(const WordChange&) const = default;
};

/// Every exchange that the table has for a word of the document, where its model knows both words.
std::vector<WordChange> word_changes(const attn::Document& document, const std::vector<std::string>& tokens);

/// One word for another, wherever it stands: a text for each place.
std::vector<WordChange> exchanged(const attn::Document& document, const std::vector<std::string>& tokens, std::string_view from, std::string_view to);

}  // namespace app
