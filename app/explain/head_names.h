#pragma once
// What is said about a head besides its number: the question that it was trained to answer, and what it does in this
// run.

#include <optional>
#include <string>

#include "app/content/strings.h"
#include "core/analysis/head_roles.h"
#include "core/document/document.h"
#include "core/trace/counting.h"

namespace app {

/// The question that this head was trained with; empty if there is none, or if the weights are not the model's own.
std::string_view head_question(const attn::Document& document, int head, Language language);

/// "The question of head 1: …", and how many of its answers were right when that was measured; empty if it has no question.
std::string question_sentence(const attn::Document& document, int head, Language language, attn::CountFrom count = attn::CountFrom::One);

/// The measured share of right answers, on sentences not used in training, among answers given with this weight;
/// nothing if it was not measured. Heads with a question were tested on any word; models without questions on pronouns,
/// in the last layer.
std::optional<double> sure_share(const attn::Document& document, int head, std::string_view asker, float weight);
/// The same as a sentence; empty: it was not measured.
std::string sure_sentence(const attn::Document& document, int head, std::string_view asker, float weight, Language language);

/// The tokens that a role attends to, by its index in HeadRole: "the previous token".
Str role_keys(std::size_t role);
/// On which simple position most of the head's weight lies, if that is at least twice the share of an even spread.
std::string role_sentence(const attn::HeadRoles& roles, int head, Language language, attn::CountFrom count = attn::CountFrom::One);

}  // namespace app
