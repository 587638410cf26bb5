#pragma once
// What an intervention puts where, in words of the window: "layer 5, head 2: off".

#include <string>

#include "app/content/strings.h"
#include "core/document/intervention.h"
#include "core/trace/counting.h"

namespace app {

std::string intervention_words(const attn::Intervention& intervention, Language language, attn::CountFrom count = attn::CountFrom::One);

}  // namespace app
