#include "tests/core/reference.h"

#include <gtest/gtest.h>

#include <fstream>
#include <limits>
#include <sstream>

#include "core/io/json_writer.h"
#include "core/io/matrix_json.h"
#include "places.h"
#include "tests/core/support.h"

namespace attn::test {
namespace {

constexpr double kReferenceAgreement = 1e-5;  // of the tensor's largest magnitude

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

JsonValue read_reference(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::stringstream bytes;
    bytes << file.rdbuf();
    auto parsed = parse_json(bytes.str());
    EXPECT_TRUE(parsed.ok()) << path << (parsed ? "" : parsed.error().text());
    return parsed ? *parsed : JsonValue{};
}

const JsonValue& reference() {
    static const JsonValue kReference = read_reference(ATTN_SOURCE_DIR "/tests/data/reference.json");
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

namespace {

/// The step of exactly this name: other spellings that find_step() accepts do not count.
const Step* exact_step(const Trace& trace, std::string_view name) {
    const std::optional<Tag> tag = parse_step_name(name);
    return tag ? find(trace, *tag) : nullptr;
}

}  // namespace

void compare_steps(const Trace& trace, const JsonValue& steps) {
    for (const JsonMember& expected : steps.members) {
        SCOPED_TRACE(expected.key);
        const Step* step = exact_step(trace, expected.key);
        ASSERT_NE(step, nullptr) << "the engine has no such step";
        const auto value = matrix_from_json(expected.value, expected.key, Infinities::Allowed);
        ASSERT_TRUE(value.ok()) << value.error().text();
        EXPECT_TRUE(close(step->value, *value, kReferenceAgreement));
    }
    for (const Step& step : trace.steps)
        EXPECT_NE(steps.find(step_name(step.tag)), nullptr) << step_name(step.tag) << " is not in the reference";
}

void compare_notes(const Trace& trace, const JsonValue& all_masked) {
    std::size_t expected = 0;
    for (const JsonMember& member : all_masked.members)
        for (const JsonValue& row : member.value.items) {
            ++expected;
            const StepId step = find_step(trace, member.key);
            ASSERT_NE(step, kNoStep);
            EXPECT_EQ(row_state(trace, step, static_cast<int>(row.integer)), RowState::AllMasked) << member.key;
        }
    EXPECT_EQ(trace.notes.size(), expected);
}

}  // namespace attn::test
