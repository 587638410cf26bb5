#pragma once
// The sentence pairs for learning translation: English with French or Chinese, from a small grammar: adjectives after
// the noun in French, place and time before the verb in Chinese, a classifier for every noun.

#include <vector>

#include "core/base/random.h"
#include "core/train/drills.h"

namespace attn::train::task::pairs {

/// Words are ids of words().
struct Pair {
    std::vector<int> source, target;  ///< the target begins with the word that names its language, fr or zh
    std::vector<int> from;            ///< for each target word, the position of the English word it translates
    bool to_french = false;
};

/// The most words of a pair.
inline constexpr int kLongestSource = 12, kLongestTarget = 19;

const Vocabulary& words();
Pair any_pair(Random& random);

}  // namespace attn::train::task::pairs
