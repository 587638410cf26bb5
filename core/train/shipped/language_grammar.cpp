#include "core/train/shipped/language_grammar.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>

#include "core/text/unicode.h"
#include "core/train/shipped/language_lexicon.h"

namespace attn::train::language_text {

/// One clause in the making.
class Clause {
public:
    Clause(Grammar& grammar, bool chinese) : g_(grammar) { out_.chinese = chinese; }

    Sentence seen();
    Sentence unseen();

private:
    using Classes = std::initializer_list<Class>;
    bool zh() const { return out_.chinese; }
    bool chance(double p) { return g_.chance(p); }
    std::string_view one_of(std::initializer_list<std::string_view> words) { return words.begin()[g_.below(words.size())]; }

    Word word(Classes classes) {
        const Class of = classes.begin()[g_.below(classes.size())];
        const ClassWords& words = lexicon(zh())[static_cast<std::size_t>(of)];
        const bool held = g_.unseen_ != Unseen::None && !words.held.empty() && chance(0.8);
        const std::vector<std::string>& from = held || words.known.empty() ? words.held : words.known;
        return {from[g_.below(from.size())], of};
    }
    Word subject() {
        return word({Class::Men, Class::Women, Class::People, Class::Animals, Class::Animals, Class::Animals, Class::Birds, Class::Fish});
    }
    Word adjective_of(Class c) {
        if (is_animal(c)) return word({Class::Feelings, Class::Feelings, Class::Looks});
        if (is_person(c)) return word({Class::Feelings});
        if (c == Class::Food || c == Class::Drinks) return word({Class::Warmths});
        if (c == Class::Ways) return word({Class::Widths});
        return word({Class::Looks});
    }
    /// A verb without an object.
    Word does(Class c) {
        if (c == Class::Birds) return word({Class::Flies, Class::Rests});
        if (c == Class::Fish) return word({Class::Swims});
        if (c == Class::Machines) return word({Class::Runs});
        if (is_animal(c)) return word({Class::Rests, Class::Moves});
        if (c == Class::People) return word({Class::Rests, Class::Minds});
        return word({Class::Rests, Class::Moves, Class::Minds});
    }
    Word does_something(Class c) {
        if (!is_person(c)) return word({Class::Hunts, Class::Eats, Class::Senses});
        return word({Class::Eats, Class::Sips, Class::Reads, Class::Reads, Class::Takes, Class::Senses});
    }
    Word object_of(Class verb) {
        switch (verb) {
            case Class::Hunts:
                return word({Class::Animals, Class::Birds});
            case Class::Eats:
                return word({Class::Food});
            case Class::Sips:
                return word({Class::Drinks});
            case Class::Reads:
                return word({Class::Texts});
            case Class::Takes:
                return word({Class::Machines, Class::Objects});
            default:
                return word({Class::Men, Class::Women, Class::People, Class::Animals, Class::Birds, Class::Fish, Class::Machines, Class::Texts});
        }
    }
    std::string_view pronoun(Class c) {
        const bool woman = c == Class::Women || (c == Class::People && chance(0.5));
        if (!is_person(c)) return zh() ? "它" : "it";
        if (woman) return zh() ? "她" : "she";
        return zh() ? "他" : "he";
    }

    int put(std::string_view token) {
        out_.tokens.emplace_back(token);
        return static_cast<int>(out_.tokens.size()) - 1;
    }
    void link(int from, int to, Relation relation) { out_.links.push_back({from, to, relation}); }

    /// Article or classifier, adjective, noun; the noun's place.
    int noun(const Word& n, double adjective, double counted = 0.6, bool always = false) {
        int article = -1, count = -1, described = -1;
        if (!zh()) {
            article = put(one_of({"the", "the", "a"}));
        } else if (n.of != Class::Food && n.of != Class::Drinks && n.of != Class::Places && chance(counted)) {
            put(chance(0.7) ? "一" : one_of({"这", "那"}));
            count = put(classifier(n, chance(0.5)));
        }
        if (always || chance(adjective)) {
            const Word a = adjective_of(n.of);
            described = put(a.text);
            if (zh() && a.of == Class::Feelings) put("的");
        }
        const int at = put(n.text);
        if (article >= 0) link(article, at, Relation::ArticleNoun);
        if (described >= 0) {
            link(at, described, Relation::NounAdjective);
            link(described, at, Relation::AdjectiveNoun);
        }
        if (count >= 0) {
            link(at, count, Relation::NounClassifier);
            link(count, at, Relation::ClassifierNoun);
        }
        return at;
    }
    int verb(const Word& v, int subject_at) {
        const int at = put(v.text);
        link(at, subject_at, Relation::VerbSubject);
        return at;
    }
    void object(int verb_at, const Word& o, double adjective, double counted = 0.6) {
        const int at = noun(o, adjective, counted);
        link(verb_at, at, Relation::VerbObject);
    }
    void place(double adjective) {
        const Word p = word({Class::Places, Class::Objects});
        put(zh() ? "在" : one_of({"in", "on", "under", "at"}));
        noun(p, adjective, 0.2);
        if (zh()) put(p.of == Class::Places ? "里" : "上");
    }
    /// "too tired", of what stands at `of`.
    void predicate(const Word& a, int of, std::string_view degree) {
        const int before = degree.empty() ? -1 : put(degree);
        const int at = put(a.text);
        if (before >= 0) link(before, at, Relation::DegreeAdjective);
        link(at, of, Relation::PredicateNoun);
    }
    void finished(double p) {
        if (zh() && chance(p)) put("了");
    }

    void intransitive(bool time) {
        if (time) put(word({Class::Times}).text);
        const Word s = subject();
        const int at = noun(s, 0.7);
        verb(does(s.of), at);
        if (chance(zh() ? 0.6 : 0.7)) return place(0.25);
        put(zh() ? "了" : one_of({"down", "up", "here", "there", "again"}));
    }
    void transitive() {
        const Word s = subject();
        const int at = noun(s, 0.5);
        const Word v = does_something(s.of);
        const int v_at = verb(v, at);
        finished(0.3);
        object(v_at, object_of(v.of), 0.5);
    }
    /// The animal did not cross the street because it was too tired / wide.
    void crossing() {
        const Word s = subject(), way = word({Class::Ways});
        const int at = noun(s, 0.15, 0.3);
        put(zh() ? "没" : "did");
        if (!zh()) put("not");
        const int v = verb({zh() ? "过" : "cross", Class::Takes}, at);
        const int way_at = noun(way, 0, 0.3);
        link(v, way_at, Relation::VerbObject);
        put(zh() ? "因为" : "because");
        const bool tired = chance(0.5);
        const int p = put(tired ? pronoun(s.of) : zh() ? "它" : "it"), of = tired ? at : way_at;
        link(p, of, Relation::PronounNoun);
        if (!zh()) put("was");
        predicate(word({tired ? Class::Feelings : Class::Widths}), of, zh() ? "太" : "too");
        finished(0.5);
    }
    void because() {
        const Word s = subject();
        const int at = noun(s, 0.3, 0.3);
        verb(does(s.of), at);
        place(0.15);
        put(zh() ? "因为" : "because");
        link(put(pronoun(s.of)), at, Relation::PronounNoun);
        if (!zh()) put("was");
        // One draw a statement: which of two arguments is drawn first is each compiler's own choice.
        const std::string_view degree = chance(0.4) ? (zh() ? "很" : "very") : "";
        predicate(word({Class::Feelings}), at, degree);
        finished(0.5);
    }
    /// The boy saw the bird and he / it …: the pronoun chooses by meaning.
    void both() {
        Word first = word({Class::Men, Class::Women, Class::People});
        Word second = word({Class::Animals, Class::Animals, Class::Birds, Class::Fish, Class::Machines});
        if (second.of != Class::Machines && chance(0.3)) std::swap(first, second);
        const int at = noun(first, 0.25, 0.3);
        const int v = verb(word({Class::Senses}), at);
        const int other = noun(second, 0.25);
        link(v, other, Relation::VerbObject);
        put(zh() ? "和" : "and");
        const bool back = chance(0.5);
        const Class meant = back ? first.of : second.of;
        const int of = back ? at : other, p = put(pronoun(meant));
        link(p, of, Relation::PronounNoun);
        const int next = put(does(meant).text);
        link(next, of, Relation::SecondVerbNoun);
        link(next, p, Relation::SecondVerbPronoun);
        if (zh()) put("了");
    }
    void copula() {
        const Word s = chance(0.7) ? word({Class::Men, Class::Women, Class::People, Class::Animals, Class::Birds, Class::Fish,
                                           Class::Machines, Class::Food, Class::Drinks, Class::Texts, Class::Objects})
                                   : word({Class::Ways});
        const int at = noun(s, 0.1);
        if (!zh()) put(one_of({"is", "was"}));
        const bool said = zh() || chance(0.5);
        const std::string_view degree = !said ? "" : zh() ? one_of({"很", "太", "不"}) : one_of({"very", "too", "not"});
        predicate(adjective_of(s.of), at, degree);
    }
    void pronoun_subject() {
        if (chance(0.4)) put(word({Class::Times}).text);
        const int at = put(zh() ? one_of({"我", "你", "我们", "他", "她"}) : one_of({"i", "you", "we", "he", "she", "they"}));
        const Word v = does_something(Class::People);
        const int v_at = verb(v, at);
        object(v_at, object_of(v.of), 0.5);
    }
    void greeting() {
        if (zh()) {
            const bool time = chance(0.5);
            if (time) put(one_of({"早上", "上午"}));
            put(time ? "好" : "你好");
            put(word({Class::People, Class::Women}).text);
            return;
        }
        put("good");
        put(one_of({"morning", "evening", "night"}));
        put("my");
        put(word({Class::People}).text);
    }

    // Shapes that no sentence which trains has.
    void described_then_did() {
        const Word s = subject(), look = word({Class::Looks});
        if (!zh()) put("the");
        const int a = put(look.text), at = put(s.text);
        link(at, a, Relation::NounAdjective);
        link(a, at, Relation::AdjectiveNoun);
        put(zh() ? "很" : "was");
        const int f = put(word({Class::Feelings}).text);
        link(f, at, Relation::PredicateNoun);
        put(zh() ? "所以" : "so");
        const int p = put(pronoun(s.of)), v = put(does(s.of).text);
        link(p, at, Relation::PronounNoun);
        link(v, at, Relation::SecondVerbNoun);
        link(v, p, Relation::SecondVerbPronoun);
        if (zh()) put("了");
    }
    void there_then() {
        put(word({Class::Times}).text);
        put(zh() ? "在" : "in");
        if (!zh()) put("the");
        put(word({Class::Places}).text);
        if (zh()) put("里");
        const Word s = subject();
        const int at = noun(s, 1, 1, !zh());
        const Word v = does_something(s.of);
        const int v_at = verb(v, at);
        put(zh() ? "那" : "that");
        const int o = put(object_of(v.of).text);
        link(v_at, o, Relation::VerbObject);
    }
    void can_because() {
        const Word a = subject(), b = subject();
        if (!zh()) put("the");
        const int first = put(a.text);
        put(zh() ? "能" : "can");
        verb(does(a.of), first);
        put(zh() ? "因为" : "because");
        const int second = noun(b, 1, 1, true);
        verb(does(b.of), second);
    }

    Grammar& g_;
    Sentence out_;
};

Sentence Clause::seen() {
    switch (g_.below(12)) {
        case 0:
        case 1:
            intransitive(false);
            break;
        case 2:
        case 3:
            transitive();
            break;
        case 4:
        case 5:
            because();
            break;
        case 6:
            crossing();
            break;
        case 7:
        case 8:
            both();
            break;
        case 9:
            copula();
            break;
        case 10:
            chance(0.5) ? intransitive(true) : pronoun_subject();
            break;
        default:
            chance(0.5) ? greeting() : pronoun_subject();
    }
    return std::move(out_);
}

Sentence Clause::unseen() {
    switch (g_.below(3)) {
        case 0:
            described_then_did();
            break;
        case 1:
            there_then();
            break;
        default:
            can_because();
    }
    return std::move(out_);
}

namespace {

/// Cut into characters: what was asked of a word is asked of its last character, and answered by it.
Sentence in_characters(const Sentence& words) {
    Sentence out;
    out.chinese = true;
    std::vector<int> last;
    for (const std::string& word : words.tokens) {
        for (std::size_t at = 0; at < word.size();) {
            const auto length = static_cast<std::size_t>(decode_utf8(word, at).length);
            out.tokens.push_back(word.substr(at, length));
            at += length;
        }
        last.push_back(static_cast<int>(out.tokens.size()) - 1);
    }
    for (const Sentence::Link& link : words.links)
        out.links.push_back({last[static_cast<std::size_t>(link.from)], last[static_cast<std::size_t>(link.to)], link.relation});
    return out;
}

void append(Sentence& to, const Sentence& more) {
    const auto shift = static_cast<int>(to.tokens.size());
    to.tokens.insert(to.tokens.end(), more.tokens.begin(), more.tokens.end());
    for (const Sentence::Link& link : more.links) to.links.push_back({link.from + shift, link.to + shift, link.relation});
}

constexpr std::array<std::string_view, kRelationCount> kRelationIds = {
    "pronoun_noun", "predicate_noun", "second_verb_noun", "second_verb_pronoun", "verb_subject", "noun_adjective",
    "noun_classifier", "adjective_noun", "classifier_noun", "article_noun", "degree_adjective", "verb_object"};

}  // namespace

std::string_view relation_id(Relation relation) { return kRelationIds[static_cast<std::size_t>(relation)]; }

Sentence Grammar::next() {
    constexpr double kTwoClauses = 0.6, kCharacters = 0.25;
    for (;;) {
        const bool chinese = chance(0.5);
        const auto clause = [&] {
            Clause one(*this, chinese);
            return unseen_ == Unseen::Shapes ? one.unseen() : one.seen();
        };
        Sentence out = clause();
        if (chance(kTwoClauses)) {
            constexpr std::array<std::string_view, 4> kAnd = {"and", "but", "then", "so"};
            constexpr std::array<std::string_view, 3> kAndThen = {"也", "就", "所以"};
            out.tokens.emplace_back(chinese ? kAndThen[below(kAndThen.size())] : kAnd[below(kAnd.size())]);
            append(out, clause());
        }
        if (chinese && chance(kCharacters)) out = in_characters(out);
        if (static_cast<int>(out.tokens.size()) <= kLongestSentence) return out;
    }
}

std::vector<std::string> grammar_words() {
    std::vector<std::string> out;
    for (const bool chinese : {false, true})
        for (const ClassWords& words : lexicon(chinese)) {
            out.insert(out.end(), words.known.begin(), words.known.end());
            out.insert(out.end(), words.held.begin(), words.held.end());
        }
    return out;
}

}  // namespace attn::train::language_text
