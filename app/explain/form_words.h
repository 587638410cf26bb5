#pragma once
// What a document's form is called.

#include <string_view>

#include "app/content/strings.h"
#include "core/document/document.h"

namespace app {

/// By its row; a checkpoint's as its papers have it: GPT-2's blocks, whose tokens see none behind them, are a decoder, BERT's an encoder.
std::string_view form_title(const attn::Document& document, Language language);

}  // namespace app
