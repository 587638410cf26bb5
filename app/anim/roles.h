#pragma once
// What people see of a role and of a stage: a table (roles.inc).

#include <string_view>

#include "app/anim/timeline.h"
#include "app/anim/vocab.h"
#include "app/content/strings.h"

namespace app {

struct RoleLook {
    Stage stage;
    Hue hue;
    bool operand;  ///< no stop of its own: it stands beside the step that reads it
    Str say;       ///< what happens here, in a few words
    std::string_view symbol;
};
const RoleLook& look_of(attn::Role role);

/// Vectors that look at themselves: no queries of their own, and no states.
bool looks_at_itself(const attn::Trace& trace);

struct StageLook {
    std::string_view part;  ///< of the formula
    Str title;
    Hue hue;
    std::string_view symbol;
};
const StageLook& look_of(Stage stage);

}  // namespace app
