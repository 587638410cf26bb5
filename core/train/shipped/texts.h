#pragma once
// The training texts of a language model: sentences of the program's own grammar, and texts from packages of the
// system, which are read in place. The program contains no line of them.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace attn::train {

/// One kind of text. Its documents are not split: each is entirely training or entirely held out.
struct TextSource {
    std::string_view id;        ///< "scripture"
    std::string_view package;   ///< Debian's; empty: the program generates the text
    std::string_view probe;     ///< a file of the package that shows whether it is installed
    bool chinese = false;
    bool by_line = false;       ///< examples may begin at any line of a document, not only where the previous one ended
    double share = 0;           ///< of the examples
    /// Documents, without a final line feed. Error: a file cannot be read, or has another format.
    Result<std::vector<std::string>> (*read)() = nullptr;
};

/// All sources, and those that need no package.
std::span<const TextSource> text_sources();
std::span<const TextSource> own_sources();
/// The packages that all sources need and that are not installed.
std::vector<std::string> missing_packages();

/// Sentences of the grammar in one language, as people write them; deterministic by seed.
std::vector<std::string> grammar_sentences(std::uint64_t seed, bool chinese, int count);
/// The same without those that a language model is trained on: the grammar repeats some, whatever the seed.
std::vector<std::string> untrained_sentences(std::uint64_t seed, bool chinese, int count);

}  // namespace attn::train
