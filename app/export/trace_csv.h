#pragma once
// A trace as CSV: a table for the document, then one titled table per step.

#include <string>

#include "app/export/trace_format.h"

namespace app {

/// "# 7 weights.h1: softmax of masked.h1", a header row of column labels, then one line per row, beginning with its
/// label.
std::string trace_csv(const TraceSource& source, attn::CsvGuard guard = attn::CsvGuard::Off);

}  // namespace app
