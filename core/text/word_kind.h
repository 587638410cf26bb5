#pragma once
// What a word is good for, as far as its row in the table of meanings tells: which words a question can be about.

#include <cstdint>
#include <string_view>

namespace attn {

enum class WordKind : std::uint8_t {
    Blank,      ///< not in the table
    Mark,       ///< punctuation
    Number,
    Function,   ///< the, of, 的: short rows, because they say little alone
    Pronoun,    ///< it, he, them, I: stands for somebody or something
    Does,       ///< what happens is most of its row: run, 洗
    Describes,  ///< how it feels or what it is like: tired, delicious, 红
    Names,      ///< everything else: cat, Paris, morning
};
WordKind word_kind(std::string_view token);

/// One that stands for somebody or something that was named: it, he, them, 她们; not I or you.
bool refers_back(std::string_view token);

}  // namespace attn
