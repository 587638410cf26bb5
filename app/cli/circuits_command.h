#pragma once
// `attenscope circuits`: what heads do, judged by their weights.

#include "app/cli/command.h"

namespace app {

extern const Command kCircuitsCommand;

}  // namespace app
