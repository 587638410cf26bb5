#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "core/text/unicode.h"

namespace attn {
namespace {

TEST(CleanUtf8, KeepsWellFormedText) {
    for (const std::string text : {"", "cat", "早上好", "na\u00EFve", "\U00020BB7", "\U0001F469\u200D\U0001F52C"}) {
        const CleanText clean = clean_utf8(text);
        EXPECT_EQ(clean.text, text);
        EXPECT_EQ(clean.replaced, 0);
    }
}

struct Broken {
    std::string bytes;
    std::string text;
    int replaced;
};

TEST(CleanUtf8, ReplacesAndCountsInvalidBytes) {
    const std::string r = "\uFFFD";
    const Broken rows[] = {
        {"a\xFFz", "a" + r + "z", 1},                              // never a lead byte
        {"\x80\x80", r + r, 2},                                    // continuation without a lead
        {"\xC0\xAF", r + r, 2},                                    // overlong "/"
        {"\xE0\x80\xAF", r + r + r, 3},                            // overlong, three bytes
        {"\xED\xA0\x80", r + r + r, 3},                            // lone surrogate D800
        {"\xF4\x90\x80\x80", r + r + r + r, 4},                    // beyond U+10FFFF
        {"\xE6\x97", r, 1},                                        // cut short at the end
        {"\xE6\x97z", r + "z", 1},                                 // cut short in the middle
        {"\xF0\x9F\x98", r, 1},                                    // one maximal subpart, one replacement character
        {"a\xF1\x80\x80\xE1\x80\xC2z", "a" + r + r + r + "z", 3},  // Unicode Standard, table 3-8
        {std::string("\xFF\xFE"
                     "c\0",
                     4),
         r + r + "c" + std::string(1, '\0'), 2},  // a UTF-16 file
    };
    for (const Broken& row : rows) {
        const CleanText clean = clean_utf8(row.bytes);
        EXPECT_EQ(clean.text, row.text);
        EXPECT_EQ(clean.replaced, row.replaced);
    }
}

TEST(CleanUtf8, DropsOneLeadingByteOrderMark) {
    EXPECT_EQ(clean_utf8("\uFEFFcat").text, "cat");
    EXPECT_EQ(clean_utf8("\uFEFF").text, "");
    EXPECT_EQ(clean_utf8("a\uFEFF").text, "a\uFEFF");
}

TEST(CleanUtf8, AnyBytesBecomeTextThatStaysAsItIs) {
    EXPECT_TRUE(rc::check([](const std::string& bytes) {
        const CleanText once = clean_utf8(bytes);
        const CleanText twice = clean_utf8(once.text);
        RC_ASSERT(twice.replaced == 0);
        RC_ASSERT(once.text.starts_with("\uFEFF") || twice.text == once.text);
    }));
}

TEST(CodePoints, EncodeAndDecodeAreInverse) {
    for (char32_t code = 0; code <= 0x10FFFF; ++code) {
        if (code >= 0xD800 && code <= 0xDFFF) continue;
        const std::string text = encode_utf8(code);
        const CodePoint point = decode_utf8(text, 0);
        ASSERT_TRUE(point.valid);
        ASSERT_EQ(point.value, code);
        ASSERT_EQ(point.length, text.size());
    }
    EXPECT_EQ(encode_utf8(0xD800), "\uFFFD");
    EXPECT_EQ(encode_utf8(0x110000), "\uFFFD");
    EXPECT_EQ(code_points("早上好!"), 4u);
    EXPECT_EQ(to_code_points("a早\U00020BB7"), U"a早\U00020BB7");
}

TEST(FoldCase, MakesWordsComparable) {
    EXPECT_EQ(fold_case("CaT"), "cat");
    EXPECT_EQ(fold_case("STRASSE"), fold_case("straße"));
    EXPECT_EQ(fold_case("É"), fold_case("e\u0301"));
    EXPECT_EQ(fold_case("早上好"), "早上好");
    EXPECT_EQ(fold_case("\xE6"), "\xE6");
}

TEST(KindOf, KnowsCharactersThatAreTokensAlone) {
    for (const char32_t code : {U'猫', U'ね', U'ネ', U'고', U'ก', U'々'}) EXPECT_EQ(kind_of(code), CharKind::Character);
    for (const char32_t code : {U'a', U'É', U'я', U'ש', U'ع', U'क'}) EXPECT_EQ(kind_of(code), CharKind::Letter);
    for (const char32_t code : {U'7', U'٣'}) EXPECT_EQ(kind_of(code), CharKind::Digit);
    for (const char32_t code : {U' ', U'\n', U'\t', U'\u3000', U'\u2028'}) EXPECT_EQ(kind_of(code), CharKind::Space);
    for (const char32_t code : {U'.', U'。', U'、', U'"', U'・'}) EXPECT_EQ(kind_of(code), CharKind::Punctuation);
    for (const char32_t code : {U'+', U'€', U'\uE000'}) EXPECT_EQ(kind_of(code), CharKind::Symbol);
    for (const char32_t code : {U'😀', U'🇨', U'❤'}) EXPECT_EQ(kind_of(code), CharKind::Emoji);
    for (const char32_t code : {U'\0', U'\x1B', U'\u202E'}) EXPECT_EQ(kind_of(code), CharKind::Control);
    EXPECT_EQ(kind_of(0x0301), CharKind::Mark);
    EXPECT_EQ(kind_of(0x20BB7), CharKind::Character);
}

TEST(Graphemes, AreUserPerceivedCharacters) {
    const std::string family = "\U0001F468\u200D\U0001F469\u200D\U0001F467";
    const std::string flags = "\U0001F1E8\U0001F1F3\U0001F1EB\U0001F1F7";
    EXPECT_EQ(graphemes("e\u0301a").size(), 2u);
    EXPECT_EQ(graphemes(family).size(), 1u);
    EXPECT_EQ(graphemes(flags).size(), 2u);
    EXPECT_EQ(graphemes("\r\n\n").size(), 2u);
    EXPECT_EQ(graphemes("1\uFE0F\u20E3").size(), 1u);
    EXPECT_TRUE(graphemes("").empty());
}

TEST(Graphemes, JoinToTheText) {
    EXPECT_TRUE(rc::check([](const std::string& bytes) {
        const std::string text = clean_utf8(bytes).text;
        std::string joined;
        for (const std::string_view cluster : graphemes(text)) joined += cluster;
        RC_ASSERT(joined == text);
    }));
}

}  // namespace
}  // namespace attn
