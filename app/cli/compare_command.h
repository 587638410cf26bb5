#pragma once
// `attenscope compare`: which heads look elsewhere in another run.

#include "app/cli/command.h"

namespace app {

extern const Command kCompareCommand;

}  // namespace app
