#pragma once
// A JSON text as a tree with positions: every value has the line and column where it began, so that the reader of a
// field can say where it is wrong.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/io/nesting.h"

namespace attn {

enum class JsonKind : std::uint8_t { Null, Boolean, Number, String, Array, Object };

/// "a number", "a list", … for messages ("heads: a number is expected, not a list").
std::string_view kind_name(JsonKind kind);

struct JsonMember;

/// One value. Only the content fields of its `kind` are meaningful.
struct JsonValue {
    JsonKind kind = JsonKind::Null;
    bool boolean = false;
    bool is_integer = false;   ///< written without '.' or exponent, and within std::int64_t
    float number32 = 0;        ///< nearest float to the written number; float(number) can miss it by rounding twice.
                               ///< Infinite where float32 cannot hold it
    double number = 0;         ///< nearest double; always finite
    std::int64_t integer = 0;  ///< only when is_integer
    std::string string;
    std::vector<JsonValue> items;
    std::vector<JsonMember> members;  ///< in the order of the file, keys all different
    int line = 0;                     ///< 1-based
    int column = 0;                   ///< 1-based, in characters

    /// The member of that name, or nullptr. Linear: documents have a few dozen keys.
    const JsonValue* find(std::string_view key) const;
};

struct JsonMember {
    std::string key;
    JsonValue value;
    int key_line = 0;
};

/// Limits beyond which a text is refused.
struct JsonLimits {
    std::size_t max_bytes = std::size_t{16} << 20;
    int max_depth = kDeepestNesting;
    std::size_t max_values = 2'000'000;  ///< about 120 bytes each in memory
};

/// Reads strict JSON (RFC 8259) in UTF-8; a leading byte order mark is accepted. Refused with line, column and a
/// message: syntax errors, a duplicate key in one object (naming both lines), bytes that are not UTF-8, numbers out of
/// a double's range, anything over `limits`; an empty file and files of another kind are named as such.
Result<JsonValue> parse_json(std::string_view bytes, JsonLimits limits = {});

}  // namespace attn
