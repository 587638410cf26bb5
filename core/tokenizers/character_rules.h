#pragma once
// The character classes that tokenizers use, defined as in the Rust library that made most of them (its regular
// expressions, its `char`), from utf8proc's tables. Characters assigned after that library's Unicode version may be
// classified differently.

#include <string>

#include "core/tokenizers/aligned_text.h"

namespace attn::tokenizing {

bool is_white(char32_t code);        ///< the property White_Space
bool is_word(char32_t code);         ///< \w: letters, marks, decimal digits, connectors
bool is_numeric(char32_t code);      ///< Nd, Nl, No
bool is_punctuation(char32_t code);  ///< P*, and what ASCII calls punctuation ($, +, ~ …)
bool is_mark(char32_t code);         ///< Mn, Mc, Me
bool is_nonspacing(char32_t code);   ///< Mn
bool is_control(char32_t code);      ///< Cc, Cf, Co, without tab and line ends
bool is_han(char32_t code);          ///< what BERT separates: CJK ideographs

/// Lower case, in full (İ becomes two characters).
std::u32string lower(char32_t code);

enum class NormalForm { C, D, KC, KD };

/// Unicode normalisation. Where a run of characters changes, every character of the result has the whole run's span.
AlignedText normal_form(const AlignedText& text, NormalForm form);

}  // namespace attn::tokenizing
