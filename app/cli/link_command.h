#pragma once
// `attenscope link`: a document as one line of text.

#include "app/cli/command.h"

namespace app {

extern const Command kLinkCommand;

}  // namespace app
