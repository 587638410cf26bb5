#pragma once

#include "app/cli/command.h"

namespace app {

/// attenscope attribute
extern const Command kAttributeCommand;

}  // namespace app
