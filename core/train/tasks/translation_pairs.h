#pragma once
// The pairs of sentences that translations are learned from: English with French, or with Chinese, by a grammar of ours:
// adjectives behind the noun in French, place and time before the verb in Chinese, a classifier for every noun.

#include <vector>

#include "core/base/random.h"
#include "core/train/drills.h"

namespace attn::train::task::pairs {

/// Words are numbers of words().
struct Pair {
    std::vector<int> source, target;  ///< the target begins with the word that names its language, fr or zh
    std::vector<int> from;            ///< of each word of the target the place of the English word that it says
    bool to_french = false;
};

/// The longest that a pair can be, in words.
inline constexpr int kLongestSource = 12, kLongestTarget = 19;

const Vocabulary& words();
Pair any_pair(Random& random);

}  // namespace attn::train::task::pairs
