#pragma once
// `attenscope extras`: what is installed beside the program.

#include "app/cli/command.h"

namespace app {

extern const Command kExtrasCommand;

}  // namespace app
