#pragma once
// `attenscope compare`: which heads attend differently in another run.

#include "app/cli/command.h"

namespace app {

extern const Command kCompareCommand;

}  // namespace app
