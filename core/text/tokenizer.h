#pragma once
// Splitting text into tokens: a table of methods, found by id. To add one: one function and one row in tokenizer.cpp.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

/// A piece of text. `begin` and `end` are bytes in the cleaned text (core/text/unicode.h: clean_utf8); for the `bytes`
/// tokenizer `text` is the one raw byte, which need not be UTF-8: show it through `visible`.
struct Token {
    std::string text;
    std::size_t begin = 0;
    std::size_t end = 0;
};

/// One method of splitting. `split` takes valid UTF-8 and stops after `limit` tokens, reading no further.
struct Tokenizer {
    std::string_view id;
    std::vector<Token> (*split)(std::string_view text, std::size_t limit);
};

/// The methods, the default first:
///   auto        each script its own way: words with their inner ' and -, numbers whole, every Han, kana or hangul
///               character, emoji and punctuation mark by itself; spaces separate and are dropped
///   words       as auto, but Chinese is split into the most frequent words of the table of meanings: 早上 | 好
///   characters  every grapheme cluster, spaces too
///   bytes       every byte of the UTF-8
std::span<const Tokenizer> tokenizers();

/// The row with this id, or null.
const Tokenizer* find_tokenizer(std::string_view id);

/// Tokens of any bytes. `cut`: there were more than `limit`. `replaced`: ill-formed sequences that became U+FFFD.
struct Tokens {
    std::vector<Token> tokens;
    bool cut = false;
    int replaced = 0;
};

/// Cleans `bytes`, then splits. Cleaning is linear in the bytes; splitting ends at the limit. No token is longer than
/// 4,096 bytes: a longer word or pile of marks continues in the next token.
Tokens tokenize(std::string_view bytes, const Tokenizer& tokenizer, std::size_t limit);

}  // namespace attn
