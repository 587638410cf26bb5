#pragma once
// A text cut by the tokenizer of the model that a document names. Internal to the document.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/document/document.h"

namespace attn {

class TokenizerModel;

/// The model's own, where the document leaves the choice ("auto") and takes the model's vectors; null: another cuts.
const TokenizerModel* own_tokenizer(const Document& document);
/// The tokens as a person reads them, what the checkpoint puts around a text among them; `cut`: there are more than are
/// shown; `replaced`: bytes that were no UTF-8. Empty where the text cannot be cut (text_problem tells why).
/// `special`: with what the checkpoint puts around a text.
std::vector<std::string> token_texts(const TokenizerModel& tokenizer, std::string_view text, bool special, bool* cut, int* replaced);
/// What cuts the text that a decoder writes: the same, or the model's own for the other language.
const TokenizerModel* writing_tokenizer(const Document& document);
/// What a decoder's text begins with, as its model's vocabulary has it; nothing where the text stands by itself.
std::optional<std::string> start_token(const Document& document);
/// Rows of the model's vectors for `tokens`, one of the document's texts that its model's tokenizer cut; −1: unknown.
/// Nothing where they are no such text.
std::optional<std::vector<int>> token_ids(const Document& document, std::span<const std::string> tokens);
/// Of a pair the tokens of the second text, as they follow those of the first; empty where there is no pair.
struct SecondText {
    std::vector<std::string> names;
    std::vector<int> ids;  ///< where the model's own tokenizer cut it; −1: unknown
    int segment = 1;
};
SecondText second_text(const Document& document);
/// The same of a text, with what the model's own tokenizer puts around it.
SecondText cut_second_text(const TokenizerModel& tokenizer, std::string_view text);
/// Why a text of the document cannot be cut.
std::optional<Error> text_problem(const Document& document);

}  // namespace attn
