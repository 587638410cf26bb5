#pragma once
// SentencePiece's precompiled table of replacements: a double-array trie of keys, and their replacements.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/tokenizers/aligned_text.h"

namespace attn::tokenizing {

class Charsmap {
public:
    /// Little-endian: the trie's size in bytes, its 4-byte units, then zero-terminated texts.
    static Result<Charsmap> read(std::string_view bytes);

    /// SentencePiece's rule: at every place the longest key. Stops once more than `most` bytes are written.
    AlignedText longest(const AlignedText& text, std::size_t most = std::string::npos) const;
    /// The rule of tokenizer.json's "Precompiled": a grapheme below 6 bytes is looked up as a whole, otherwise each of
    /// its characters; of several keys that begin it the shortest is taken, whatever follows.
    AlignedText by_grapheme(const AlignedText& text, std::size_t most = std::string::npos) const;

private:
    struct Found {
        std::size_t length = 0;
        std::string_view replacement{};
    };
    /// The shortest or the longest key that is a prefix of `text`.
    std::optional<Found> find(std::string_view text, bool longest) const;

    std::vector<std::uint32_t> units_;
    std::string texts_;
};

/// Standard base64 with padding; nullopt if it is malformed.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace attn::tokenizing
