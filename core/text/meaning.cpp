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
    MeaningVector values;
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

/// The rows in byte order of their words, for binary search; the file itself is in an order for readers.
constexpr std::array<RowIndex, kMeaningCount> kSorted = [] {
    std::array<RowIndex, kMeaningCount> order{};
    for (std::size_t i = 0; i < kMeaningCount; ++i) order[i] = static_cast<RowIndex>(i);
    std::sort(order.begin(), order.end(), [](RowIndex a, RowIndex b) { return kWords[a] < kWords[b]; });
    return order;
}();

static_assert(std::adjacent_find(kSorted.begin(), kSorted.end(),
                                 [](RowIndex a, RowIndex b) { return kWords[a] == kWords[b]; }) == kSorted.end(),
              "meaning.inc has a word twice");

std::optional<MeaningVector> look_up(std::string_view folded) {
    const auto found = std::lower_bound(kSorted.begin(), kSorted.end(), folded,
                                        [](RowIndex index, std::string_view word) { return kWords[index] < word; });
    if (found == kSorted.end() || kWords[*found] != folded) return std::nullopt;
    return kMeaningRows[*found].values;
}

// The derived rows: one line per word, in byte order, stored in the program as text. It is never parsed as a whole: a
// word is found by binary search, so that it costs nothing at program start.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverlength-strings"
constexpr char kDerivedFile[] =
#include "core/text/derived.inc"
    ;
#pragma GCC diagnostic pop
constexpr std::string_view kDerived(kDerivedFile + 1, sizeof kDerivedFile - 2);  // without the first line break

/// "cat x........q": word, eight numbers, frequency.
struct DerivedLine {
    std::string_view word, numbers;
    char usual;
};
DerivedLine line_at(std::size_t begin) {
    const std::size_t space = kDerived.find(' ', begin);
    return {kDerived.substr(begin, space - begin), kDerived.substr(space + 1, kMeaningWidth), kDerived[space + 1 + kMeaningWidth]};
}
std::size_t next_line(std::size_t begin) { return kDerived.find('\n', begin) + 1; }

std::optional<DerivedLine> derived_line(std::string_view folded) {
    std::size_t low = 0, high = kDerived.size();
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2, before = middle == 0 ? std::string_view::npos : kDerived.rfind('\n', middle - 1);
        const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
        const DerivedLine line = line_at(begin);
        if (line.word == folded) return line;
        if (line.word < folded)
            low = next_line(begin);
        else
            high = begin;
    }
    return std::nullopt;
}

/// Each letter encodes a number: . is 0, a is 0.05, b is 0.1 … z is 1.3, A is -0.05 …
MeaningVector numbers_of(const DerivedLine& line) {
    constexpr float kStep = 20;
    MeaningVector out{};
    for (std::size_t i = 0; i < out.size(); ++i) {
        const char c = line.numbers[i];
        out[i] = c == '.' ? 0.0f : c >= 'a' ? static_cast<float>(c - 'a' + 1) / kStep : -static_cast<float>(c - 'A' + 1) / kStep;
    }
    return out;
}

/// Words derived by a rule from another: quiet-ly, busy-ness. They get the row of `like`, a typical word of their kind,
/// with the feeling of the base word.
struct MakingRule {
    std::string_view ending, of, like;
};
constexpr MakingRule kMakingRules[] = {
    {"ically", "ic", "gently"}, {"ily", "y", "gently"},         {"bly", "ble", "gently"},       {"ly", "", "gently"},
    {"iness", "y", "abruptness"}, {"ness", "", "abruptness"},
};
constexpr std::size_t kShortestMaker = 3, kFeeling = 6;
static_assert(kFeatures[kFeeling] == "feeling");

std::optional<FoundMeaning> find_made(std::string_view token, int makings);

/// `makings`: how many derivations are allowed: un-surprising-ly has two.
std::optional<MeaningVector> row_of_made(std::string_view word, int makings) {
    if (makings == 0) return std::nullopt;
    const auto row_of = [&](std::string_view part) { return find_made(part, makings - 1); };
    for (const MakingRule& rule : kMakingRules) {
        if (!word.ends_with(rule.ending)) continue;
        const std::string base = std::string(word.substr(0, word.size() - rule.ending.size())).append(rule.of);
        const auto of = base.size() < kShortestMaker ? std::nullopt : row_of(base);
        const auto line = of ? derived_line(rule.like) : std::nullopt;
        if (!line) continue;
        MeaningVector out = numbers_of(*line);
        out[kFeeling] = of->values[kFeeling];
        return out;
    }
    // un-groomed has the opposite feeling.
    constexpr std::string_view kNot = "un";
    if (word.starts_with(kNot) && word.size() >= kNot.size() + kShortestMaker)
        if (const auto of = row_of(word.substr(kNot.size()))) {
            MeaningVector out = of->values;
            out[kFeeling] = -out[kFeeling];
            return out;
        }
    // The last word of a compound says what it is: dog-tired, half-term; but not put-up, whose last word says little
    // alone.
    const std::size_t hyphen = word.rfind('-');
    if (hyphen == std::string_view::npos || hyphen == 0 || word.size() - hyphen <= kShortestMaker) return std::nullopt;
    const auto first = row_of(word.substr(0, word.find('-'))), last = row_of(word.substr(hyphen + 1));
    return first && last ? std::optional(last->values) : std::nullopt;
}

/// Numbers and punctuation have the row of their kind.
constexpr MeaningVector kNumberRow = {0, .1f, .7f, .05f, .45f, 0, .05f, .75f}, kPunctuationRow = {0, 0, .05f, .05f, .15f, 0, 0, .05f};
std::optional<MeaningVector> row_of_kind(std::string_view word) {
    bool digits = false, others = false, letters = false;
    for (std::size_t at = 0; at < word.size();) {
        const CodePoint point = decode_utf8(word, at);
        const CharKind kind = kind_of(point.value);
        digits = digits || kind == CharKind::Digit;
        letters = letters || (kind != CharKind::Digit && kind != CharKind::Punctuation);
        others = others || kind == CharKind::Punctuation;
        at += point.length;
    }
    // 9th, 1920s, 10-hit: what begins with a digit is a number.
    if (letters && !(word[0] >= '0' && word[0] <= '9')) return std::nullopt;
    return digits ? std::optional(kNumberRow) : others ? std::optional(kPunctuationRow) : std::nullopt;
}

constexpr std::size_t kLongestBytes = 64;  // longer than any word of the table: avoids case-folding a megabyte

}  // namespace

std::span<const std::string_view> meaning_features() { return kFeatures; }

std::span<const std::string_view> meaning_words() { return kWords; }

std::size_t longest_meaning_word() {
    constexpr std::size_t kLongestDerived = 4;
    constexpr std::size_t kLongest = [] {
        std::size_t longest = kLongestDerived;
        for (const std::string_view word : kWords) {
            // Three bytes per character in the scripts concerned; ASCII words do not count.
            const bool ascii = static_cast<unsigned char>(word[0]) < 0x80;
            if (!ascii) longest = std::max(longest, word.size() / 3);
        }
        return longest;
    }();
    return kLongest;
}

namespace {

std::optional<FoundMeaning> find_made(std::string_view token, int makings) {
    if (token.empty() || token.size() > kLongestBytes) return std::nullopt;
    const std::string word = with_plain_apostrophes(fold_case(token));
    const auto look = [](std::string_view one) -> std::optional<FoundMeaning> {
        if (const auto chosen = look_up(one)) return FoundMeaning{*chosen, MeaningOrigin::Chosen};
        if (const auto line = derived_line(one)) return FoundMeaning{numbers_of(*line), MeaningOrigin::Derived};
        return std::nullopt;
    };
    if (const auto found = look(word)) return found;
    for (const auto& bases : {base_forms(word), compared_forms(word)}) {
        // First the hand-chosen ones: "crosses" comes from "cross", not from "crosse".
        for (const std::string& base : bases)
            if (const auto chosen = look_up(base)) return FoundMeaning{*chosen, MeaningOrigin::Chosen};
        for (const std::string& base : bases)
            if (const auto found = look(base)) return found;
    }
    if (const auto row = row_of_kind(word)) return FoundMeaning{*row, MeaningOrigin::OfKind};
    if (const auto row = row_of_made(word, makings)) return FoundMeaning{*row, MeaningOrigin::Derived};
    return std::nullopt;
}

}  // namespace

std::optional<FoundMeaning> find_meaning(std::string_view token) {
    constexpr int kMostMakings = 2;
    return find_made(token, kMostMakings);
}

std::optional<MeaningVector> meaning_of(std::string_view token) {
    const auto found = find_meaning(token);
    return found ? std::optional(found->values) : std::nullopt;
}

std::optional<MeaningVector> derived_meaning(std::string_view word) {
    const auto line = derived_line(word);
    return line ? std::optional(numbers_of(*line)) : std::nullopt;
}

std::vector<std::string_view> derived_words() {
    std::vector<std::string_view> out;
    for (std::size_t at = 0; at < kDerived.size(); at = next_line(at)) out.push_back(line_at(at).word);
    return out;
}

int usualness(std::string_view word) {
    const auto line = derived_line(word);
    return line ? line->usual - 'a' : look_up(word) ? 8 : -1;
}

namespace {

/// Edit distance with insertion, deletion, substitution and swap of neighbours; above `most` it is not computed
/// further.
std::size_t letters_apart(std::string_view a, std::string_view b, std::size_t most) {
    constexpr std::size_t kLongest = 32;
    if (a.size() > kLongest || b.size() > kLongest) return most + 1;
    std::array<std::array<std::size_t, kLongest + 1>, kLongest + 1> cost{};
    for (std::size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
    for (std::size_t j = 0; j <= b.size(); ++j) cost[0][j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i)
        for (std::size_t j = 1; j <= b.size(); ++j) {
            cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0u : 1u)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
        }
    return cost[a.size()][b.size()];
}

}  // namespace

std::vector<std::string> closest_meaning_words(std::string_view token, std::size_t count) {
    const std::string folded = with_plain_apostrophes(fold_case(token.substr(0, kLongestBytes)));
    const bool letters = std::all_of(folded.begin(), folded.end(), [](char c) { return (c >= 'a' && c <= 'z') || c == '\'' || c == '-'; });
    if (!letters || folded.size() < 3 || token.size() > kLongestBytes) return {};
    const std::size_t most = folded.size() < 6 ? 1 : 2;
    struct Candidate {
        std::size_t apart;
        int usual;
        std::string_view word;
    };
    std::vector<Candidate> found;
    const auto offer = [&](std::string_view word, int usual) {
        if (word.size() + most < folded.size() || word.size() > folded.size() + most) return;
        if (const std::size_t apart = letters_apart(folded, word, most); apart <= most) found.push_back({apart, usual, word});
    };
    for (std::size_t at = 0; at < kDerived.size(); at = next_line(at))
        if (const DerivedLine line = line_at(at); static_cast<unsigned char>(line.word[0]) < 0x80 && !look_up(line.word))
            offer(line.word, line.usual - 'a');
    for (const std::string_view word : kWords) offer(word, usualness(word));
    std::sort(found.begin(), found.end(), [](const Candidate& a, const Candidate& b) {
        if (a.apart != b.apart) return a.apart < b.apart;
        return a.usual != b.usual ? a.usual > b.usual : a.word < b.word;
    });
    std::vector<std::string> out;
    for (std::size_t i = 0; i < std::min(count, found.size()); ++i) out.emplace_back(found[i].word);
    return out;
}

}  // namespace attn
