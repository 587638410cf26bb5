#pragma once
// Sentences of a small grammar in English and Chinese, on which the shipped language model was trained. They must not
// change: the model's bytes and measured figures depend on them. The layer that the program opens with is trained on a
// larger grammar (grammar.h).

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/random.h"

namespace attn::train {

struct LanguageSentence {
    std::vector<std::string> words;
    bool chinese = false;
};

/// Sentences of one or two clauses, half of them Chinese; deterministic by seed.
class LanguageGrammar {
public:
    explicit LanguageGrammar(std::uint64_t seed) : random_(seed) {}
    LanguageSentence next();

private:
    Random random_;
};

}  // namespace attn::train
