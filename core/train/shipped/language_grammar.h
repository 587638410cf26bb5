#pragma once
// The grammar that the included language model read, as it was then: its texts, and with them its bytes and what it was measured
// on, stay the same while the grammar of the questions (grammar.h) grows.
//
// Sentences with a meaning that can be checked: a small grammar of English and Chinese over the words of the table of
// meanings, which knows of each sentence who does what, what describes what, and what a pronoun stands for.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/random.h"

namespace attn::train::language_text {

/// What one word has to do with another, as a question asked of the first.
enum class Relation : std::uint8_t {
    PronounNoun,      ///< it -> the cat; 它 -> 小猫
    PredicateNoun,    ///< (the cat was) tired -> cat
    SecondVerbNoun,   ///< (… and it) ran -> what "it" stands for
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

/// Which words and shapes.
enum class Unseen : std::uint8_t { None, Words, Shapes };

inline constexpr int kLongestSentence = 24;

/// Sentences of one or two clauses, at most kLongestSentence tokens; half of them Chinese, cut into words, or one time in
/// four into characters (what is asked of a word is then asked of its last character).
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

/// Every word of the grammar, for tests: all of them have a row in the table of meanings.
std::vector<std::string> grammar_words();

}  // namespace attn::train::language_text
