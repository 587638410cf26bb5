#pragma once
// The kind of a word, as far as its row in the table of meanings tells: which words a question can be about.

#include <cstdint>
#include <string_view>

namespace attn {

enum class WordKind : std::uint8_t {
    Blank,      ///< not in the table
    Mark,       ///< punctuation
    Number,
    Function,   ///< the, of, 的: rows with a small norm, because they say little alone
    Pronoun,    ///< it, he, them, I: stands for somebody or something
    Does,       ///< mostly action: run, 洗
    Describes,  ///< a feeling or a quality: tired, delicious, 红
    Names,      ///< everything else: cat, Paris, morning
};
WordKind word_kind(std::string_view token);

/// A pronoun that refers to something named before: it, he, them, 她们; not I or you.
bool refers_back(std::string_view token);

}  // namespace attn
