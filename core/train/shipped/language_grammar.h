#pragma once
// Sentences of a small grammar in English and Chinese, as the included language model read them. They must stay as they are: its
// bytes and its measured figures follow from them. The layer that opens first is trained on a larger grammar (grammar.h).

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/random.h"

namespace attn::train {

struct LanguageSentence {
    std::vector<std::string> words;
    bool chinese = false;
};

/// One or two clauses each, half of them Chinese; the same for a seed.
class LanguageGrammar {
public:
    explicit LanguageGrammar(std::uint64_t seed) : random_(seed) {}
    LanguageSentence next();

private:
    Random random_;
};

}  // namespace attn::train
