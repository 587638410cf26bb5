#pragma once
// `attenscope train`: trains one of the program's own models, and reports what it has learned.

#include "app/cli/command.h"

namespace app {

extern const Command kTrainCommand;

}  // namespace app
