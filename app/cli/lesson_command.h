#pragma once
// attenscope lesson: chapters listed, begun, checked, drawn.

#include "app/cli/command.h"

namespace app {

extern const Command kLessonCommand;

}  // namespace app
