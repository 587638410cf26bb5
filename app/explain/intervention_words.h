#pragma once
// What an intervention changes, and where, as the window words it: "layer 5, head 2: off".

#include <string>

#include "app/content/strings.h"
#include "core/document/intervention.h"
#include "core/trace/counting.h"

namespace app {

/// The place alone: "layer 5, head 2".
std::string intervention_place_words(const attn::Intervention& intervention, Language language, attn::CountFrom count = attn::CountFrom::One);
std::string intervention_words(const attn::Intervention& intervention, Language language, attn::CountFrom count = attn::CountFrom::One);

}  // namespace app
