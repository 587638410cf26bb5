#pragma once
// What is not claimed. A word that the model never saw is blank: its row is 0, and neither what it looks at nor what looks
// at it says anything of it.

#include <optional>

#include "app/content/strings.h"
#include "core/trace/trace.h"

namespace app {

/// A token of the text, or of the second one: its place, from 0.
struct TokenPlace {
    attn::Axis::Kind kind = attn::Axis::Kind::Units;  ///< Units: of no text
    int token = 0;
};
TokenPlace token_at(attn::Axis axis, int index);

bool is_blank_token(const attn::Trace& trace, TokenPlace place);
/// The sentence for a pair of which one is blank: {0} who asks, {1} who answers. Nothing: both are known.
std::optional<Str> blank_claim(const attn::Trace& trace, TokenPlace asks, TokenPlace answers);
/// Of a cell of scores or weights.
std::optional<Str> blank_claim(const attn::Trace& trace, attn::Cell cell);

}  // namespace app
