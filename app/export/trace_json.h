#pragma once
// A trace as JSON: the document, then every step with everything that is known of it.

#include <string>

#include "app/export/trace_format.h"
#include "core/io/json_writer.h"

namespace app {

/// Whether the steps' numbers are in the text, or stand elsewhere (NPZ).
enum class TraceValues : std::uint8_t { Included, LeftOut };

/// {"document": …, "program": …, "tokens": […], "features": […], "text_cut": …, "steps": [{"id": 1, "name": …}, …]}.
/// Ids, rows, columns, layers and heads count from 1; what a step does not have is null. Numbers have the fewest
/// digits that read back as the same float32; masked scores are the text "-inf".
std::string trace_json(const TraceSource& source, TraceValues values = TraceValues::Included);

/// What the operation of a step needs to know beside its inputs, as members of the object that is open: the one place
/// that names them, for traces and explanations.
void write_step_parameters(attn::JsonWriter& out, const attn::Step& step);

}  // namespace app
