#pragma once
// The view in words, for the sheet that shows them and for screen readers (app/shell/web).

#include <string>

#include "app/state/derived.h"
#include "app/state/state.h"

namespace app {

/// What the screen shows, described: one paragraph a line (app/explain/describe.h).
std::string description_of(const AppState& state, const Derived& derived);

}  // namespace app
