#pragma once
// What a document's form is called.

#include <string_view>

#include "app/content/strings.h"
#include "core/document/document.h"

namespace app {

/// The title in the table of forms. For a checkpoint the term of its papers: a stack whose tokens see none after them,
/// like GPT-2, is a decoder; one like BERT is an encoder.
std::string_view form_title(const attn::Document& document, Language language);

}  // namespace app
