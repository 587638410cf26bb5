#pragma once
// tests/data/reference.json: documents with every number of every step, by NumPy in float64.

#include <Eigen/Core>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/json.h"
#include "core/trace.h"

namespace attn::test {

using Numbers = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// The file; null where it cannot be read, which fails the test.
const JsonValue& reference();
/// One member each: "document", "steps", "all_masked".
const std::vector<JsonValue>& reference_cases();

/// A piece of the reference as text again, so that it is read as a user's document is.
std::string text_of(const JsonValue& value);

/// A matrix of the reference, as exactly as it is written; −∞ is "-Infinity" or "-inf" there.
Numbers numbers_of(const JsonValue& value);

}  // namespace attn::test
