#pragma once
// SentencePiece's precompiled table of replacements: a double-array trie of what is replaced, and the replacements.

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
    /// Little-endian: bytes of the trie, its units of 4 bytes, then texts that end in a zero byte.
    static Result<Charsmap> read(std::string_view bytes);

    /// How SentencePiece uses it: everywhere the longest that is in the table. Ends early once more than `most` bytes are made.
    AlignedText longest(const AlignedText& text, std::size_t most = std::string::npos) const;
    /// How tokenizer.json's "Precompiled" uses it: a grapheme below 6 bytes as a whole, else each of its characters;
    /// and of several entries that begin it the shortest, whatever follows.
    AlignedText by_grapheme(const AlignedText& text, std::size_t most = std::string::npos) const;

private:
    struct Found {
        std::size_t length = 0;
        std::string_view replacement{};
    };
    /// The shortest or the longest entry that begins `text`.
    std::optional<Found> find(std::string_view text, bool longest) const;

    std::vector<std::uint32_t> units_;
    std::string texts_;
};

/// Standard base64 with padding; nothing where it is none.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace attn::tokenizing
