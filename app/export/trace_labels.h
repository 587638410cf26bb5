#pragma once
// The names used in trace files. Internal to trace_*.cpp and the command line.

#include <string>
#include <string_view>
#include <vector>

#include "core/trace/trace.h"

namespace app {

/// "tokens", "features", "units".
std::string_view axis_id(attn::Axis::Kind kind);

/// "all_masked", "overflow".
std::string_view row_state_id(attn::RowState state);

/// A label as text: a token that is not valid UTF-8 (one raw byte of the `bytes` tokenizer) in hexadecimal, any other
/// as it is.
std::string text_label(const attn::Trace& trace, attn::Axis axis, int index);

/// The labels of all rows, or all columns, of a step.
std::vector<std::string> row_labels(const attn::Trace& trace, const attn::Step& step);
std::vector<std::string> column_labels(const attn::Trace& trace, const attn::Step& step);

}  // namespace app
