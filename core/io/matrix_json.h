#pragma once
// Matrices given as JSON: a list of rows, each a list of numbers.

#include <cstdint>
#include <string_view>

#include "core/base/matrix.h"
#include "core/base/result.h"
#include "core/io/json.h"

namespace attn {

/// Whether the strings "inf" and "-inf" (as JsonWriter writes masked scores) count as numbers. NaN never does.
enum class Infinities : std::uint8_t { Refused, Allowed };

/// `value` as a matrix, rows × columns as written, each number the nearest float32. `key` names it in errors
/// ("W_Q[2][0]", with the line). Refused: no rows or no columns, rows of different lengths, anything but numbers,
/// numbers beyond float32, infinities unless allowed.
Result<Matrix> matrix_from_json(const JsonValue& value, std::string_view key,
                                Infinities infinities = Infinities::Refused);

/// `value`, one list of numbers, as a row vector (a bias, the v of a score); errors as above.
Result<RowVector> row_vector_from_json(const JsonValue& value, std::string_view key,
                                       Infinities infinities = Infinities::Refused);

}  // namespace attn
