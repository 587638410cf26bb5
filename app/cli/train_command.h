#pragma once
// `attenscope train`: trains a model of the program's own, and says what it has learned.

#include "app/cli/command.h"

namespace app {

extern const Command kTrainCommand;

}  // namespace app
