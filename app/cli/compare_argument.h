#pragma once
// The comparison to show, as written on the command line.

#include <string_view>

#include "app/screens/compare/comparison.h"
#include "core/trace/counting.h"

namespace app {

/// "score=cosine", "order=1,3", "head=2" (counted from `from`), "text=another sentence", "kept=attenscope:1:…",
/// "kept=FILE", or the kind alone if it has a default. Error: no such kind, one that the document does not have, no
/// such choice.
attn::Result<Comparison> comparison_named(std::string_view words, const attn::Document& document, attn::CountFrom from);

}  // namespace app
