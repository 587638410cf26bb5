#pragma once
// `attenscope extras`: files to install along with the program.

#include "app/cli/command.h"

namespace app {

extern const Command kExtrasCommand;

}  // namespace app
