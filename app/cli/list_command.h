#pragma once
// `attenscope list`: the choices that exist.

#include <string>

#include "app/cli/document_arguments.h"

namespace app {

struct ListOptions {
    std::string what;             ///< a field with choices, or a row of the table in list_command.cpp
    DocumentArguments document;   ///< for `steps` only
    std::string format = "text";  ///< or "json"
};

Exit run_list(const ListOptions& options, Streams& streams);

extern const Command kListCommand;

}  // namespace app
