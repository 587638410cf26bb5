#pragma once
// One question that a text can be asked where a trained head knows the answer: which word does a pronoun mean, or what the
// head was asked in training. Made from the text itself; the answer is the head's largest weight.

#include <optional>
#include <string>

#include "app/content/strings.h"
#include "core/document/document.h"

namespace app {

struct TextQuestion {
    attn::StepId weights = attn::kNoStep;  ///< of the head that answers, in the last layer
    int head = 0;                          ///< the one that is shown, or the first that has something to say
    int query = 0, key = 0;                ///< who asks, and where its largest weight lies
    std::string word, answer;              ///< their tokens
    std::string title;                     ///< "Which word does “it” mean?"
    std::string says;                      ///< "“it” gives 87% of its attention to “bird”"
};

/// Of the head that is shown; where that has nothing to say, of the first that has. A pronoun where a head was trained to
/// find what it stands for; else the head's own question about what describes or does, else about another word of
/// content. Function words and blank words neither ask nor answer. None: the model was not asked anything, the run has no
/// weights, or no head looks from a word of content at another.
std::optional<TextQuestion> question_of_text(const attn::Document& document, const attn::Run& run, int head, Language language);

/// Whether a token is a pronoun of the third person, in either language.
bool is_pronoun(std::string_view token);

}  // namespace app
