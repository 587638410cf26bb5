#pragma once

#include "app/cli/command.h"

namespace app {

/// attenscope model
extern const Command kModelCommand;

}  // namespace app
