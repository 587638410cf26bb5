#pragma once

#include "app/cli/command.h"

namespace app {

/// attenscope heads
extern const Command kHeadsCommand;

}  // namespace app
