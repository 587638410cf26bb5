#include "core/train/shipped/language_grammar.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string_view>

#include "core/text/unicode.h"

namespace attn::train {
namespace {

enum class LanguageClass : std::uint8_t {
#define WORDS(name, english, chinese) name,
#include "core/train/shipped/language_grammar.inc"
#undef WORDS
};
#define WORDS(name, english, chinese) +1
constexpr std::size_t kLanguageClasses = 0
#include "core/train/shipped/language_grammar.inc"
    ;
#undef WORDS

using ClassOf = LanguageClass;
using LanguageWords = std::array<std::vector<std::string>, kLanguageClasses>;

/// The words of a class before "|"; those after it were never in a sentence. If there are none before it, all of them.
std::vector<std::string> words_before_bar(std::string_view list) {
    std::vector<std::string> before, behind;
    bool held = false;
    while (!list.empty()) {
        const std::string_view word = list.substr(0, list.find(' '));
        list.remove_prefix(std::min(list.size(), word.size() + 1));
        if (word == "|")
            held = true;
        else if (!word.empty())
            (held ? behind : before).emplace_back(word);
    }
    return before.empty() ? behind : before;
}

const LanguageWords& language_words(bool chinese) {
    static const LanguageWords kEnglish = {
#define WORDS(name, english, chinese) words_before_bar(english),
#include "core/train/shipped/language_grammar.inc"
#undef WORDS
    };
    static const LanguageWords kChinese = {
#define WORDS(name, english, chinese) words_before_bar(chinese),
#include "core/train/shipped/language_grammar.inc"
#undef WORDS
    };
    return chinese ? kChinese : kEnglish;
}

struct Chosen {
    std::string_view text;
    ClassOf of;
};

bool is_human(ClassOf c) { return c == ClassOf::Men || c == ClassOf::Women || c == ClassOf::People; }
bool is_beast(ClassOf c) { return c == ClassOf::Animals || c == ClassOf::Birds || c == ClassOf::Fish; }

/// The Chinese classifier before a noun.
std::string_view measure_word(const Chosen& noun, bool respectful) {
    if (is_human(noun.of)) return respectful ? "位" : "个";
    if (noun.of == ClassOf::Fish || noun.of == ClassOf::Ways) return "条";
    if (is_beast(noun.of)) return "只";
    if (noun.text == "车") return "辆";
    if (noun.text == "书") return "本";
    return noun.text == "桌子" || noun.text == "椅子" || noun.text == "垫子" ? "张" : "个";
}

/// One clause, written word by word. Each draw is a separate statement, because the evaluation order of arguments
/// depends on the compiler.
class LanguageClause {
public:
    LanguageClause(Random& random, LanguageSentence& out) : random_(random), out_(out) {}

    void write() {
        switch (below(12)) {
            case 0:
            case 1:
                return intransitive(false);
            case 2:
            case 3:
                return transitive();
            case 4:
            case 5:
                return because();
            case 6:
                return crossing();
            case 7:
            case 8:
                return both();
            case 9:
                return copula();
            case 10:
                return chance(0.5) ? intransitive(true) : pronoun_subject();
            default:
                return chance(0.5) ? greeting() : pronoun_subject();
        }
    }

private:
    using Classes = std::initializer_list<ClassOf>;
    bool zh() const { return out_.chinese; }
    bool chance(double p) { return random_.uniform() < p; }
    std::size_t below(std::size_t count) { return static_cast<std::size_t>(random_.uniform() * static_cast<double>(count)); }
    std::string_view one_of(std::initializer_list<std::string_view> words) { return words.begin()[below(words.size())]; }
    void put(std::string_view word) { out_.words.emplace_back(word); }

    Chosen word(Classes classes) {
        const ClassOf of = classes.begin()[below(classes.size())];
        const std::vector<std::string>& words = language_words(zh())[static_cast<std::size_t>(of)];
        return {words[below(words.size())], of};
    }
    Chosen subject() {
        using enum LanguageClass;
        return word({Men, Women, People, Animals, Animals, Animals, Birds, Fish});
    }
    Chosen adjective_of(ClassOf c) {
        using enum LanguageClass;
        if (is_beast(c)) return word({Feelings, Feelings, Looks});
        if (is_human(c)) return word({Feelings});
        if (c == Food || c == Drinks) return word({Warmths});
        return word({c == Ways ? Widths : Looks});
    }
    /// A verb without an object.
    Chosen does(ClassOf c) {
        using enum LanguageClass;
        if (c == Birds) return word({Flies, Rests});
        if (c == Fish) return word({Swims});
        if (c == Machines) return word({Runs});
        if (is_beast(c)) return word({Rests, Moves});
        if (c == People) return word({Rests, Minds});
        return word({Rests, Moves, Minds});
    }
    Chosen does_something(ClassOf c) {
        using enum LanguageClass;
        if (!is_human(c)) return word({Hunts, Eats, Senses});
        return word({Eats, Sips, Reads, Reads, Takes, Senses});
    }
    Chosen object_of(ClassOf verb) {
        using enum LanguageClass;
        if (verb == Hunts) return word({Animals, Birds});
        if (verb == Eats) return word({Food});
        if (verb == Sips) return word({Drinks});
        if (verb == Reads) return word({Texts});
        if (verb == Takes) return word({Machines, Objects});
        return word({Men, Women, People, Animals, Birds, Fish, Machines, Texts});
    }
    std::string_view pronoun(ClassOf c) {
        const bool woman = c == ClassOf::Women || (c == ClassOf::People && chance(0.5));
        if (!is_human(c)) return zh() ? "它" : "it";
        if (woman) return zh() ? "她" : "she";
        return zh() ? "他" : "he";
    }

    /// Article or measure word, adjective, noun.
    void noun(const Chosen& n, double adjective, double counted = 0.6) {
        if (!zh()) {
            put(one_of({"the", "the", "a"}));
        } else if (n.of != ClassOf::Food && n.of != ClassOf::Drinks && n.of != ClassOf::Places && chance(counted)) {
            put(chance(0.7) ? "一" : one_of({"这", "那"}));
            put(measure_word(n, chance(0.5)));
        }
        if (chance(adjective)) {
            const Chosen a = adjective_of(n.of);
            put(a.text);
            if (zh() && a.of == ClassOf::Feelings) put("的");
        }
        put(n.text);
    }
    void place(double adjective) {
        const Chosen p = word({ClassOf::Places, ClassOf::Objects});
        put(zh() ? "在" : one_of({"in", "on", "under", "at"}));
        noun(p, adjective, 0.2);
        if (zh()) put(p.of == ClassOf::Places ? "里" : "上");
    }
    void finished(double p) {
        if (zh() && chance(p)) put("了");
    }

    void intransitive(bool time) {
        if (time) put(word({ClassOf::Times}).text);
        const Chosen s = subject();
        noun(s, 0.7);
        put(does(s.of).text);
        if (chance(zh() ? 0.6 : 0.7)) return place(0.25);
        put(zh() ? "了" : one_of({"down", "up", "here", "there", "again"}));
    }
    void transitive() {
        const Chosen s = subject();
        noun(s, 0.5);
        const Chosen v = does_something(s.of);
        put(v.text);
        finished(0.3);
        noun(object_of(v.of), 0.5);
    }
    /// The animal did not cross the street because it was too tired, or too wide.
    void crossing() {
        const Chosen s = subject(), way = word({ClassOf::Ways});
        noun(s, 0.15, 0.3);
        put(zh() ? "没" : "did");
        if (!zh()) put("not");
        put(zh() ? "过" : "cross");
        noun(way, 0, 0.3);
        put(zh() ? "因为" : "because");
        const bool tired = chance(0.5);
        put(tired ? pronoun(s.of) : zh() ? "它" : "it");
        if (!zh()) put("was");
        const Chosen a = word({tired ? ClassOf::Feelings : ClassOf::Widths});
        put(zh() ? "太" : "too");
        put(a.text);
        finished(0.5);
    }
    void because() {
        const Chosen s = subject();
        noun(s, 0.3, 0.3);
        put(does(s.of).text);
        place(0.15);
        put(zh() ? "因为" : "because");
        put(pronoun(s.of));
        if (!zh()) put("was");
        if (chance(0.4)) put(zh() ? "很" : "very");
        put(word({ClassOf::Feelings}).text);
        finished(0.5);
    }
    /// The boy saw the bird, and he or it …
    void both() {
        using enum LanguageClass;
        Chosen first = word({Men, Women, People});
        Chosen second = word({Animals, Animals, Birds, Fish, Machines});
        if (second.of != Machines && chance(0.3)) std::swap(first, second);
        noun(first, 0.25, 0.3);
        put(word({Senses}).text);
        noun(second, 0.25);
        put(zh() ? "和" : "and");
        const ClassOf meant = chance(0.5) ? first.of : second.of;
        put(pronoun(meant));
        put(does(meant).text);
        if (zh()) put("了");
    }
    void copula() {
        using enum LanguageClass;
        const Chosen s = chance(0.7) ? word({Men, Women, People, Animals, Birds, Fish, Machines, Food, Drinks, Texts, Objects}) : word({Ways});
        noun(s, 0.1);
        if (!zh()) put(one_of({"is", "was"}));
        if (zh() || chance(0.5)) put(zh() ? one_of({"很", "太", "不"}) : one_of({"very", "too", "not"}));
        put(adjective_of(s.of).text);
    }
    void pronoun_subject() {
        if (chance(0.4)) put(word({ClassOf::Times}).text);
        put(zh() ? one_of({"我", "你", "我们", "他", "她"}) : one_of({"i", "you", "we", "he", "she", "they"}));
        const Chosen v = does_something(ClassOf::People);
        put(v.text);
        noun(object_of(v.of), 0.5);
    }
    void greeting() {
        if (zh()) {
            const bool time = chance(0.5);
            if (time) put(one_of({"早上", "上午"}));
            put(time ? "好" : "你好");
            return put(word({ClassOf::People, ClassOf::Women}).text);
        }
        put("good");
        put(one_of({"morning", "evening", "night"}));
        put("my");
        put(word({ClassOf::People}).text);
    }

    Random& random_;
    LanguageSentence& out_;
};

std::size_t characters_of(const std::vector<std::string>& words) {
    std::size_t count = 0;
    for (const std::string& word : words)
        for (std::size_t at = 0; at < word.size(); ++count) at += static_cast<std::size_t>(decode_utf8(word, at).length);
    return count;
}

}  // namespace

LanguageSentence LanguageGrammar::next() {
    constexpr double kTwoClauses = 0.6, kByCharacters = 0.25;
    constexpr std::size_t kLongest = 24;
    const auto chance = [this](double p) { return random_.uniform() < p; };
    const auto one_of = [this](const auto& words) {
        return words[static_cast<std::size_t>(random_.uniform() * static_cast<double>(words.size()))];
    };
    for (;;) {
        LanguageSentence out{{}, chance(0.5)};
        LanguageClause clause(random_, out);
        clause.write();
        if (chance(kTwoClauses)) {
            constexpr std::array<std::string_view, 4> kAnd = {"and", "but", "then", "so"};
            constexpr std::array<std::string_view, 3> kAndThen = {"也", "就", "所以"};
            out.words.emplace_back(out.chinese ? one_of(kAndThen) : one_of(kAnd));
            clause.write();
        }
        // One Chinese sentence in four is limited by its characters, so it has fewer words.
        const bool by_characters = out.chinese && chance(kByCharacters);
        if ((by_characters ? characters_of(out.words) : out.words.size()) <= kLongest) return out;
    }
}

}  // namespace attn::train
