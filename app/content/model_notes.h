#pragma once
// What a user is told of a checkpoint that was opened, in the language of the program.

#include <string>

#include "app/content/strings.h"
#include "core/model/model.h"

namespace app {

/// A sentence; of many names the first few, and how many there are.
std::string model_note_text(const attn::ModelNote& note, Language language);

}  // namespace app
