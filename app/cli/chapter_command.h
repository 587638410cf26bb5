#pragma once
// `attenscope chapter`: lists, starts, checks and draws chapters.

#include "app/cli/command.h"

namespace app {

extern const Command kChapterCommand;

}  // namespace app
