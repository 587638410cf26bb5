#pragma once
// Reading and writing the document's members that are lists or tables. Internal to table.cpp.

#include "core/document/document.h"
#include "core/io/json.h"
#include "core/io/json_writer.h"

namespace attn {

// Errors have the key with its place in the list, the line, and what is expected instead.

/// At least one, none empty, at most kMaxTokens.
Result<Done> read_tokens(Document& doc, const JsonValue& value);
/// The same for the target words.
Result<Done> read_target(Document& doc, const JsonValue& value);
/// A table of 0 and 1.
Result<Done> read_pattern(Document& doc, const JsonValue& value);
Result<Done> read_edits(Document& doc, const JsonValue& value);
void write_edits(const Document& doc, JsonWriter& out);
Result<Done> read_interventions(Document& doc, const JsonValue& value);
void write_interventions(const Document& doc, JsonWriter& out);
/// Numbers from 1; stored sorted, without duplicates.
Result<Done> read_heads_off(Document& doc, const JsonValue& value);
void write_heads_off(const Document& doc, JsonWriter& out);
/// Weights by the name of their step.
Result<Done> read_parameters(Document& doc, const JsonValue& value);
void write_parameters(const Document& doc, JsonWriter& out);

}  // namespace attn
