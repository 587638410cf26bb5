#pragma once
// Exchanging one word of a text for another; the effect on the run shows what the word does.

#include <string>
#include <string_view>
#include <vector>

#include "core/document/document.h"

namespace app {

struct WordChange {
    int word = 0;            ///< index in the text, from 0
    std::string from, to;    ///< as written
    std::string text;        ///< the whole text with the other word in it
    bool operator==(const WordChange&) const = default;
};

/// Every exchange in the table that applies to a word of the document and whose words the model knows.
std::vector<WordChange> word_changes(const attn::Document& document, const std::vector<std::string>& tokens);

/// Exchanges one word for another; one result per occurrence.
std::vector<WordChange> exchanged(const attn::Document& document, const std::vector<std::string>& tokens, std::string_view from, std::string_view to);

}  // namespace app
