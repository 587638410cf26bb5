#pragma once
// What a language model is trained on: sentences of the program's own grammar, and texts that lie in packages of the
// system, read where they lie. No line of them is part of the program.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace attn::train {

/// One kind of text. Documents of it are kept whole: none is partly trained on and partly kept for measuring.
struct TextSource {
    std::string_view id;        ///< "scripture"
    std::string_view package;   ///< Debian's; empty: the program makes it
    std::string_view probe;     ///< a file of the package; it is there where this is
    bool chinese = false;
    bool by_line = false;       ///< examples may begin at any line of a document, not only where the last one ended
    double share = 0;           ///< of the examples
    /// Documents, each ended by no line feed. Error: a file cannot be read, or is not what it should be.
    Result<std::vector<std::string>> (*read)() = nullptr;
};

/// All of them, and those that need no package.
std::span<const TextSource> text_sources();
std::span<const TextSource> own_sources();
/// The packages that are needed for all and are not installed.
std::vector<std::string> missing_packages();

/// Sentences of the grammar as people write them, those of one language; the same for a seed.
std::vector<std::string> grammar_sentences(std::uint64_t seed, bool chinese, int count);
/// The same without those that a language model is trained on: the grammar says some twice, whatever the seed.
std::vector<std::string> untrained_sentences(std::uint64_t seed, bool chinese, int count);

}  // namespace attn::train
