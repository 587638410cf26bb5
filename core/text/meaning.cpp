#include "core/text/meaning.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "core/text/inflection.h"
#include "core/text/unicode.h"

namespace attn {
namespace {

constexpr std::array<std::string_view, kMeaningWidth> kFeatures = {"living", "person", "thing",   "place",
                                                                   "time",   "action", "feeling", "mind"};

struct MeaningRow {
    std::string_view word;
    Meaning values;
};

consteval MeaningRow row(std::string_view word, double living, double person, double thing, double place, double time,
                  double action, double feeling, double mind) {
    const auto f = [](double value) { return static_cast<float>(value); };
    return {word, {f(living), f(person), f(thing), f(place), f(time), f(action), f(feeling), f(mind)}};
}

constexpr MeaningRow kMeaningRows[] = {
#define WORD(...) row(__VA_ARGS__),
#include "core/text/meaning.inc"
#undef WORD
};
constexpr std::size_t kMeaningCount = std::size(kMeaningRows);

using RowIndex = std::uint16_t;
static_assert(kMeaningCount < 65536);

constexpr std::array<std::string_view, kMeaningCount> kWords = [] {
    std::array<std::string_view, kMeaningCount> words;
    for (std::size_t i = 0; i < kMeaningCount; ++i) words[i] = kMeaningRows[i].word;
    return words;
}();

/// The rows in byte order of their words, for binary search; the file itself is kept in an order that people read.
constexpr std::array<RowIndex, kMeaningCount> kSorted = [] {
    std::array<RowIndex, kMeaningCount> order{};
    for (std::size_t i = 0; i < kMeaningCount; ++i) order[i] = static_cast<RowIndex>(i);
    std::sort(order.begin(), order.end(), [](RowIndex a, RowIndex b) { return kWords[a] < kWords[b]; });
    return order;
}();

static_assert(std::adjacent_find(kSorted.begin(), kSorted.end(),
                                 [](RowIndex a, RowIndex b) { return kWords[a] == kWords[b]; }) == kSorted.end(),
              "meaning.inc has a word twice");

std::optional<Meaning> look_up(std::string_view folded) {
    const auto found = std::lower_bound(kSorted.begin(), kSorted.end(), folded,
                                        [](RowIndex index, std::string_view word) { return kWords[index] < word; });
    if (found == kSorted.end() || kWords[*found] != folded) return std::nullopt;
    return kMeaningRows[*found].values;
}

/// The word with one spelling for the apostrophe that phones and word processors type.
std::string with_plain_apostrophes(std::string_view word) {
    constexpr std::string_view kCurly = "\u2019";
    std::string plain;
    for (std::size_t at = 0; at < word.size();) {
        const bool curly = word.substr(at).starts_with(kCurly);
        plain += curly ? '\'' : word[at];
        at += curly ? kCurly.size() : 1;
    }
    return plain;
}

constexpr std::size_t kLongestBytes = 64;  // no word of the table comes near: spares folding a megabyte

}  // namespace

std::span<const std::string_view> meaning_features() { return kFeatures; }

std::span<const std::string_view> meaning_words() { return kWords; }

std::size_t longest_meaning_word() {
    constexpr std::size_t kLongest = [] {
        std::size_t longest = 1;
        for (const std::string_view word : kWords) {
            // Three bytes a character in the scripts that this is about; an ASCII word never counts.
            const bool ascii = static_cast<unsigned char>(word[0]) < 0x80;
            if (!ascii) longest = std::max(longest, word.size() / 3);
        }
        return longest;
    }();
    return kLongest;
}

std::optional<Meaning> meaning_of(std::string_view token) {
    if (token.empty() || token.size() > kLongestBytes) return std::nullopt;
    const std::string word = with_plain_apostrophes(fold_case(token));
    if (const auto found = look_up(word)) return found;
    for (const std::string& base : base_forms(word)) {
        if (const auto found = look_up(base)) return found;
    }
    return std::nullopt;
}

}  // namespace attn
