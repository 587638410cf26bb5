#pragma once
// `attenscope schema`: what a document may hold.

#include "app/cli/command.h"

namespace app {

Exit run_schema(Streams& streams);

extern const Command kSchemaCommand;

}  // namespace app
