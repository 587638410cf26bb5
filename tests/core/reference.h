#pragma once
// tests/data/reference.json: documents with every number of every step, computed by NumPy in float64.

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
/// Objects with the members "document", "steps" and "all_masked".
const std::vector<JsonValue>& reference_cases();

/// A piece of the reference as JSON text, so that it is read as a user's document is.
std::string text_of(const JsonValue& value);

/// A matrix of the reference, as exactly as it is written; −∞ is written "-Infinity" or "-inf".
Numbers numbers_of(const JsonValue& value);

/// Expects every step to exist under its name and to agree to 1e-5, and no others to exist.
void compare_steps(const Trace& trace, const JsonValue& steps);
/// Expects exactly the rows that the reference found wholly masked to carry the note, and nothing to overflow.
void compare_notes(const Trace& trace, const JsonValue& all_masked);

}  // namespace attn::test
