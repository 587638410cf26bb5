#include "core/text/word_kind.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "core/text/meaning.h"
#include "core/text/unicode.h"

namespace attn {
namespace {

constexpr std::size_t kLongestPronoun = 16;  // bytes
constexpr std::array<std::string_view, 17> kBack = {"it", "he", "she", "they", "him", "her", "them", "it's", "he's", "she's", "they're", "它", "他", "她", "它们", "他们", "她们"};
constexpr std::string_view kOthers[] = {"i", "me", "you", "we", "us", "who", "whom", "myself", "yourself", "himself", "herself",
                                        "itself", "ourselves", "themselves", "我", "你", "您", "我们", "你们", "咱们", "谁", "自己", "大家",
                                        "everyone", "everybody", "someone", "somebody", "anyone", "nobody"};

}  // namespace

bool refers_back(std::string_view token) {
    if (token.size() > kLongestPronoun) return false;
    const std::string word = with_plain_apostrophes(fold_case(token));
    return std::find(kBack.begin(), kBack.end(), word) != kBack.end();
}

WordKind word_kind(std::string_view token) {
    const auto found = find_meaning(token);
    if (!found) return WordKind::Blank;
    if (found->origin == MeaningOrigin::OfKind) {
        const bool number = std::any_of(token.begin(), token.end(), [](char c) { return c >= '0' && c <= '9'; });
        return number ? WordKind::Number : WordKind::Mark;
    }
    if (refers_back(token)) return WordKind::Pronoun;
    const std::string word = fold_case(token);
    if (std::find(std::begin(kOthers), std::end(kOthers), word) != std::end(kOthers)) return WordKind::Pronoun;
    const auto& [living, person, thing, place, time, action, feeling, mind] = found->values;
    double square = 0;
    for (const float x : found->values) square += static_cast<double>(x) * static_cast<double>(x);
    constexpr double kShort = 0.85;  // function words stay below .8, content words begin at 1.1
    if (square < kShort * kShort) return WordKind::Function;
    const float named = std::max({living, person, thing, place, time});
    constexpr float kMuch = 0.6f;
    if (action >= kMuch && action >= named && action >= std::fabs(feeling)) return WordKind::Does;
    if (std::fabs(feeling) >= kMuch && std::fabs(feeling) >= named) return WordKind::Describes;
    // Seeing, saying and knowing: little happens, but somebody does it.
    if (mind >= kMuch && action >= 0.35f && living >= 0.1f && mind >= named) return WordKind::Does;
    // Colours and sizes: the appearance of a thing.
    if (thing >= 0.65f && (mind >= 0.4f || place >= 0.45f) && person < 0.1f && action < 0.2f && time < 0.35f && living < 0.55f) return WordKind::Describes;
    return WordKind::Names;
}

}  // namespace attn
