#pragma once
// `attenscope residual`: the residual stream after each sub-layer.

#include "app/cli/command.h"

namespace app {

extern const Command kResidualCommand;

}  // namespace app
