#pragma once
// Regular expressions as tokenizers are made with them (Oniguruma), written for PCRE2.

#include <string>
#include <string_view>

#include "core/base/result.h"

namespace attn::tokenizing {

/// The same expression for PCRE2 with PCRE2_UTF, PCRE2_UCP and PCRE2_MULTILINE. Where the two read a construct otherwise it is
/// written so that it means what Oniguruma means: \s \w \b \h \v, properties (\p{Han} without what other scripts share),
/// classes within classes and `&&`, `{1,3}+` and other repetitions of repetitions, `{,3}`, \u4e00, (?m). Fails where a
/// construct is not known here: the message names it. One thing stays as PCRE2 has it: without regard to case a letter is
/// like a letter, never like two (ß and ss), which no expression of a published tokenizer asks for.
Result<std::string> from_oniguruma(std::string_view expression);

}  // namespace attn::tokenizing
