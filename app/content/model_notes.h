#pragma once
// Notes to the user about an opened checkpoint, in the program's language.

#include <string>

#include "app/content/strings.h"
#include "core/model/model.h"

namespace app {

/// The note as a sentence; a long list of names is cut after the first few, with their total.
std::string model_note_text(const attn::ModelNote& note, Language language);

}  // namespace app
