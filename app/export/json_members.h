#pragma once
// One-line writers for members of JSON objects, for traces and explanations.

#include <cstdint>
#include <string_view>

#include "core/io/json_writer.h"

namespace app {

inline void write_text(attn::JsonWriter& out, std::string_view key, std::string_view value) {
    out.key(key);
    out.string(value);
}

inline void write_number(attn::JsonWriter& out, std::string_view key, float value) {
    out.key(key);
    out.number(value);
}

inline void write_flag(attn::JsonWriter& out, std::string_view key, bool value) {
    out.key(key);
    out.boolean(value);
}

inline void write_count(attn::JsonWriter& out, std::string_view key, std::int64_t value) {
    out.key(key);
    out.integer(value);
}

/// An index that counts from 0 in code and from 1 in files; null if it is negative, which means none.
inline void write_ordinal(attn::JsonWriter& out, std::string_view key, int from_zero) {
    out.key(key);
    if (from_zero < 0)
        out.null();
    else
        out.integer(from_zero + 1);
}

}  // namespace app
