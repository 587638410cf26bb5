// Bytes that must not reach the packaged TOML parser: each gives a message with file, line and column, while valid TOML
// passes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/chapters/format/chapter.h"
#include "app/chapters/format/toml.h"
#include "app/chapters/format/toml_check.h"
#include "core/io/nesting.h"

namespace app {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string many(std::string_view piece, int count) {
    std::string out;
    for (int i = 0; i < count; ++i) out += piece;
    return out;
}

/// The message for a chapter that is not valid TOML.
std::string sentence(std::string_view bytes) {
    const Chapter chapter = parse_chapter(bytes, "t.toml", {});
    return chapter.problems.empty() ? "" : chapter.problems[0].text();
}

TEST(TomlCheck, BytesThatAreNotUtf8AreNamedWithTheirPlace) {
    for (const std::string_view bad : {"\xFF", "\xC0\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE4\xB8"}) {
        const std::string inside = "id = \"a\"\n# 甲\ntitle = { en = \"字" + std::string(bad) + "\" }\n";
        EXPECT_THAT(sentence(inside), StartsWith("t.toml:3:18: here are bytes that are not UTF-8; save the file as UTF-8"));
        EXPECT_THAT(sentence("# ab" + std::string(bad)), StartsWith("t.toml:1:5: here are bytes"));
        EXPECT_THAT(sentence("a = 1\n " + std::string(bad) + "b = 2"), StartsWith("t.toml:2:2: here are bytes"));
    }
}

TEST(TomlCheck, ControlCharactersAreNamedWithTheirPlace) {
    using namespace std::string_literals;
    for (const std::string& bad : {"\0"s, "\x01"s, "\x08"s, "\v"s, "\f"s, "\x1B"s, "\x7F"s, "\r"s}) {
        for (const std::string& before : {"a = \"x"s, "a = 'x"s, "a = \"\"\"x"s, "a = '''x"s, "#  a x"s}) {
            const std::string text = sentence("\n" + before + bad + "y");
            EXPECT_THAT(text, StartsWith("t.toml:2:" + std::to_string(before.size() + 1) + ": the control character U+00"))
                << before;
            EXPECT_THAT(text, HasSubstr("take it out"));
        }
        EXPECT_THAT(sentence("a = 1" + bad), StartsWith("t.toml:1:6: the control character"));
    }
    EXPECT_EQ(find_toml_fault("a = \"b\tc\" # d\te\r\nf = '''g\r\nh'''\r\n"), std::nullopt);
}

TEST(TomlCheck, LettersOutsideTextsAreNamedWithTheirPlace) {
    EXPECT_THAT(sentence("id = “a”"), StartsWith("t.toml:1:6: \"“\" (U+201C) may stand only in a text"));
    EXPECT_THAT(sentence("a = [1,\n  é"), StartsWith("t.toml:2:3: \"é\" (U+00E9) may stand only in a text"));
    EXPECT_THAT(sentence("名 = 1"), StartsWith("t.toml:1:1: \"名\""));
    EXPECT_THAT(sentence("a = 1、2"), HasSubstr("put the text in straight quotes"));
    EXPECT_THAT(sentence("a =\u00A0" "1"), HasSubstr("(U+00A0)"));
    EXPECT_EQ(find_toml_fault("\xEF\xBB\xBF" "a = \"é、\" # 甲\n\"名\" = '字'\nc = \"\"\"甲\\\n  、乙\"\"\"\n"), std::nullopt);
}

TEST(TomlCheck, ATextThatDoesNotEndOnItsLineIsNamed) {
    EXPECT_THAT(sentence("id = \"a\nb = 1"), StartsWith("t.toml:1:8: a text in \" does not end on its line; close it, or "
                                                        "begin and end it with \"\"\""));
    EXPECT_THAT(sentence("id = 'a\nb = 1"), HasSubstr("with '''"));
    EXPECT_EQ(find_toml_fault("a = \"\\\"#\" # \"\nb = ''\nc = \"\"\nd = '\\'\ne = '''a''''\nf = \"\"\"\"b\"\"\"\"\"\n"),
              std::nullopt);
}

TEST(TomlCheck, UnlimitedNestingIsAnError) {
    constexpr int kLevels = 100'000;
    const std::string deep[] = {
        "x = " + many("[", kLevels),        "x = " + many("{a=", kLevels), "[" + many("a.", kLevels) + "a]\n",
        many("a.", kLevels) + "a = 1\n",    many("a . ", kLevels) + "a = 1\n", many("\"a\".", kLevels) + "a = 1\n",
        "[[" + many("a.", kLevels) + "a]]", "x = {" + many("a.", kLevels) + "a = 1}",
        "x = " + many("{" + many("a.", 30) + "b = ", 1'000),
    };
    for (const std::string& text : deep)
        EXPECT_THAT(sentence(text), HasSubstr("nested too deeply; at most 64 levels are read")) << text.substr(0, 20);
    const std::string most = "x = " + many("[", attn::kDeepestNesting) + many("]", attn::kDeepestNesting);
    EXPECT_EQ(find_toml_fault(most), std::nullopt);
    EXPECT_NE(find_toml_fault("x = [" + most.substr(4) + "]"), std::nullopt);
    // Points in numbers and tables beside each other do not count as nesting.
    EXPECT_EQ(find_toml_fault(many("x = [1.5, 2.5]\n", 200) + "y = [" + many("1.5, ", 200) + "]"), std::nullopt);
    EXPECT_EQ(find_toml_fault("y = [" + many("{ a.b = [1] }, ", 200) + "]"), std::nullopt);
}

TEST(TomlCheck, HexadecimalFractionsAreRefused) {
    for (const std::string bad : {"0x1.8p3", "0x123456789p0", "-0X1P-2", "0x1.8"})
        EXPECT_THAT(sentence("a = 1\nb = " + bad), StartsWith("t.toml:2:5: \"" + (bad[0] == '-' ? bad.substr(1) : bad) +
                                                              "\" is no number of TOML; write it with decimal digits"));
    EXPECT_EQ(find_toml_fault("a = 0xFF\nb = -1.5e-3\nc = 1_000\np.x0 = 0b1"), std::nullopt);
}

/// What is valid TOML but not a valid chapter.
TEST(TomlCheck, UnsupportedValuesAreNamed) {
    EXPECT_THAT(sentence("a = 1\nb = nan"), StartsWith("t.toml:2:5: nan is no number"));
    EXPECT_THAT(sentence("b = 2024-01-01"), HasSubstr("a date or a time has no meaning in a chapter"));
}

/// The parser's own tables do not define é and 、 after a backslash at a line's end.
TEST(TomlCheck, ALineMayContinueWithAnyLetter) {
    for (const std::string letter : {"é", "¢", "\u0300", "、", "《", "\u2000x", "ﬁ", "\uFB50", "ⱟ"}) {
        const Toml toml = parse_toml("a = \"\"\"x\\\n  " + letter + "y\"\"\"\nb = \"\"\"\\" + "\n" + letter + "\"\"\"");
        ASSERT_EQ(toml.problem, "") << letter;
        EXPECT_THAT(toml.root.find("a")->string, testing::EndsWith(letter.substr(letter.size() - 1) + "y"));
    }
}

}  // namespace
}  // namespace app
