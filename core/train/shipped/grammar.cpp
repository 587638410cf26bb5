#include "core/train/shipped/grammar.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>

#include "core/text/unicode.h"
#include "core/train/shipped/lexicon.h"

namespace attn::train {

/// One clause being built.
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
        const bool like_them = chance(0.35);
        const std::vector<std::string>& more = held ? words.more_held : words.more;
        const std::vector<std::string>& from = like_them && !more.empty() ? more : held || words.known.empty() ? words.held : words.known;
        return {from[g_.below(from.size())], of};
    }
    Word subject() {
        return word({Class::Men, Class::Women, Class::People, Class::Animals, Class::Animals, Class::Animals, Class::Birds, Class::Fish});
    }
    Word somebody() {
        return word({Class::Men, Class::Women, Class::People, Class::People, Class::MenNames, Class::WomenNames});
    }
    /// A noun that "it" can refer to, besides persons.
    Word something() {
        return word({Class::Animals, Class::Animals, Class::Birds, Class::Machines, Class::Machines, Class::Objects, Class::Objects,
                     Class::Objects, Class::Food, Class::Texts, Class::Drinks, Class::Places});
    }
    /// An adjective for a temporary state in a story, not only for looks.
    Word state_of(Class c) {
        if (is_animal(c) || is_person(c)) return word({Class::Feelings, Class::Feelings, Class::Feelings, Class::Looks});
        if (c == Class::Food || c == Class::Drinks) return word({Class::Tastes});
        if (c == Class::Ways) return word({Class::Widths});
        return word({Class::States, Class::States, Class::Looks});
    }
    /// A verb for something done to it.
    Word done_to(Class c) {
        if (c == Class::Food) return word({Class::Eats, Class::Takes});
        if (c == Class::Drinks) return word({Class::Sips, Class::Takes});
        if (c == Class::Texts) return word({Class::Reads, Class::Takes});
        if (is_animal(c)) return word({Class::Hunts, Class::Senses, Class::Meets, Class::Takes});
        if (is_person(c)) return word({Class::Meets, Class::Senses});
        return word({Class::Takes, Class::Takes, Class::Senses});
    }
    /// A verb for something it does by itself.
    Word goes_on(Class c) {
        if (is_person(c)) return word({Class::Moves, Class::Minds, Class::Rests});
        if (is_animal(c)) return word({Class::Moves, Class::Barks, Class::Rests});
        return word({Class::Runs, Class::Moves});
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
        return word({Class::Eats, Class::Sips, Class::Reads, Class::Takes, Class::Takes, Class::Senses, Class::Meets});
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
                return word({Class::Machines, Class::Objects, Class::Objects});
            case Class::Meets:
                return word({Class::Men, Class::Women, Class::People, Class::MenNames, Class::WomenNames});
            default:
                return word({Class::Men, Class::Women, Class::People, Class::Animals, Class::Birds, Class::Fish, Class::Machines, Class::Texts});
        }
    }
    std::string_view pronoun(Class c, bool object = false, bool many = false) {
        const bool woman = c == Class::Women || c == Class::WomenNames || (c == Class::People && chance(0.5));
        if (many) return zh() ? (is_person(c) ? (woman ? "她们" : "他们") : "它们") : object ? "them" : "they";
        if (!is_person(c)) return zh() ? "它" : "it";
        if (woman) return zh() ? "她" : object ? "her" : "she";
        return zh() ? "他" : object ? "him" : "he";
    }

    int put(std::string_view token) {
        out_.tokens.emplace_back(token);
        return static_cast<int>(out_.tokens.size()) - 1;
    }
    void link(int from, int to, Relation relation) { out_.links.push_back({from, to, relation}); }

    /// Article or classifier, adjective, noun; returns the noun's position.
    int noun(const Word& n, double adjective, double counted = 0.6, bool always = false) {
        int article = -1, count = -1, described = -1;
        if (is_name(n.of)) return put(n.text);
        if (!zh()) {
            article = put(one_of({"the", "the", "the", "a", "a", "my", "his", "her", "this", "our"}));
        } else if (is_person(n.of) && chance(0.12)) {
            put(one_of({"我", "他", "她", "我们"}));
            if (chance(0.5)) put("的");
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
    /// "too tired", about the word at `of`.
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
        // One draw per statement, because the evaluation order of arguments depends on the compiler.
        const std::string_view degree = chance(0.4) ? (zh() ? "很" : "very") : "";
        predicate(word({Class::Feelings}), at, degree);
        finished(0.5);
    }
    /// The boy saw the bird and he / it …: the meaning decides the pronoun.
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

    // Sentences like those that users type.
    void conjunction(std::initializer_list<std::string_view> english, std::initializer_list<std::string_view> chinese) {
        if (chance(zh() ? 0.85 : 0.3)) put(zh() ? "，" : ",");
        const std::string_view word = zh() ? one_of(chinese) : one_of(english);
        if (!word.empty()) put(word);
    }
    void manner() {
        if (chance(0.12)) put(word({Class::Manners}).text);
    }
    int refer(Class c, int to, bool object = false, bool many = false) {
        const int at = put(pronoun(c, object, many));
        link(at, to, Relation::PronounNoun);
        return at;
    }
    /// A verb after a pronoun, linked to the pronoun's noun as well.
    int second_verb(const Word& v, int pronoun_at, int of) {
        const int at = put(v.text);
        link(at, of, Relation::SecondVerbNoun);
        link(at, pronoun_at, Relation::SecondVerbPronoun);
        return at;
    }
    /// A pronoun and a statement about it: it was too hot, he ran, he washed it (if `other` can be the object).
    void said_of(Class c, int of, Class other, int other_at, bool many = false) {
        const int p = refer(c, of, false, many);
        const double kind = g_.random_.uniform();
        if (kind < 0.45) {
            if (!zh()) put(many ? one_of({"were", "are"}) : one_of({"was", "is", "was", "looked"}));
            const Word a = state_of(c);
            const std::string_view degree = zh() ? one_of({"很", "太", "非常", "不", "真"}) : chance(0.5) ? one_of({"very", "too", "so", "not", "really"}) : "";
            predicate(a, of, degree);
            finished(0.4);
            return;
        }
        manner();
        if (!zh() && chance(0.12)) put(one_of({"can", "could", "will", "did", "does"}));
        if (!zh() && chance(0.1)) put("not");
        if (zh() && chance(0.15)) put(one_of({"不", "没有", "想", "要", "会", "能"}));
        if (kind < 0.75 && other_at >= 0 && is_person(c) != is_person(other)) {
            const bool ba = zh() && chance(0.25);
            if (ba) refer(other, other_at, true), put(word({Class::Takes}).text);
            else {
                const int v = second_verb(is_person(c) ? done_to(other) : word({Class::Senses, Class::Hunts}), p, of);
                const int o = refer(other, other_at, true);
                link(v, o, Relation::VerbObject);
            }
            finished(0.3);
            return;
        }
        second_verb(goes_on(c), p, of);
        if (chance(0.35)) place(0.1);
        else if (!zh() && chance(0.4)) put(one_of({"away", "down", "again", "home", "loudly", "well"}));
        finished(0.5);
    }
    void two_of_them() {
        const Word first = somebody(), second = something();
        const bool many = !is_name(first.of) && chance(0.15);
        const int at = noun(first, 0.2, 0.25);
        if (many && zh() && chance(0.7)) put("们");
        manner();
        const Word v = done_to(second.of);
        const bool ba = zh() && chance(0.2);
        if (ba) put("把");
        const int v_at = ba ? -1 : verb(v, at);
        if (!ba) finished(0.35);
        const int other = noun(second, 0.25, 0.5);
        if (!ba) link(v_at, other, Relation::VerbObject);
        if (ba) verb(v, at), put("了");
        if (chance(0.2)) place(0.1);
        conjunction({"and", "because", "but", "so", "when", "and", "then", "although"}, {"", "", "因为", "所以", "但是", "可是", "就", "而且", "然后"});
        if (chance(0.5)) return said_of(first.of, at, second.of, other, many);
        said_of(second.of, other, first.of, many ? -1 : at);
    }
    /// One noun with two statements about it.
    void one_of_them() {
        const bool person = chance(0.35);
        const Word s = person ? somebody() : something();
        const bool many = !is_name(s.of) && chance(0.15);
        const bool before = chance(0.3);
        if (before) put(zh() ? one_of({"因为", "虽然", "如果", "当"}) : one_of({"when", "because", "although", "if", "while"}));
        const int at = noun(s, 0.25, 0.4);
        if (chance(0.5)) {
            if (!zh()) put(many ? "were" : one_of({"is", "was", "was"}));
            predicate(state_of(s.of), at, zh() ? one_of({"很", "太", "不", "非常"}) : chance(0.5) ? one_of({"very", "too", "not", "so"}) : "");
            finished(0.5);
        } else {
            manner();
            verb(goes_on(s.of), at);
            finished(0.3);
            if (chance(0.4)) place(0.1);
        }
        if (before) put(zh() ? "，" : ",");
        if (before && zh() && chance(0.6)) put(one_of({"所以", "但是", "就"}));
        if (!before) conjunction({"and", "because", "but", "so", "when", "although", "until"}, {"", "因为", "所以", "但是", "可是"});
        if (person || chance(0.5)) return said_of(s.of, at, s.of, -1, many);
        // Somebody does something to it.
        const bool me = chance(0.35);
        const int who = me ? put(zh() ? one_of({"我", "你", "我们", "大家"}) : one_of({"i", "you", "we", "everyone"})) : noun(somebody(), 0.1, 0.2);
        if (!zh() && chance(0.2)) put(one_of({"can", "could", "do", "did", "will", "must", "should"})), chance(0.5) ? put("not") : 0;
        if (!zh() && chance(0.15)) put(one_of({"want", "need", "try", "have"})), put("to");
        if (zh() && chance(0.35)) {
            put(one_of({"把", "给"}));
            refer(s.of, at, true);
            verb(done_to(s.of), who);
            finished(0.7);
            return;
        }
        if (zh() && chance(0.25)) put(one_of({"不", "没有", "想", "要", "都"}));
        const int v = verb(done_to(s.of), who);
        const int o = refer(s.of, at, true);
        link(v, o, Relation::VerbObject);
    }
    void passive() {
        const Word s = something(), by = chance(0.7) ? somebody() : word({Class::Animals});
        const int at = noun(s, 0.3, 0.4);
        if (zh()) {
            put("被");
            noun(by, 0.1, 0.2);
            put(done_to(s.of).text);
            put("了");
        } else {
            put(one_of({"was", "is"}));
            put(done_to(s.of).text);
            put("by");
            noun(by, 0.1);
        }
        conjunction({"and", "because", "but", "so"}, {"", "", "因为", "所以", "但是"});
        said_of(s.of, at, s.of, -1);
    }
    void giving() {
        const bool girl = chance(0.5);
        const Word a = girl ? word({Class::Women, Class::WomenNames}) : word({Class::Men, Class::MenNames});
        const Word c = girl ? word({Class::Men, Class::MenNames}) : word({Class::Women, Class::WomenNames});
        const Word b = word({Class::Objects, Class::Objects, Class::Texts, Class::Food, Class::Machines, Class::Animals});
        const int giver = noun(a, 0.1, 0.2), v = verb(word({Class::Gives}), giver);
        const int taker = noun(c, 0.1, 0.1);
        const int gift = noun(b, 0.2, 0.8);
        link(v, gift, Relation::VerbObject);
        conjunction({"and", "because", "so", "but"}, {"", "", "因为", "所以", "但是"});
        const double meant = g_.random_.uniform();
        if (meant < 0.4) return said_of(c.of, taker, b.of, gift);
        if (meant < 0.6) return said_of(a.of, giver, b.of, gift);
        said_of(b.of, gift, c.of, taker);
    }
    /// It was too big: the object that had to go in. Too small: the other one.
    void fitting() {
        const Word small = word({Class::Objects, Class::Machines}), large = word({Class::Objects, Class::Places});
        const int first = noun(small, 0.1, 0.3);
        if (zh()) put("放"), put("不"), put("进");
        else put("did"), put("not"), put("fit"), put(one_of({"in", "into"}));
        const int second = noun(large, 0.1, 0.3);
        conjunction({"because"}, {"因为"});
        const bool big = chance(0.5);
        const int of = big ? first : second;
        refer(Class::Objects, of);
        if (!zh()) put("was");
        const std::string_view how = zh() ? (big ? "大" : "小") : (big ? "big" : "small");
        const int degree = put(zh() ? "太" : "too"), a = put(how);
        link(degree, a, Relation::DegreeAdjective);
        link(a, of, Relation::PredicateNoun);
        finished(1);
    }

    // Sentence shapes that are held out from training.
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
    void until() {
        const Word a = somebody(), b = something();
        const int at = noun(a, 0.1, 0.2), v = verb(done_to(b.of), at), other = noun(b, 0.2, 0.3);
        link(v, other, Relation::VerbObject);
        if (zh()) put("，");
        put(zh() ? "直到" : "until");
        const int p = refer(b.of, other);
        second_verb(goes_on(b.of), p, other);
        finished(1);
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
    constexpr double kOfTheirOwnAccord = 0.6;
    if (chance(kOfTheirOwnAccord)) {
        switch (g_.below(10)) {
            case 0:
            case 1:
            case 2:
            case 3:
                two_of_them();
                break;
            case 4:
            case 5:
            case 6:
                one_of_them();
                break;
            case 7:
                passive();
                break;
            case 8:
                giving();
                break;
            default:
                fitting();
        }
        return std::move(out_);
    }
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
    switch (g_.below(4)) {
        case 3:
            until();
            break;
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

/// Cuts a sentence into characters: links of a word become links of its last character.
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
        if (chance(out.tokens.size() > 12 ? kTwoClauses / 2 : kTwoClauses)) {
            if (chance(0.25)) out.tokens.emplace_back(chinese ? "，" : ",");
            constexpr std::array<std::string_view, 4> kAnd = {"and", "but", "then", "so"};
            constexpr std::array<std::string_view, 3> kAndThen = {"也", "就", "所以"};
            out.tokens.emplace_back(chinese ? kAndThen[below(kAndThen.size())] : kAnd[below(kAnd.size())]);
            append(out, clause());
        }
        if (chance(0.25)) out.tokens.emplace_back(chinese ? "。" : ".");
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

}  // namespace attn::train
