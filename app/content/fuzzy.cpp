#include "app/content/fuzzy.h"

#include <algorithm>
#include <string>

namespace app {
namespace {

constexpr int kBegins = 100, kWordBegins = 80, kInside = 50, kScattered = 20;
constexpr int kMostGaps = 15;  ///< the most that gaps between letters can cost
constexpr std::size_t kShortestScattered = 3;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string lowered(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), lower);
    return out;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

/// The query's letters in order, anywhere; fewer letters in between score higher.
int scattered(std::string_view word, std::string_view text) {
    if (word.size() < kShortestScattered || !std::all_of(word.begin(), word.end(), is_letter)) return 0;
    std::size_t at = 0;
    int gaps = 0;
    for (const char c : word) {
        const std::size_t found = text.find(c, at);
        if (found == std::string_view::npos) return 0;
        // A letter that begins a word scores like one that directly follows the previous match.
        if (at > 0 && found > at && is_letter(text[found - 1])) gaps += static_cast<int>(found - at);
        at = found + 1;
    }
    return std::max(1, kScattered - std::min(gaps, kMostGaps));
}

int word_score(std::string_view word, std::string_view text) {
    int best = 0;
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
        if (at == 0) return kBegins;
        best = std::max(best, is_letter(text[at - 1]) ? kInside : kWordBegins);
    }
    return best > 0 ? best : scattered(word, text);
}

}  // namespace

int fuzzy_score(std::string_view query, std::string_view text) {
    const std::string words = lowered(query), in = lowered(text);
    int sum = 1;
    for (std::size_t at = 0; at < words.size();) {
        const std::size_t end = std::min(words.find(' ', at), words.size());
        if (end > at) {
            const int score = word_score(std::string_view(words).substr(at, end - at), in);
            if (score == 0) return 0;
            sum += score;
        }
        at = end + 1;
    }
    return sum;
}

}  // namespace app
