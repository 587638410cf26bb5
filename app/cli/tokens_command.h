#pragma once
// `attenscope tokens`: a text as the tokenizer of a checkpoint cuts it.

#include "app/cli/command.h"

namespace app {

extern const Command kTokensCommand;

}  // namespace app
