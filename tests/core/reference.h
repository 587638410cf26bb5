#pragma once
// tests/data/reference.json: documents with every number of every step, by NumPy in float64.

#include <Eigen/Core>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/json.h"
#include "core/trace/trace.h"

namespace attn::test {

using Numbers = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// A file of {"cases": [{"document", "steps", "all_masked"}, …]}.
JsonValue read_reference(const std::string& path);
/// The file; null where it cannot be read, which fails the test.
const JsonValue& reference();
/// One member each: "document", "steps", "all_masked".
const std::vector<JsonValue>& reference_cases();

/// A piece of the reference as text again, so that it is read as a user's document is.
std::string text_of(const JsonValue& value);

/// A matrix of the reference, as exactly as it is written; −∞ is "-Infinity" or "-inf" there.
Numbers numbers_of(const JsonValue& value);

/// Every step is there, under its name, and agrees to 1e-5; and there are no others.
void compare_steps(const Trace& trace, const JsonValue& steps);
/// Exactly the rows that the reference found wholly masked carry the note, and nothing overflowed.
void compare_notes(const Trace& trace, const JsonValue& all_masked);

}  // namespace attn::test
