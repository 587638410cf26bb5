#pragma once
// `attenscope describe`: what the window shows, in words.

#include "app/cli/command.h"

namespace app {

extern const Command kDescribeCommand;

}  // namespace app
