#include "app/state/json_read.h"

#include <algorithm>

#include "core/io/safe_text.h"

namespace app {

using attn::JsonKind;
using attn::JsonValue;

attn::Error wrong_key(std::string message, std::string_view where, std::string_view key, int line) {
    return {std::move(message), std::string(where), attn::visible_text(key), line};
}

bool read(bool& out, const JsonValue& value) {
    if (value.kind == JsonKind::Boolean) out = value.boolean;
    return value.kind == JsonKind::Boolean;
}

bool read(double& out, const JsonValue& value, double low, double high) {
    if (value.kind == JsonKind::Number) out = std::clamp(value.number, low, high);
    return value.kind == JsonKind::Number;
}

bool read(int& out, const JsonValue& value, int low, int high) {
    double number = 0;
    if (!value.is_integer || !read(number, value, low, high)) return false;
    out = static_cast<int>(number);
    return true;
}

attn::Result<JsonValue> parse_object(std::string_view bytes, std::string_view where) {
    auto json = attn::parse_json(bytes);
    if (!json) {
        attn::Error error = json.error();
        error.where = where;
        return error;
    }
    if (json->kind != JsonKind::Object) return wrong_key("an object, { … }, is expected", where, "", json->line);
    return json;
}

}  // namespace app
