#pragma once
// attenscope chapter: chapters listed, begun, checked, drawn.

#include "app/cli/command.h"

namespace app {

extern const Command kChapterCommand;

}  // namespace app
