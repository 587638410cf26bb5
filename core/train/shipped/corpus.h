#pragma once
// The texts of a language model as tokens: those for training, and those held out for measuring. Documents are never
// split, and are assigned by their text, so that identical documents are on the same side.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/train/shipped/tokenizer.h"
#include "core/train/shipped/texts.h"

namespace attn {
class TokenizerModel;
}

namespace attn::train {

/// Documents of one source, concatenated, each followed by a line feed.
struct TextStream {
    const TextSource* source = nullptr;
    std::vector<std::uint16_t> tokens;
    std::vector<std::uint32_t> starts;  ///< where an example may begin: at a line, with `longest` + 1 tokens left
};

struct Corpus {
    std::shared_ptr<const TokenizerModel> tokenizer;
    std::vector<TextStream> seen, held_out;  ///< one per source, in the order of the table
    int longest = 0;                     ///< tokens of an example

    int vocabulary() const;
};

inline constexpr double kHeldOutShare = 0.02;
/// Whether a document is held out; depends only on its text.
bool is_held_out(std::string_view document);

/// Reads the texts, trains the tokenizer on the training part, and tokenizes all.
Result<std::shared_ptr<const Corpus>> make_corpus(std::span<const TextSource> sources, const TokenCounts& counts, int longest);

/// A stream of documents, with an existing tokenizer.
TextStream text_stream(const TextSource* source, const std::vector<std::string>& documents, const TokenizerModel& tokenizer, int longest);

/// How many characters begin in each token; the later bytes of a character do not count.
std::vector<int> token_characters(const TokenizerModel& tokenizer);

}  // namespace attn::train
