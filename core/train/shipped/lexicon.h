#pragma once
// The words of the small grammar by class (grammar.inc). Internal to it.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attn::train {

enum class Class : std::uint8_t {
#define WORDS(name, english, chinese) name,
#include "core/train/shipped/grammar.inc"
#undef WORDS
};
#define WORDS(name, english, chinese) +1
constexpr std::size_t kClasses = 0
#include "core/train/shipped/grammar.inc"
    ;
#undef WORDS

struct ClassWords {
    std::vector<std::string> known, held;
    std::vector<std::string> more = {}, more_held = {};  ///< similar words from the table of meanings
};

using Lexicon = std::array<ClassWords, kClasses>;
const Lexicon& lexicon(bool chinese);

bool is_name(Class c);
bool is_person(Class c);
bool is_animal(Class c);

/// A word and its class.
struct Word {
    std::string text;
    Class of = Class::Animals;
};

/// The Chinese classifier of the word.
std::string_view classifier(const Word& word, bool respectful);

}  // namespace attn::train
