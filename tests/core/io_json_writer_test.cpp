// Writing JSON, and matrices read from it.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <clocale>
#include <cmath>
#include <cstdint>
#include <limits>
#include <locale>

#include "core/io/json.h"
#include "core/io/json_writer.h"
#include "core/io/matrix_json.h"
#include "tests/support/under_test.h"

namespace attn {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

TEST(Shortest, GivesTheFewestDigitsThatRoundTrip) {
    EXPECT_EQ(shortest(0.1F), "0.1");
    EXPECT_EQ(shortest(0.1), "0.1");
    EXPECT_EQ(shortest(1.0F), "1");
    EXPECT_EQ(shortest(-0.0F), "-0.0");
    EXPECT_EQ(shortest(0.0F), "0");
    EXPECT_EQ(shortest(1.0F / 3), "0.33333334");
    EXPECT_EQ(shortest(1.0 / 3), "0.3333333333333333");
    EXPECT_EQ(shortest(3.4028235e38F), "3.4028235e+38");
    EXPECT_EQ(shortest(1e-45F), "1e-45");
    EXPECT_EQ(shortest(-kInf), "-inf");
    EXPECT_EQ(shortest(kInf), "inf");
    EXPECT_EQ(shortest(std::nanf("")), "nan");
}

std::string sample(JsonLayout layout) {
    JsonWriter json(layout);
    json.begin_object();
    json.key("text");
    json.string("早\"\\\n");
    json.key("empty");
    json.begin_array();
    json.end_array();
    json.key("X");
    json.matrix((Matrix(2, 2) << 1, 0.5F, -kInf, -0.0F).finished());
    json.key("n");
    json.integer(-3);
    json.key("labels");
    json.strings(std::vector<std::string>{"a", "b"});
    json.key("more");
    json.begin_array();
    json.boolean(true);
    json.null();
    json.natural(18446744073709551615U);
    json.number(0.25);
    json.end_array();
    json.end_object();
    return json.take();
}

TEST(JsonWriter, WritesCompactly) {
    EXPECT_EQ(sample(JsonLayout::Compact),
              R"({"text":"早\"\\\n","empty":[],"X":[[1,0.5],["-inf",-0.0]],"n":-3,"labels":["a","b"],)"
              R"("more":[true,null,18446744073709551615,0.25]})");
}

TEST(JsonWriter, WritesRowsOnOneLine) {
    EXPECT_EQ(
        sample(JsonLayout::Indented),
        "{\n  \"text\": \"早\\\"\\\\\\n\",\n  \"empty\": [],\n  \"X\": [\n    [1, 0.5],\n    [\"-inf\", -0.0]\n  ],\n"
        "  \"n\": -3,\n  \"labels\": [\"a\", \"b\"],\n  \"more\": [\n    true,\n    null,\n"
        "    18446744073709551615,\n    0.25\n  ]\n}\n");
}

TEST(JsonWriter, EscapesControlCharacters) {
    JsonWriter json(JsonLayout::Compact);
    using namespace std::string_literals;
    json.string("\x1b[31m\0\u202E\u2028\x7f\u0085\xFF!"s);
    EXPECT_EQ(json.take(), "\"\\u001b[31m\\u0000\\u202e\\u2028\\u007f\\u0085\xEF\xBF\xBD!\"");
}

TEST(JsonWriterDeathTest, AssertsItsOrder) {
    if (!sanitized()) return;  // only such builds have assertions
    JsonWriter json;
    json.begin_object();
    EXPECT_DEATH(json.null(), "a key comes before");
}

RC_GTEST_PROP(JsonRoundTrip, FiniteFloatsComeBackBitForBit, ()) {
    // Any bits at all: every exponent, subnormals and both zeros, not only the numbers that a generator favours.
    const auto bits = *rc::gen::inRange<std::int64_t>(0, std::int64_t{1} << 32);
    const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    RC_PRE(std::isfinite(value));
    JsonWriter json(JsonLayout::Compact);
    json.matrix(Matrix::Constant(1, 2, value));
    const auto tree = parse_json(json.take());
    RC_ASSERT(tree.ok());
    const auto matrix = matrix_from_json(*tree, "X");
    RC_ASSERT(matrix.ok());
    RC_ASSERT(std::bit_cast<std::uint32_t>((*matrix)(0, 1)) == std::bit_cast<std::uint32_t>(value));
}

RC_GTEST_PROP(JsonRoundTrip, DoublesComeBackBitForBit, (std::uint64_t bits)) {
    const auto value = std::bit_cast<double>(bits * 0x9E3779B97F4A7C15U);
    RC_PRE(std::isfinite(value));
    JsonWriter json(JsonLayout::Compact);
    json.number(value);
    const auto tree = parse_json(json.take());
    RC_ASSERT(tree.ok());
    RC_ASSERT(std::bit_cast<std::uint64_t>(tree->number) == std::bit_cast<std::uint64_t>(value));
}

RC_GTEST_PROP(JsonRoundTrip, StringsComeBack, (const std::vector<std::uint16_t>& units)) {
    std::string text;
    for (const std::uint16_t unit : units) {
        if (unit >= 0xD800 && unit < 0xE000) continue;
        if (unit < 0x80) {
            text += static_cast<char>(unit);
        } else if (unit < 0x800) {
            text += static_cast<char>(0xC0 | unit >> 6);
            text += static_cast<char>(0x80 | (unit & 0x3F));
        } else {
            text += static_cast<char>(0xE0 | unit >> 12);
            text += static_cast<char>(0x80 | (unit >> 6 & 0x3F));
            text += static_cast<char>(0x80 | (unit & 0x3F));
        }
    }
    JsonWriter json;
    json.strings(std::vector<std::string>{text});
    const auto tree = parse_json(json.take());
    RC_ASSERT(tree.ok());
    RC_ASSERT(tree->items.at(0).string == text);
}

/// The error that `text` gives as the matrix W_Q.
Error matrix_error(std::string_view text, Infinities infinities = Infinities::Refused) {
    const auto tree = parse_json(text);
    EXPECT_TRUE(tree.ok());
    const auto matrix = matrix_from_json(*tree, "W_Q", infinities);
    EXPECT_FALSE(matrix.ok());
    return matrix.ok() ? Error{} : matrix.error();
}

TEST(MatrixJson, ReadsRowsByColumns) {
    const auto tree = parse_json("[[1, 2.5, -3], [4, 5, 6e-3]]");
    const auto matrix = matrix_from_json(*tree, "X");
    ASSERT_TRUE(matrix.ok());
    EXPECT_EQ(*matrix, (Matrix(2, 3) << 1, 2.5F, -3, 4, 5, 6e-3F).finished());
}

TEST(MatrixJson, NamesTheKeyAndTheLine) {
    EXPECT_EQ(matrix_error("[[1],\n[2],\n[\"x\"]]").text(),
              "line 3: W_Q[2][0]: A number is expected, not the text \"x\".");
    EXPECT_EQ(matrix_error("[[1, 2],\n[3]]").text(),
              "line 2: W_Q[1]: The rows differ in length: this one has 1, the first has 2.");
    EXPECT_EQ(matrix_error("[[1, null]]").key, "W_Q[0][1]");
    EXPECT_EQ(matrix_error("[[1], 2]").key, "W_Q[1]");
    EXPECT_NE(matrix_error("[]").message.find("empty"), std::string::npos);
    EXPECT_EQ(matrix_error("[[]]").key, "W_Q[0]");
    EXPECT_NE(matrix_error("3").message.find("list of rows"), std::string::npos);
    EXPECT_NE(matrix_error("[[1e39]]").message.find("1e+39 is beyond"), std::string::npos);
    EXPECT_NE(matrix_error("[[\"-inf\"]]").message.find("infinity is not allowed here"), std::string::npos);
    EXPECT_NE(matrix_error("[[\"nan\"]]", Infinities::Allowed).message.find("NaN"), std::string::npos);
}

TEST(MatrixJson, AcceptsInfinitiesWhereAllowed) {
    const auto matrix = matrix_from_json(*parse_json("[[\"-inf\", 0, \"inf\"]]"), "mask", Infinities::Allowed);
    ASSERT_TRUE(matrix.ok());
    EXPECT_EQ((*matrix)(0, 0), -kInf);
    EXPECT_EQ((*matrix)(0, 2), kInf);
}

TEST(MatrixJson, ReadsRowVectors) {
    const auto row = row_vector_from_json(*parse_json("[1, 2]"), "b_Q");
    ASSERT_TRUE(row.ok());
    EXPECT_EQ(row->cols(), 2);
    EXPECT_EQ(row_vector_from_json(*parse_json("[1, [2]]"), "b_Q").error().key, "b_Q[1]");
    EXPECT_FALSE(row_vector_from_json(*parse_json("[]"), "b_Q").ok());
    EXPECT_FALSE(row_vector_from_json(*parse_json("7"), "b_Q").ok());
}

/// A decimal comma, and a point as thousands separator, as in German.
class GermanNumbers : public std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
};

TEST(Locale, DoesNotAffectNumbers) {
    const std::locale german(std::locale::classic(), new GermanNumbers);
    const std::locale before = std::locale::global(german);
    const std::string c_before = std::setlocale(LC_ALL, nullptr);
    std::setlocale(LC_ALL, "de_DE.UTF-8");  // where it is installed; the C++ one above always is
    JsonWriter json(JsonLayout::Compact);
    json.begin_row();
    json.number(1234.5F);
    json.integer(1234567);
    json.end_array();
    const std::string written = json.take();
    const auto tree = parse_json("[1234.5, 0.25, 1e3]");
    std::setlocale(LC_ALL, c_before.c_str());
    std::locale::global(before);
    EXPECT_EQ(written, "[1234.5,1234567]");
    ASSERT_TRUE(tree.ok());
    EXPECT_EQ(tree->items[0].number32, 1234.5F);
    EXPECT_EQ(tree->items[1].number, 0.25);
}

}  // namespace
}  // namespace attn
