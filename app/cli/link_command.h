#pragma once
// `attenscope link`: a document as a single line of text.

#include "app/cli/command.h"

namespace app {

extern const Command kLinkCommand;

}  // namespace app
