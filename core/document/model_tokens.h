#pragma once
// Tokenizes texts with the tokenizer of the model that a document names. Internal to the document.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/document/document.h"

namespace attn {

class TokenizerModel;

/// The model's own tokenizer, if the document's tokenizer is "auto" and its vectors are the model's; null: another
/// tokenizer is used.
const TokenizerModel* own_tokenizer(const Document& document);
/// The tokens in readable form. `special`: with the special tokens that the checkpoint puts around a text; `cut`: there
/// are more than are shown; `replaced`: bytes that were not UTF-8. Empty if the text cannot be tokenized (text_problem
/// says why).
std::vector<std::string> token_texts(const TokenizerModel& tokenizer, std::string_view text, bool special, bool* cut, int* replaced);
/// The tokenizer of the text that a decoder writes: the same, or the model's separate one for the target language.
const TokenizerModel* writing_tokenizer(const Document& document);
/// The token that a decoder's text begins with, from the model's vocabulary; nothing if it needs none.
std::optional<std::string> start_token(const Document& document);
/// Rows of the model's vectors for `tokens`, which must be a text of the document as its model's tokenizer cut it; −1:
/// unknown. Nothing for other tokens.
std::optional<std::vector<int>> token_ids(const Document& document, std::span<const std::string> tokens);
/// The tokens of a pair's second text, as they follow those of the first; empty if there is no pair.
struct SecondText {
    std::vector<std::string> names;
    std::vector<int> ids;  ///< if the model's own tokenizer cut it; −1: unknown
    int segment = 1;
};
SecondText second_text(const Document& document);
/// The second text's tokens by the model's own tokenizer, with its special tokens.
SecondText cut_second_text(const TokenizerModel& tokenizer, std::string_view text);
/// Why a text of the document cannot be tokenized.
std::optional<Error> text_problem(const Document& document);

}  // namespace attn
