#pragma once
// `attenscope schema`: the JSON schema of a document.

#include "app/cli/command.h"

namespace app {

Exit run_schema(Streams& streams);

extern const Command kSchemaCommand;

}  // namespace app
