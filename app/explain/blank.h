#pragma once
// Words about which nothing is claimed. A word that the model has never seen is blank: its embedding is 0, so neither
// what it attends to nor what attends to it means anything.

#include <optional>

#include "app/content/strings.h"
#include "core/trace/trace.h"

namespace app {

/// A token of the text, or of the second text, by its index.
struct TokenPlace {
    attn::Axis::Kind kind = attn::Axis::Kind::Units;  ///< Units: not a token
    int token = 0;
};
TokenPlace token_at(attn::Axis axis, int index);

bool is_blank_token(const attn::Trace& trace, TokenPlace place);
/// The sentence for a pair in which one token is blank: {0} is the query, {1} the key. Nothing if both are known.
std::optional<Str> blank_claim(const attn::Trace& trace, TokenPlace asks, TokenPlace answers);
/// The same for a cell of scores or weights.
std::optional<Str> blank_claim(const attn::Trace& trace, attn::Cell cell);

}  // namespace app
