#pragma once
// Translates regular expressions from the dialect that tokenizers use (Oniguruma) to PCRE2.

#include <string>
#include <string_view>

#include "core/base/result.h"

namespace attn::tokenizing {

/// The same expression for PCRE2 with PCRE2_UTF, PCRE2_UCP and PCRE2_MULTILINE. Constructs on which the two differ are
/// rewritten to mean what they mean in Oniguruma: \s \w \b \h \v, properties (\p{Han} without characters shared with
/// other scripts), nested classes and `&&`, `{1,3}+` and other repeated repetitions, `{,3}`, \u4e00, (?m). Fails on an
/// unknown construct, which the message names. One difference remains: when ignoring case, PCRE2 never matches one
/// letter with two (ß and ss), which no published tokenizer's expression needs.
Result<std::string> from_oniguruma(std::string_view expression);

}  // namespace attn::tokenizing
