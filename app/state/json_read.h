#pragma once
// Reads stored settings and views: an invalid value changes nothing.

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/io/json.h"

namespace app {

/// An error about a key of a file.
attn::Error wrong_key(std::string message, std::string_view where, std::string_view key, int line);

/// False if the value is of another kind.
bool read(bool& out, const attn::JsonValue& value);
/// Numbers outside `low` … `high` are clamped: an old file's size is still a size.
bool read(double& out, const attn::JsonValue& value, double low, double high);
bool read(int& out, const attn::JsonValue& value, int low, int high);

/// Parses a text that must be a single object.
attn::Result<attn::JsonValue> parse_object(std::string_view bytes, std::string_view where);

}  // namespace app
