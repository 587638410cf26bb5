#include "core/train/tasks/translation_pairs.h"

#include "core/text/tokenizer.h"

namespace attn::train::task::pairs {
namespace {

struct Noun { std::string_view english, classifier, chinese, french; char gender, kind; };
struct Adjective { std::string_view english, chinese, masculine, feminine; bool before; };
struct Verb { std::string_view english, chinese, french; };
using Time = Verb;
struct Place { std::string_view english, chinese, side, article, french; };

constexpr std::array kNouns = {
#define NOUN(...) Noun{__VA_ARGS__},
#include "core/train/tasks/translation_words.inc"
};
constexpr std::array kAdjectives = {
#define ADJECTIVE(...) Adjective{__VA_ARGS__},
#include "core/train/tasks/translation_words.inc"
};
constexpr std::array kVerbs = {
#define VERB(...) Verb{__VA_ARGS__},
#include "core/train/tasks/translation_words.inc"
};
constexpr std::array kTimes = {
#define TIME(...) Time{__VA_ARGS__},
#include "core/train/tasks/translation_words.inc"
};
constexpr std::array kPlaces = {
#define PLACE(...) Place{__VA_ARGS__},
#include "core/train/tasks/translation_words.inc"
};

/// Tokenized like a document: a Chinese word that the table of meanings lacks becomes characters.
std::vector<std::string> cut(std::string_view text) {
    constexpr std::size_t kMost = 16;
    std::vector<std::string> out;
    for (const Token& token : tokenize(text, *find_tokenizer("words"), kMost).tokens) out.push_back(token.text);
    return out;
}

const Vocabulary& vocabulary() {
    static const Vocabulary kWords = [] {
        Vocabulary out("zh fr . 。 the a in 那 一 在 了 le la un une dans");
        const auto add = [&out](std::initializer_list<std::string_view> words) {
            for (const std::string_view word : words)
                for (const std::string& part : cut(word)) out.add(part);
        };
        for (const Noun& n : kNouns) add({n.english, n.classifier, n.chinese, n.french});
        for (const Adjective& a : kAdjectives) add({a.english, a.chinese, a.masculine, a.feminine});
        for (const Verb& v : kVerbs) add({v.english, v.chinese, v.french});
        for (const Time& t : kTimes) add({t.english, t.chinese, t.french});
        for (const Place& p : kPlaces) add({p.english, p.chinese, p.side, p.french});
        return out;
    }();
    return kWords;
}

template <class Row, std::size_t kCount>
int any(Random& random, const std::array<Row, kCount>&) {
    return below(random, static_cast<int>(kCount));
}

/// The content of a sentence, and the positions of its English words.
struct Thing {
    const Noun* noun = nullptr;
    const Adjective* adjective = nullptr;  ///< or none
    bool known = true;                     ///< definite article, else indefinite
    int article_at = 0, adjective_at = 0, noun_at = 0;
};
struct Clause {
    const Time* time = nullptr;
    const Place* place = nullptr;
    const Verb* verb = nullptr;
    Thing who, whom;
    int time_at = 0, verb_at = 0, in_at = 0, place_at = 0, end_at = 0;
};

struct Text {
    std::vector<int> words;
    std::vector<int> from;  ///< for each word, the English word it translates
    int say(std::string_view text, int place = 0) {
        const int first = static_cast<int>(words.size());
        for (const std::string& part : cut(text)) {
            words.push_back(vocabulary()[part]);
            from.push_back(place);
        }
        return first;
    }
};

Thing any_thing(Random& random, bool subject) {
    Thing out;
    do out.noun = &kNouns[static_cast<std::size_t>(any(random, kNouns))];
    while (subject && out.noun->kind != 'p');
    if (chance(random, 0.6)) out.adjective = &kAdjectives[static_cast<std::size_t>(any(random, kAdjectives))];
    out.known = chance(random, subject ? 0.7 : 0.4);
    return out;
}

void say_english(Text& out, Thing& thing) {
    thing.article_at = out.say(thing.known ? "the" : "a");
    if (thing.adjective) thing.adjective_at = out.say(thing.adjective->english);
    thing.noun_at = out.say(thing.noun->english);
}
Text english(Clause& c) {
    Text out;
    if (c.time) c.time_at = out.say(c.time->english);
    say_english(out, c.who);
    c.verb_at = out.say(c.verb->english);
    say_english(out, c.whom);
    if (c.place) {
        c.in_at = out.say("in");
        out.say("the");
        c.place_at = out.say(c.place->english);
    }
    c.end_at = out.say(".");
    return out;
}

void say_french(Text& out, const Thing& thing) {
    const bool she = thing.noun->gender == 'f';
    const Adjective* a = thing.adjective;
    out.say(thing.known ? she ? "la" : "le" : she ? "une" : "un", thing.article_at);
    if (a && a->before) out.say(she ? a->feminine : a->masculine, thing.adjective_at);
    out.say(thing.noun->french, thing.noun_at);
    if (a && !a->before) out.say(she ? a->feminine : a->masculine, thing.adjective_at);
}
Text french(const Clause& c) {
    Text out;
    out.say("fr");
    if (c.time) out.say(c.time->french, c.time_at);
    say_french(out, c.who);
    out.say("a", c.verb_at);
    out.say(c.verb->french, c.verb_at);
    say_french(out, c.whom);
    if (c.place) {
        out.say("dans", c.in_at);
        out.say(c.place->article, c.place_at - 1);
        out.say(c.place->french, c.place_at);
    }
    out.say(".", c.end_at);
    return out;
}

void say_chinese(Text& out, const Thing& thing) {
    out.say(thing.known ? "那" : "一", thing.article_at);
    out.say(thing.noun->classifier, thing.noun_at);
    if (thing.adjective) out.say(thing.adjective->chinese, thing.adjective_at);
    out.say(thing.noun->chinese, thing.noun_at);
}
Text chinese(const Clause& c) {
    Text out;
    out.say("zh");
    if (c.time) out.say(c.time->chinese, c.time_at);
    say_chinese(out, c.who);
    if (c.place) {
        out.say("在", c.in_at);
        out.say(c.place->chinese, c.place_at);
        out.say(c.place->side, c.in_at);
    }
    out.say(c.verb->chinese, c.verb_at);
    out.say("了", c.verb_at);
    say_chinese(out, c.whom);
    out.say("。", c.end_at);
    return out;
}

}  // namespace

const Vocabulary& words() { return vocabulary(); }

Pair any_pair(Random& random) {
    Clause clause;
    if (chance(random, 0.5)) clause.time = &kTimes[static_cast<std::size_t>(any(random, kTimes))];
    if (chance(random, 0.5)) clause.place = &kPlaces[static_cast<std::size_t>(any(random, kPlaces))];
    clause.verb = &kVerbs[static_cast<std::size_t>(any(random, kVerbs))];
    clause.who = any_thing(random, true);
    clause.whom = any_thing(random, false);
    const bool to_french = chance(random, 0.5);
    const Text source = english(clause);
    const Text target = to_french ? french(clause) : chinese(clause);
    return {source.words, target.words, target.from, to_french};
}

}  // namespace attn::train::task::pairs
