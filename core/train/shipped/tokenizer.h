#pragma once
// A tokenizer of one's own: byte-pair encoding over bytes, trained on text. Characters that are not ASCII are tokens of
// their own as far as they are frequent, so Chinese is cut into characters; frequent parts of English words are merged;
// everything else stays bytes, so any text can be cut and put together again. [Sennrich, Haddow, Birch 2016; GPT-2's bytes]

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attn::train {

struct TokenCounts {
    int merged = 2000;      ///< merges of ASCII: at most so many tokens more than the 256 bytes
    int characters = 2500;  ///< other characters: the most frequent, of those that come twice
};

/// tokenizer.json for these texts: the same bytes for the same texts, in whatever order they come.
std::string train_tokenizer(std::span<const std::string> texts, const TokenCounts& counts);

/// How text is cut before it is merged: a Chinese character, a word with the space before it, a digit, another sign.
/// Calls use() for each stretch of the text, in its order; none is left out.
void for_stretches(std::string_view text, const std::function<void(std::string_view)>& use);

}  // namespace attn::train
