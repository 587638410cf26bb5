#pragma once
// The raw content of a file of attention: arrays with names and shapes, and names of tokens. Internal to
// given_attention.cpp and its readers.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/json.h"
#include "core/model/attention_file/given_attention.h"

namespace attn {

struct AttentionArray {
    std::string name;
    std::vector<std::size_t> shape;
    std::vector<float> values;  ///< in C order
    double tolerance = 0;       ///< GivenAttention::tolerance
};

struct AttentionParts {
    std::vector<AttentionArray> arrays;
    TokenNames named;
};

inline Error attention_error(std::string message, std::string_view key = {}) {
    return {std::move(message), {}, std::string(key), 0};
}

/// Tolerances of a row's sum: several times the rounding of one number of each type.
inline constexpr double kSumOfFloats = 1e-4, kSumOfHalves = 2e-3, kSumOfBrains = 1e-2, kSumOfWritten = 2e-3;

/// The arrays of a file in any supported format. Errors say where in the file; the caller adds the file's name.
Result<AttentionParts> attention_parts(std::string_view bytes, std::string_view name);
Result<AttentionParts> attention_parts_of_json(std::string_view bytes);
/// Names from a list, or from an object's lists of tokens.
Result<TokenNames> token_names_from(const JsonValue& value);

/// "(12, 12, 9, 9)".
std::string shape_words(const std::vector<std::size_t>& shape);

/// Arranges the arrays as stacks of heads; moves their numbers.
Result<std::vector<AttentionStack>> stacks_of(std::vector<AttentionArray>& arrays);

}  // namespace attn
