// Any bytes as JSON. Oracle: what was read is written again, read again, and must be the same tree.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/io/json.h"
#include "core/io/json_writer.h"
#include "core/io/matrix_json.h"

namespace {

using attn::JsonKind;
using attn::JsonValue;

void require(bool holds) {
    if (!holds) std::abort();
}

void write(attn::JsonWriter& json, const JsonValue& value) {
    switch (value.kind) {
        case JsonKind::Null:
            json.null();
            break;
        case JsonKind::Boolean:
            json.boolean(value.boolean);
            break;
        case JsonKind::String:
            json.string(value.string);
            break;
        case JsonKind::Number:
            if (value.is_integer && value.integer != 0)  // a zero may have a sign, which an integer cannot hold
                json.integer(value.integer);
            else
                json.number(value.number);
            break;
        case JsonKind::Array:
            json.begin_array();
            for (const JsonValue& item : value.items) write(json, item);
            json.end_array();
            break;
        case JsonKind::Object:
            json.begin_object();
            for (const attn::JsonMember& member : value.members) {
                json.key(member.key);
                write(json, member.value);
            }
            json.end_object();
    }
}

/// Positions and the spelling of a number may differ; contents may not.
void require_same(const JsonValue& a, const JsonValue& b) {
    require(a.kind == b.kind && a.boolean == b.boolean && a.string == b.string);
    require(std::bit_cast<std::uint64_t>(a.number) == std::bit_cast<std::uint64_t>(b.number));
    require(a.items.size() == b.items.size() && a.members.size() == b.members.size());
    for (std::size_t i = 0; i < a.items.size(); ++i) require_same(a.items[i], b.items[i]);
    for (std::size_t i = 0; i < a.members.size(); ++i) {
        require(a.members[i].key == b.members[i].key);
        require_same(a.members[i].value, b.members[i].value);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const auto tree = attn::parse_json(bytes);
    if (!tree) {
        require(!tree.error().message.empty());
        return 0;
    }
    static_cast<void>(attn::matrix_from_json(*tree, "X", attn::Infinities::Allowed));
    static_cast<void>(attn::row_vector_from_json(*tree, "b"));
    for (const attn::JsonLayout layout : {attn::JsonLayout::Compact, attn::JsonLayout::Indented}) {
        attn::JsonWriter json(layout);
        write(json, *tree);
        const auto again = attn::parse_json(json.take());
        require(again.ok());
        require_same(*tree, *again);
    }
    return 0;
}
