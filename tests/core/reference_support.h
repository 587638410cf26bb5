#pragma once
// What the float64 references are compared with: documents and the numbers of their steps, as Python wrote them.

#include <string>

#include "core/io/json.h"
#include "core/trace.h"

namespace attn::test {

/// A file of {"cases": [{"document", "steps", "all_masked"}, …]}.
JsonValue read_reference(const std::string& path);
/// A piece of it as text again, so that it is read as a user's document is.
std::string text_of(const JsonValue& value);
/// Every step is there, under its name, and agrees to 1e-5; and there are no others.
void compare_steps(const Trace& trace, const JsonValue& steps);
/// Exactly the rows that the reference found wholly masked carry the note, and nothing overflowed.
void compare_notes(const Trace& trace, const JsonValue& all_masked);

}  // namespace attn::test
