#pragma once
// The program's own tokenizer: byte-pair encoding over bytes, trained on text. Frequent non-ASCII characters are
// separate tokens, so Chinese is cut into characters; frequent parts of English words are merged; everything else
// remains bytes, so any text can be tokenized and restored. [Sennrich, Haddow, Birch 2016; GPT-2's bytes]

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attn::train {

struct TokenCounts {
    int merged = 2000;      ///< merges of ASCII: at most this many tokens besides the 256 bytes
    int characters = 2500;  ///< other characters: the most frequent ones among those that occur at least twice
};

/// tokenizer.json for these texts: the same bytes for the same texts in any order.
std::string train_tokenizer(std::span<const std::string> texts, const TokenCounts& counts);

/// Cuts text before merging: a Chinese character, a word with the space before it, a digit, another sign. Calls use()
/// for each stretch in order; the stretches cover the text.
void for_stretches(std::string_view text, const std::function<void(std::string_view)>& use);

}  // namespace attn::train
