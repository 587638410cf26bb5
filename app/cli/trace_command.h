#pragma once
// `attenscope trace`: computes, and writes every step with every number.

#include <optional>
#include <string>

#include "app/cli/document_arguments.h"
#include "app/export/trace_format.h"

namespace app {

struct TraceOptions {
    DocumentArguments document;
    std::string step;        ///< one matrix instead of all; empty: all
    std::string only;        ///< some of the steps, as step_filter.h reads them; empty: all
    std::string format;      ///< a TraceFormat's id, or of one step a MatrixFormat's; empty: by OUT's ending, else json
    std::string out;         ///< a path; empty or "-": standard output
    std::string convention;  ///< "rows" without it
    bool spreadsheet = false;
    bool shortened = false;
    bool force = false;      ///< replaces OUT
};

Exit run_trace(const TraceOptions& options, Streams& streams);

extern const Command kTraceCommand;

}  // namespace app
