#pragma once
// A file of attention before it is understood: arrays with their names and shapes, and names of tokens. Internal to
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

/// Rounding of a number to each type, several times over: of a row's sum no more is to be expected.
inline constexpr double kSumOfFloats = 1e-4, kSumOfHalves = 2e-3, kSumOfBrains = 1e-2, kSumOfWritten = 2e-3;

/// The arrays of a file of any format that is read. Errors say where in the file; the file itself they leave to the caller.
Result<AttentionParts> attention_parts(std::string_view bytes, std::string_view name);
Result<AttentionParts> attention_parts_of_json(std::string_view bytes);
/// Names in a list, or an object's lists of tokens.
Result<TokenNames> token_names_from(const JsonValue& value);

/// "(12, 12, 9, 9)".
std::string shape_words(const std::vector<std::size_t>& shape);

/// The arrays as stacks of heads; takes their numbers.
Result<std::vector<AttentionStack>> stacks_of(std::vector<AttentionArray>& arrays);

}  // namespace attn
