// Reading JSON: the tree, its positions, and a message for everything that is refused.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <string>

#include "core/io/json.h"

namespace attn {
namespace {

using namespace std::string_literals;

JsonValue parsed(std::string_view text) {
    auto value = parse_json(text);
    EXPECT_TRUE(value.ok()) << (value.ok() ? "" : value.error().text());
    return value.ok() ? *value : JsonValue{};
}

/// Expects a refusal at that line whose message contains `part`.
void expect_json_refused(std::string_view text, int line, std::string_view part) {
    const auto value = parse_json(text);
    ASSERT_FALSE(value.ok()) << text.substr(0, 60);
    EXPECT_EQ(value.error().line, line) << value.error().text();
    EXPECT_NE(value.error().message.find(part), std::string::npos)
        << "wanted: " << part << "\ngot:    " << value.error().text();
}

TEST(Json, KeepsKindsOrderAndContents) {
    const JsonValue root = parsed(R"({"b": [1, -2.5, "x"], "a": null, "t": true, "o": {}})");
    ASSERT_EQ(root.kind, JsonKind::Object);
    ASSERT_EQ(root.members.size(), 4U);
    EXPECT_EQ(root.members[0].key, "b");
    const JsonValue& list = root.members[0].value;
    ASSERT_EQ(list.items.size(), 3U);
    EXPECT_TRUE(list.items[0].is_integer);
    EXPECT_EQ(list.items[0].integer, 1);
    EXPECT_FALSE(list.items[1].is_integer);
    EXPECT_EQ(list.items[1].number, -2.5);
    EXPECT_EQ(list.items[2].string, "x");
    EXPECT_EQ(root.find("a")->kind, JsonKind::Null);
    EXPECT_TRUE(root.find("t")->boolean);
    EXPECT_EQ(root.find("o")->kind, JsonKind::Object);
    EXPECT_EQ(root.find("missing"), nullptr);
}

TEST(Json, KnowsAllPositions) {
    const JsonValue root = parsed("{\n  \"heads\": 12,\n  \"早上\": [\n    1, \"a\\\"]\", true ,[]\n  ]\n}");
    EXPECT_EQ(root.line, 1);
    EXPECT_EQ(root.column, 1);
    EXPECT_EQ(root.members[0].key_line, 2);
    EXPECT_EQ(root.members[0].value.line, 2);
    EXPECT_EQ(root.members[0].value.column, 12);
    const JsonValue& list = root.members[1].value;
    EXPECT_EQ(list.column, 9) << "columns are characters, not bytes";
    EXPECT_EQ(list.items[0].column, 5);
    EXPECT_EQ(list.items[1].column, 8);
    EXPECT_EQ(list.items[2].column, 16);
    EXPECT_EQ(list.items[3].column, 22);
    EXPECT_EQ(list.items[3].line, 4);
}

TEST(Json, DistinguishesIntegersFromOtherNumbers) {
    const JsonValue list = parsed("[9223372036854775807, 9223372036854775808, 1.0, -0, -9223372036854775808, 1e2]");
    EXPECT_EQ(list.items[0].integer, 9223372036854775807);
    EXPECT_FALSE(list.items[1].is_integer) << "beyond int64 it must not pass for one";
    EXPECT_EQ(list.items[1].number, 0x1p63);
    EXPECT_FALSE(list.items[2].is_integer);
    EXPECT_TRUE(std::signbit(list.items[3].number32));
    EXPECT_EQ(list.items[4].integer, INT64_MIN);
    EXPECT_EQ(list.items[5].number, 100.0);
}

TEST(Json, RoundsOnceToFloat) {
    // The double nearest to this text lies halfway between two floats, so going through it rounds wrongly.
    const JsonValue list = parsed("[7.038531e-26, 1e39, -1e39, 1e-60]");
    EXPECT_EQ(std::bit_cast<std::uint32_t>(list.items[0].number32), 0x15AE43FDU);
    EXPECT_NE(static_cast<float>(list.items[0].number), list.items[0].number32);
    EXPECT_TRUE(std::isinf(list.items[1].number32));
    EXPECT_EQ(list.items[1].number, 1e39);
    EXPECT_LT(list.items[2].number32, 0.0F);
    EXPECT_EQ(list.items[3].number32, 0.0F);
}

TEST(Json, AcceptsAByteOrderMark) { EXPECT_EQ(parsed("\xEF\xBB\xBF{\"a\": 1}").find("a")->column, 7); }

TEST(Json, RefusesASecondByteOrderMark) {
    expect_json_refused("\xEF\xBB\xBF\xEF\xBB\xBF\x31", 1, "second byte order mark");
    expect_json_refused("\xEF\xBB\xBF \xEF\xBB\xBF{}", 1, "");  // not further inside either
}

TEST(Json, NamesFilesThatAreNotJson) {
    expect_json_refused("", 0, "is empty");
    expect_json_refused("\xEF\xBB\xBF", 0, "is empty");
    expect_json_refused(" \n\t", 0, "nothing but blanks");
    expect_json_refused("\xFF\xFE{\0}\0"s, 0, "UTF-16");
    expect_json_refused("\xFE\xFF\0{\0}"s, 0, "UTF-16");
    expect_json_refused("version https://git-lfs.github.com/spec/v1\noid sha256:0\n", 0, "git lfs pull");
    expect_json_refused("\n<!DOCTYPE html><html></html>", 0, "web page");
    expect_json_refused("PK\x03\x04....", 0, "ZIP archive");
    // As torch.save() begins: a ZIP archive whose first file is a pickle.
    expect_json_refused("PK\x03\x04" + std::string(22, '.') + "\x0D...attn/data.pklFB....", 0, "PyTorch file");
    expect_json_refused("\x80\x04\x95", 0, "pickle");
}

TEST(Json, ExplainsSyntaxErrorsWithTheirPlace) {
    expect_json_refused("{\"a\": 1,\n}", 2, "column 1: There is a ',' before this '}'");
    expect_json_refused("[1,\n 2,\n]", 3, "column 1: A value is missing before this ']'");
    expect_json_refused("[1 2]", 1, "column 4: A ',' or the closing ']' of the list opened at line 1, column 1 is missing");
    expect_json_refused("{\"a\": 1 \"b\": 2}", 1, "column 9: A ',' or the closing '}'");
    expect_json_refused("{\"a\" 1}", 1, "column 6: A ':' is expected");
    expect_json_refused("{a: 1}", 1, "column 2: A key in double quotes is expected here, not \"a\"");
    expect_json_refused("{'a': 1}", 1, "double quotes (\"), not in single ones");
    expect_json_refused("{\"a\": [1, {\n\"b\": 2", 2, "the object opened at line 1, column 11 is never closed");
    expect_json_refused("{} x", 1, "The document has ended, yet \"x\" follows");
    expect_json_refused("{}\n{}", 2, "column 1: The document has ended");
    expect_json_refused("[true, hello]", 1, "column 8: \"hello\" is not a JSON value");
    expect_json_refused("[,1]", 1, "column 2: A value is missing before this ','");
    expect_json_refused("[1] // no", 1, "no comments");
    expect_json_refused("[None]", 1, "Python");
    expect_json_refused("[+1]", 1, "'+'");
    expect_json_refused("[.5]", 1, "0.5, not .5");
    expect_json_refused("[1.]", 1, "column 2: \"1.\" is not");
    expect_json_refused("[1e999]", 1, "column 2: The number \"1e999\" is too large");
    expect_json_refused("[NaN]", 1, "not a JSON number");
    expect_json_refused("[-Infinity]", 1, "\"-inf\"");
}

TEST(Json, ExplainsBadStrings) {
    expect_json_refused("[\"abc]", 1, "column 2: This text is never closed");
    expect_json_refused("[\"ab\nc\"]", 1, "control character");
    expect_json_refused("[\"\\x41\"]", 1, "After a backslash");
    expect_json_refused("[\"\\u12\"]", 1, "four hexadecimal digits");
    expect_json_refused("[\"\\ud800\"]", 1, "surrogate");
    expect_json_refused("[\n\"a\xC0\xAF\"]", 2, "not UTF-8");
    expect_json_refused("[\"\xED\xA0\x80\"]", 1, "not UTF-8");
    expect_json_refused("{}\0{\"x\": 1}"s, 1, "zero byte");
    expect_json_refused("[\n\"\0\"]"s, 2, "zero byte");
}

TEST(Json, NamesADuplicateKey) {
    const auto value = parse_json("{\"layers\": [{}, {\n\"heads\": 1,\n\"b\": 0,\n\"heads\": 2}]}");
    ASSERT_FALSE(value.ok());
    EXPECT_EQ(value.error().line, 4);
    EXPECT_EQ(value.error().key, "layers[1]");
    EXPECT_NE(value.error().message.find("\"heads\" appears twice in one object, first at line 2"), std::string::npos);
    EXPECT_TRUE(parse_json(R"({"a": {"x": 1}, "b": {"x": 1}})").ok());
    expect_json_refused(R"({"a": 1, "\u0061": 2})", 1, "appears twice");
    // Keys with long common prefixes, keys shorter than the bytes compared at once, and one that ends with a zero byte.
    EXPECT_TRUE(parse_json(R"({"positions.1": 1, "positions.2": 2, "position": 3, "a": 4, "a\u0000": 5, "": 6})").ok());
    expect_json_refused(R"({"positions.1": 1, "positions.2": 2, "a": 0, "positions.1": 3})", 1, "\"positions.1\" appears twice");
    expect_json_refused(R"({"a\u0000": 1, "a": 2, "b": 3, "a\u0000": 4})", 1, "appears twice");
}

TEST(Json, KeepsItsLimits) {
    expect_json_refused(std::string(100'000, '['), 1, "column 65: Lists and objects are nested more than 64 deep");
    EXPECT_TRUE(parse_json(std::string(32, '[') + std::string(32, ']')).ok());
    const auto large = parse_json("[1, 2, 3]", {.max_bytes = 8});
    ASSERT_FALSE(large.ok());
    EXPECT_NE(large.error().message.find("9 bytes; at most 8"), std::string::npos);
    const auto many = parse_json("[1, 2, 3]", {.max_values = 3});
    ASSERT_FALSE(many.ok());
    EXPECT_NE(many.error().message.find("more than 3 values"), std::string::npos);
}

TEST(Json, HostileNamesCannotActInMessages) {
    const auto value = parse_json("{\"\\u001b[31m\\u202e\": 1, \"\\u001b[31m\\u202e\": 2}");
    ASSERT_FALSE(value.ok());
    EXPECT_EQ(value.error().message.find('\x1b'), std::string::npos);
    EXPECT_NE(value.error().message.find("<U+202E>"), std::string::npos);
}

TEST(Json, ReadsManyKeysAndManyNumbers) {
    std::string keys = "{";
    for (int i = 0; i < 200'000; ++i) keys += '"' + std::to_string(i) + "\":0,";
    keys += "\"x\":0}";
    EXPECT_EQ(parsed(keys).members.size(), 200'001U);
    std::string rows = "[";
    for (int i = 0; i < 1000; ++i) {
        rows += i ? ",\n[" : "[";
        for (int j = 0; j < 1000; ++j) rows += (j ? ",-0." : "0.") + std::to_string(123456789 + 31 * i + j);
        rows += ']';
    }
    const JsonValue root = parsed(rows + ']');
    ASSERT_EQ(root.items.size(), 1000U);
    EXPECT_EQ(root.items[999].items.size(), 1000U);
    EXPECT_EQ(root.items[999].line, 1000);
}

}  // namespace
}  // namespace attn
