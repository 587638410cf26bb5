#include "tests/core/reference.h"

#include <gtest/gtest.h>

#include <fstream>
#include <limits>
#include <sstream>

#include "core/io/json_writer.h"
#include "places.h"

namespace attn::test {
namespace {

JsonValue read_reference_file() {
    std::ifstream file(ATTN_SOURCE_DIR "/tests/data/reference.json", std::ios::binary);
    std::stringstream bytes;
    bytes << file.rdbuf();
    auto parsed = parse_json(bytes.str());
    EXPECT_TRUE(parsed.ok()) << (parsed ? "" : parsed.error().text());
    return parsed ? *parsed : JsonValue{};
}

void write_value(const JsonValue& value, JsonWriter& out) {
    switch (value.kind) {
        case JsonKind::Null:
            return out.null();
        case JsonKind::Boolean:
            return out.boolean(value.boolean);
        case JsonKind::Number:
            return value.is_integer ? out.integer(value.integer) : out.number(value.number);
        case JsonKind::String:
            return out.string(value.string);
        case JsonKind::Array:
            out.begin_array();
            for (const JsonValue& item : value.items) write_value(item, out);
            return out.end_array();
        case JsonKind::Object:
            out.begin_object();
            for (const JsonMember& member : value.members) {
                out.key(member.key);
                write_value(member.value, out);
            }
            return out.end_object();
    }
}

}  // namespace

const JsonValue& reference() {
    static const JsonValue kReference = read_reference_file();
    return kReference;
}

const std::vector<JsonValue>& reference_cases() {
    static const std::vector<JsonValue> kNone;
    const JsonValue* cases = reference().find("cases");
    EXPECT_NE(cases, nullptr);
    return cases ? cases->items : kNone;
}

std::string text_of(const JsonValue& value) {
    JsonWriter out;
    write_value(value, out);
    return out.take();
}

Numbers numbers_of(const JsonValue& value) {
    const std::size_t rows = value.items.size(), cols = rows == 0 ? 0 : value.items[0].items.size();
    Numbers out(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(cols));
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < cols; ++c) {
            const JsonValue& one = value.items[r].items.at(c);
            const bool number = one.kind == JsonKind::Number;
            EXPECT_TRUE(number || one.string == "-inf") << one.string;
            out(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(c)) =
                number ? one.number : -std::numeric_limits<double>::infinity();
        }
    return out;
}

}  // namespace attn::test
