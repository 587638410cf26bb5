#pragma once
// `attenscope explain`: the terms behind one number.

#include <string>

#include "app/cli/document_arguments.h"

namespace app {

struct ExplainOptions {
    DocumentArguments document;
    std::string step, row, column;  ///< as step_arguments.h reads them
    std::string format = "text";    ///< or "json", "latex"
    std::string convention = "rows";
    std::string language;  ///< "en", "zh"; empty: the environment's
};

Exit run_explain(const ExplainOptions& options, Streams& streams);

extern const Command kExplainCommand;

}  // namespace app
