#pragma once
// A question about a text that a trained head can answer: which word a pronoun means, or what the head was asked in
// training. Made from the text itself; the answer is the key with the head's largest weight.

#include <optional>
#include <string>

#include "app/content/strings.h"
#include "core/document/document.h"

namespace app {

struct TextQuestion {
    attn::StepId weights = attn::kNoStep;  ///< of the answering head, in the last layer
    int head = 0;                          ///< the shown one, or the first that can answer
    int query = 0, key = 0;                ///< the query word, and the key with its largest weight
    std::string word, answer;              ///< their tokens
    std::string title;                     ///< "Which word does “it” mean?"
    std::string says;                      ///< "“it” gives 87% of its attention to “bird”"
};

/// The question for the shown head, or, if it has none, for the first head that has one. If a head was trained to
/// resolve pronouns, a pronoun; else the head's own question about a word that describes or acts, or about another
/// content word. Function words and unknown words neither ask nor answer. None: the model was not trained on a
/// question, the run has no weights, or no head attends from one content word to another.
std::optional<TextQuestion> question_of_text(const attn::Document& document, const attn::Run& run, int head, Language language);

/// Whether a token is a third-person pronoun, in either language.
bool is_pronoun(std::string_view token);

}  // namespace app
