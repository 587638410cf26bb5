#pragma once
// `attenscope circuits`: what heads do by their weights.

#include "app/cli/command.h"

namespace app {

extern const Command kCircuitsCommand;

}  // namespace app
