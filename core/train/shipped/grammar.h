#pragma once
// Sentences whose meaning can be checked: a small grammar of English and Chinese over the words of the table of
// meanings. For each sentence it records who does what, what describes what, and what a pronoun refers to.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/random.h"

namespace attn::train {

/// The relation of one word to another, as the answer to a question about the first.
enum class Relation : std::uint8_t {
    PronounNoun,      ///< it -> the cat; 它 -> 小猫
    PredicateNoun,    ///< (the cat was) tired -> cat
    SecondVerbNoun,   ///< (… and it) ran -> the noun that "it" refers to
    SecondVerbPronoun,
    VerbSubject,      ///< sat -> cat
    NounAdjective,    ///< cat -> tired
    NounClassifier,   ///< 猫 -> 只
    AdjectiveNoun,    ///< tired -> cat
    ClassifierNoun,   ///< 只 -> 猫
    ArticleNoun,      ///< the -> cat
    DegreeAdjective,  ///< too -> tired
    VerbObject,       ///< chase -> mouse
};
inline constexpr int kRelationCount = 12;
std::string_view relation_id(Relation relation);

struct Sentence {
    struct Link {
        int from, to;
        Relation relation;
    };
    std::vector<std::string> tokens;
    std::vector<Link> links;
    bool chinese = false;
};

/// Which words and sentence shapes to use: those of training, held-out words, or held-out shapes.
enum class Unseen : std::uint8_t { None, Words, Shapes };

inline constexpr int kLongestSentence = 40;

/// Sentences of one to four clauses, at most kLongestSentence tokens. Half of them are Chinese, cut into words, or in a
/// quarter of cases into characters (a question about a word is then asked about its last character).
class Grammar {
public:
    explicit Grammar(std::uint64_t seed, Unseen unseen = Unseen::None) : random_(seed), unseen_(unseen) {}
    Sentence next();

private:
    friend class Clause;
    bool chance(double p) { return random_.uniform() < p; }
    std::size_t below(std::size_t count) { return static_cast<std::size_t>(random_.uniform() * static_cast<double>(count)); }

    Random random_;
    Unseen unseen_;
};

/// Every word of the grammar, for tests: all have a row in the table of meanings.
std::vector<std::string> grammar_words();

}  // namespace attn::train
