#pragma once
// The table of meanings: English and Chinese words as eight readable numbers each, so that related words have larger
// inner products and every column of a picture has a name. Some 800 rows were chosen by hand (meaning.inc); those of
// another 45,000 words were derived from these, from WordNet and from jieba's dictionary (derived.inc, made by
// tests/data/derive_meanings.py, which says how). Notices of both: NOTICE.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

inline constexpr int kMeaningWidth = 8;

using MeaningVector = std::array<float, kMeaningWidth>;

/// The names of the columns, in order: living person thing place time action feeling mind.
std::span<const std::string_view> meaning_features();

/// Where a row comes from: chosen by hand for this word, derived for it, or that of its kind (numbers, punctuation).
enum class MeaningOrigin : std::uint8_t { Chosen, Derived, OfKind };
struct FoundMeaning {
    MeaningVector values;
    MeaningOrigin origin;
};

/// The row of a word, without regard to case; a regular English ending (cats, chased, running, dog's) falls back to the
/// word it was made from. Nothing for a word that is not in the table.
std::optional<FoundMeaning> find_meaning(std::string_view token);
/// Its numbers alone.
std::optional<MeaningVector> meaning_of(std::string_view token);

/// The row that is derived for exactly this word, whether or not one was chosen by hand: what is watched is how far
/// the two agree.
std::optional<MeaningVector> derived_meaning(std::string_view word);

/// The words whose rows were chosen by hand, in the order of the file.
std::span<const std::string_view> meaning_words();
/// The words that have a derived row, in byte order.
std::vector<std::string_view> derived_words();

/// How usual a word of the table is, as a power of two: 0 the rarest, 25 the most usual; -1 for what is not in it.
int usualness(std::string_view word);

/// The words of the table that an unknown one may have been meant to be, the closest first: at most `count`, of those
/// that differ in a letter, or in two where the word is long. In a script without spaces there are none.
std::vector<std::string> closest_meaning_words(std::string_view token, std::size_t count);

/// The most code points a word of the table has in a script without spaces: how far a cut has to look.
std::size_t longest_meaning_word();

}  // namespace attn
