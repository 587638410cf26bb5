#pragma once
// Added tokens: found in a text before it is split: <s>, [MASK], <|im_start|>.

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
    bool lstrip = false;       ///< includes the blanks before it
    bool rstrip = false;       ///< includes the blanks after it
    bool normalized = true;    ///< searched for in the normalised text, after normalising the token itself
    bool special = false;
};

/// Takes a token off the start of a typed text that is recognised only there.
using TakeFirst = std::function<Result<Done>(AlignedText& text, Chunks& out)>;

class AddedTokens {
public:
    AddedTokens() = default;
    /// Fails if a token cannot be normalised.
    static Result<AddedTokens> make(std::vector<AddedToken> tokens, const Normalizer& normalizer);

    const std::vector<AddedToken>& all() const { return tokens_; }
    const AddedToken* find(int id) const;

    /// The text normalised, with added tokens as separate chunks; of several that begin at one place, the longest.
    /// `take` sees the text between them before it is normalised; it may be empty.
    Result<Chunks> split(const AlignedText& typed, const TakeFirst& take, const Normalizer& normalizer, Effort& effort) const;

private:
    void split_at_tokens(AlignedText text, const SortedTokens& tokens, Chunks& out) const;

    std::vector<AddedToken> tokens_;
    std::unordered_map<int, std::size_t> by_id_;
    SortedTokens raw_, normalized_;  ///< ids are indices into tokens_
};

}  // namespace attn::tokenizing
