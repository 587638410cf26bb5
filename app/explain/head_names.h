#pragma once
// What is told of a head beside its number: what it was asked while its model was trained, and what it does here.

#include <optional>
#include <string>

#include "app/content/strings.h"
#include "core/analysis/head_roles.h"
#include "core/document/document.h"
#include "core/trace/counting.h"

namespace app {

/// The question that a head's model was trained with; empty: it had none, or its weights are not the model's own.
std::string_view head_question(const attn::Document& document, int head, Language language);

/// "Head 1 was asked: …", and how many of its answers were right when that was measured; empty: it has no question.
std::string question_sentence(const attn::Document& document, int head, Language language, attn::CountFrom count = attn::CountFrom::One);

/// Which share of a head's answers to such a word, at such a weight, was right on sentences that never trained; nothing: it was
/// not measured. A head with a question was tested on any word; a model without questions on pronouns, in its last layer.
std::optional<double> sure_share(const attn::Document& document, int head, std::string_view asker, float weight);
/// The same as a sentence; empty: it was not measured.
std::string sure_sentence(const attn::Document& document, int head, std::string_view asker, float weight, Language language);

/// The tokens that a role looks at, by its place in HeadRole: "the previous token".
Str role_keys(std::size_t role);
/// On which simple position most of its weight lies, where it is at least twice what it were if spread evenly.
std::string role_sentence(const attn::HeadRoles& roles, int head, Language language, attn::CountFrom count = attn::CountFrom::One);

}  // namespace app
