#pragma once

#include "app/cli/command.h"

namespace app {

/// attenscope next
extern const Command kNextCommand;

}  // namespace app
