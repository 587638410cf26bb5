#pragma once
// Tokens that are found in a text before anything cuts it: <s>, [MASK], <|im_start|>.

#include <functional>
#include <string>
#include <vector>

#include "core/tokenizers/normalizers.h"
#include "core/tokenizers/vocabulary.h"

namespace attn::tokenizing {

struct AddedToken {
    std::string content;
    int id = 0;
    bool single_word = false;  ///< not within a word
    bool lstrip = false;       ///< takes the blanks before it along
    bool rstrip = false;       ///< and those behind
    bool normalized = true;    ///< looked for in the normalised text, normalised itself
    bool special = false;
};

/// Takes what stands for a token at the beginning of a text that was typed, and is there only, away from it.
using TakeFirst = std::function<Result<Done>(AlignedText& text, Chunks& out)>;

class AddedTokens {
public:
    AddedTokens() = default;
    /// Fails where a token cannot be normalised.
    static Result<AddedTokens> make(std::vector<AddedToken> tokens, const Normalizer& normalizer);

    const std::vector<AddedToken>& all() const { return tokens_; }
    const AddedToken* find(int id) const;

    /// The text normalised, added tokens as chunks of their own: of those that begin at a place the longest. `take` looks
    /// at what lies between them before it is normalised; it may be empty.
    Result<Chunks> split(const AlignedText& typed, const TakeFirst& take, const Normalizer& normalizer, Effort& effort) const;

private:
    void split_at_tokens(AlignedText text, const SortedTokens& tokens, Chunks& out) const;

    std::vector<AddedToken> tokens_;
    std::unordered_map<int, std::size_t> by_id_;
    SortedTokens raw_, normalized_;  ///< with places in tokens_
};

}  // namespace attn::tokenizing
