#include "core/train/shipped/language_lexicon.h"

#include <algorithm>

namespace attn::train::language_text {
namespace {

ClassWords split_words(std::string_view list) {
    ClassWords out;
    bool held = false;
    while (!list.empty()) {
        const std::string_view word = list.substr(0, list.find(' '));
        list.remove_prefix(std::min(list.size(), word.size() + 1));
        if (word == "|")
            held = true;
        else if (!word.empty())
            (held ? out.held : out.known).emplace_back(word);
    }
    return out;
}

}  // namespace

const Lexicon& lexicon(bool chinese) {
    static const Lexicon kEnglish = {
#define WORDS(name, english, chinese) split_words(english),
#include "core/train/shipped/language_grammar.inc"
#undef WORDS
    };
    static const Lexicon kChinese = {
#define WORDS(name, english, chinese) split_words(chinese),
#include "core/train/shipped/language_grammar.inc"
#undef WORDS
    };
    return chinese ? kChinese : kEnglish;
}

bool is_person(Class c) { return c == Class::Men || c == Class::Women || c == Class::People; }
bool is_animal(Class c) { return c == Class::Animals || c == Class::Birds || c == Class::Fish; }

std::string_view classifier(const Word& word, bool respectful) {
    if (is_person(word.of)) return respectful ? "位" : "个";
    if (word.of == Class::Fish || word.of == Class::Ways) return "条";
    if (is_animal(word.of)) return "只";
    if (word.text == "车") return "辆";
    if (word.text == "书") return "本";
    if (word.text == "桌子" || word.text == "椅子" || word.text == "垫子") return "张";
    return "个";
}

}  // namespace attn::train::language_text
