#pragma once
// Reading what is kept of how the program is used: a value that is not as it should be changes nothing.

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/io/json.h"

namespace app {

/// An error about a key of a file.
attn::Error wrong_key(std::string message, std::string_view where, std::string_view key, int line);

/// False: it is of another kind.
bool read(bool& out, const attn::JsonValue& value);
/// Numbers outside `low` … `high` are taken to the nearer end: an old file's size still is a size.
bool read(double& out, const attn::JsonValue& value, double low, double high);
bool read(int& out, const attn::JsonValue& value, int low, int high);

/// A whole text that is one object.
attn::Result<attn::JsonValue> parse_object(std::string_view bytes, std::string_view where);

}  // namespace app
