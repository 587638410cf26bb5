#pragma once
// `attenscope trace`: computes, and writes every step with all its numbers.

#include <optional>
#include <string>

#include "app/cli/document_arguments.h"
#include "app/export/trace_format.h"

namespace app {

struct TraceOptions {
    DocumentArguments document;
    std::string step;        ///< a single matrix; empty: all
    std::string only;        ///< some of the steps, as step_filter.h reads them; empty: all
    /// A TraceFormat's id, or for a single step a MatrixFormat's; empty: by OUT's ending, else json.
    std::string format;
    std::string out;         ///< a path; empty or "-": standard output
    std::string convention;  ///< default "rows"
    bool spreadsheet = false;
    bool shortened = false;
    bool force = false;      ///< replace an existing OUT
};

Exit run_trace(const TraceOptions& options, Streams& streams);

extern const Command kTraceCommand;

}  // namespace app
