#pragma once
// Text with its origin: after any number of normalisations each byte still has its span in the typed text.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/effort.h"
#include "core/text/unicode.h"

namespace attn::tokenizing {

/// Bytes of the typed text; whole characters.
struct Span {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    bool operator==(const Span&) const = default;
};

/// Valid UTF-8 and, for each byte, the typed characters that it came from.
struct AlignedText {
    std::string text;
    std::vector<Span> from;

    bool empty() const { return text.empty(); }
    void append(std::string_view bytes, Span origin);
    void append(const AlignedText& other, std::size_t begin, std::size_t end);
    AlignedText part(std::size_t begin, std::size_t end) const;
    /// The span from the first to the last typed byte of [begin, end), which is not empty.
    Span span(std::size_t begin, std::size_t end) const;
    /// Inserts text that was not typed at the beginning.
    void prepend(std::string_view bytes);
};

/// The typed text; ill-formed sequences become U+FFFD. At most 2^31 bytes.
AlignedText align(std::string_view typed);

/// Calls visit(code, begin, end) for each character of valid UTF-8.
template <class Visit>
void each_character(std::string_view text, Visit visit) {
    for (std::size_t at = 0; at < text.size();) {
        count_step();
        const CodePoint point = decode_utf8(text, at);
        visit(point.value, at, at + point.length);
        at += point.length;
    }
}

/// A piece of text on its way to the model; `id` is set if it is an added token, which is not split further.
struct Chunk {
    AlignedText text;
    int id = -1;
    bool unknown = false;  ///< the token stands for something that is not in the vocabulary
};
using Chunks = std::vector<Chunk>;

}  // namespace attn::tokenizing
