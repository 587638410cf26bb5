#pragma once
// A trace as JSON: the document, then every step with everything known about it.

#include <string>

#include "app/export/trace_format.h"
#include "core/io/json_writer.h"

namespace app {

/// Whether the text contains the steps' numbers, or another file does (NPZ).
enum class TraceValues : std::uint8_t { Included, LeftOut };

/// {"document": …, "program": …, "tokens": […], "features": […], "text_cut": …, "steps": [{"id": 1, "name": …}, …]}.
/// Ids, rows, columns, layers and heads count from 1; what a step does not have is null. Numbers have the fewest digits
/// that read back as the same float32; masked scores are the string "-inf".
std::string trace_json(const TraceSource& source, TraceValues values = TraceValues::Included);

/// The parameters of a step's operation other than its inputs, as members of the open object: the only place that names
/// them, for traces and explanations.
void write_step_parameters(attn::JsonWriter& out, const attn::Step& step);

}  // namespace app
