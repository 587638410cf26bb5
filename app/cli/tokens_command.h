#pragma once
// `attenscope tokens`: a text as a checkpoint's tokenizer splits it.

#include "app/cli/command.h"

namespace app {

extern const Command kTokensCommand;

}  // namespace app
