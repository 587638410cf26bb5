#pragma once
// The texts of a language model, cut into tokens: what trains, and what is kept for measuring. Documents are kept whole,
// and by their text: what stands in two places is on one side.

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

/// Documents of one source, one after the other, a line feed behind each.
struct TextStream {
    const TextSource* source = nullptr;
    std::vector<std::uint16_t> tokens;
    std::vector<std::uint32_t> starts;  ///< where an example may begin: at a line, `longest` and one tokens follow
};

struct Corpus {
    std::shared_ptr<const TokenizerModel> tokenizer;
    std::vector<TextStream> seen, kept;  ///< one a source, in the order of the table
    int longest = 0;                     ///< tokens of an example

    int vocabulary() const;
};

inline constexpr double kKeptShare = 0.02;
/// Whether a document is kept from training: by its text alone.
bool is_kept(std::string_view document);

/// Reads, trains the tokenizer on what trains, cuts.
Result<std::shared_ptr<const Corpus>> make_corpus(std::span<const TextSource> sources, const TokenCounts& counts, int longest);

/// A stream of documents with a tokenizer that is there.
TextStream text_stream(const TextSource* source, const std::vector<std::string>& documents, const TokenizerModel& tokenizer, int longest);

/// How many characters begin in each token: of the later bytes of a character none.
std::vector<int> token_characters(const TokenizerModel& tokenizer);

}  // namespace attn::train
