#pragma once
// The hand-made table of meanings: common English and Chinese words as eight readable numbers each, so that related
// words have larger inner products and every column of a picture has a name. The words are in meaning.inc.

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace attn {

inline constexpr int kMeaningWidth = 8;

using Meaning = std::array<float, kMeaningWidth>;

/// The names of the columns, in order: living person thing place time action feeling mind.
std::span<const std::string_view> meaning_features();

/// The vector of a word, without regard to case; a regular English ending (cats, chased, running, dog's) falls back to
/// the word it was made from. Nothing for a word that is not in the table.
std::optional<Meaning> meaning_of(std::string_view token);

/// Every word of the table, in the order of the file.
std::span<const std::string_view> meaning_words();

/// The most code points a word of the table has in a script without spaces: how far longest match has to look.
std::size_t longest_meaning_word();

}  // namespace attn
