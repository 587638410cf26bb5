#pragma once
// The models that split a part of a text into tokens: byte-pair merges, WordPiece, Unigram, whole words.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/tokenizers/vocabulary.h"

namespace attn::tokenizing {

/// A token covering bytes [begin, end) of the part.
struct Cut {
    int id = 0;
    std::size_t begin = 0;
    std::size_t end = 0;
    bool unknown = false;
};

class CutModel {
public:
    CutModel() = default;
    virtual ~CutModel() = default;
    CutModel(const CutModel&) = delete;
    CutModel& operator=(const CutModel&) = delete;

    /// Appends the tokens of a text, which is valid UTF-8 and not empty. Fails if the text has characters outside the
    /// vocabulary and there is no unknown token for them.
    virtual Result<Done> cut(std::string_view text, std::vector<Cut>& out) const = 0;
};

using VocabularyPtr = std::shared_ptr<const Vocabulary>;

/// What a model does with a character outside its vocabulary: its bytes, each as "<0xE6>", or the unknown token.
struct Unknown {
    Unknown() = default;
    Unknown(const Vocabulary& vocabulary, std::optional<int> unknown, bool bytes, bool fuse);

    /// Appends tokens for the character(s) [begin, end) of a text.
    Result<Done> take(std::string_view text, std::size_t begin, std::size_t end, std::vector<Cut>& out) const;

    std::optional<int> id{};   ///< of the unknown token
    std::vector<int> bytes{};  ///< ids of the 256 bytes; empty: unused, or not all present
    bool fuse = false;         ///< adjacent unknown characters become one token
};

struct Merge {
    int left = 0;
    int right = 0;
    int rank = 0;  ///< the lowest is merged first; of equal ones the leftmost
    int made = 0;
};

struct BpeChoices {
    std::optional<int> unknown{};
    bool byte_fallback = false;
    bool fuse_unknown = false;
    bool ignore_merges = false;  ///< a part that is a token is not split
    std::string prefix{};        ///< before every symbol but the first of a part ("##")
    std::string suffix{};        ///< after the last ("</w>")
};

/// Byte-pair encoding: starts with characters and merges the adjacent pair with the lowest rank until none is left. The
/// pairs are in a heap: n log n steps.
std::unique_ptr<CutModel> make_bpe(VocabularyPtr vocabulary, const std::vector<Merge>& merges, BpeChoices choices);

/// All ways in which two tokens concatenate to a third, in the order of scores (the highest first): SentencePiece's
/// merges.
std::vector<Merge> merges_by_score(const Vocabulary& vocabulary, const std::vector<std::pair<int, double>>& scores);

struct WordPieceChoices {
    int unknown = 0;
    std::string prefix = "##";
    int longest_word = 100;  ///< characters
};
/// The longest token that begins the word, then the longest that continues it, and so on; a word that cannot be split
/// this way is unknown as a whole.
std::unique_ptr<CutModel> make_wordpiece(const VocabularyPtr& vocabulary, WordPieceChoices choices);

struct Scored {
    int id = 0;
    double score = 0;  ///< natural logarithm of a probability
};
struct UnigramChoices {
    std::optional<int> unknown{};
    bool byte_fallback = false;
    bool single = false;  ///< sums in single precision, as in SentencePiece: this decides ties
};
/// Of all ways to split a text, the one with the largest sum of scores (Viterbi); a character outside the vocabulary
/// costs the lowest score minus 10, and adjacent unknown characters are one token. (Kudo 2018, as SentencePiece
/// implements it.)
std::unique_ptr<CutModel> make_unigram(VocabularyPtr vocabulary, const std::vector<Scored>& scores,
                                       UnigramChoices choices);

/// Splits as `model` does, whose vocabulary extends beyond the checkpoint's: each token with an id of `size` or more is
/// replaced by the unknown token.
std::unique_ptr<CutModel> make_wider(std::unique_ptr<const CutModel> model, int size, std::optional<int> unknown);

/// Each part is one token or unknown.
std::unique_ptr<CutModel> make_wordlevel(VocabularyPtr vocabulary, std::optional<int> unknown);

}  // namespace attn::tokenizing
