#pragma once

#include "app/cli/command.h"

namespace app {

/// attenscope ablate
extern const Command kAblateCommand;
/// attenscope patch
extern const Command kPatchCommand;

}  // namespace app
