#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "core/text/unicode.h"

namespace attn {
namespace {

struct Shown {
    std::string token;
    std::string label;
};

TEST(Visible, ShowsEveryCharacter) {
    const Shown rows[] = {
        {"cat", "cat"},
        {"早上", "早上"},
        {"", ""},
        {" ", "␣"},
        {"a b", "a␣b"},
        {"\n", "↵"},
        {"\r\n", "␍↵"},
        {"\t", "␉"},
        {std::string(1, '\0'), "␀"},
        {"\x1B[31m", "␛[31m"},
        {"\x7F", "␡"},
        {"\u0085", "U+0085"},
        {"\u202E", "U+202E"},
        {"a\u202E"
         "b",
         "a U+202E b"},
        {"\u200B", "U+200B"},
        {"\u00A0", "U+00A0"},
        {"\u2028", "U+2028"},
        {"\uFEFF", "U+FEFF"},
        {"\u3164", "U+3164"},  // the hangul filler: an invisible letter
        {"\uE000", "U+E000"},
        {"\uFFFF", "U+FFFF"},
        {"\uFFFD", "\uFFFD"},
        {"\U00020BB7", "U+20BB7"},
        {"\U0001F468\u200D\U0001F469", "U+1F468 U+200D U+1F469"},
        {"\u2764\uFE0F", "\u2764"},
        {"\uFE0F", "U+FE0F"},
        {"\u0301", "◌\u0301"},
        {"e\u0301", "e\u0301"},
        {"\xE6", "E6"},
        {"\xE6\x97", "E6 97"},
        {"a\xFFz", "a FF z"},
        // Pieces of characters, as tokenizers with byte vocabularies produce them.
        {"早 1/3", "早 1/3"},
        {" 早 1/2", "␣早 1/2"},
        {"早 2/2 好 1/2", "早 2/2 好 1/2"},
        {"😀 4/4 ok", "U+1F600 4/4 ok"},
        {"E8 A1", "E8 A1"},
        {"E8 好", "E8 好"},
        {" E8", "␣E8"},
        {" 1/2", "␣1/2"},
        {"1/2 a", "1/2␣a"},
        {"早 5/3", "早␣5/3"},
        {"at 7A", "at␣7A"},
    };
    for (const Shown& row : rows) EXPECT_EQ(visible(row.token), row.label);
}

TEST(Visible, ClipsPilesOfMarksAndLongTokens) {
    std::string pile = "a";
    for (int i = 0; i < 1000; ++i) pile += "\u0301";
    const std::string label = visible(pile);
    EXPECT_EQ(code_points(label), 1u + 8u + 1u);
    EXPECT_TRUE(label.ends_with("…"));
    EXPECT_EQ(code_points(visible(std::string(100'000, 'a'))), 65u);
    EXPECT_EQ(visible(std::string(64, 'a')), std::string(64, 'a'));
}

bool harmless(char32_t code) {
    const CharKind kind = kind_of(code);
    return code <= 0xFFFF && kind != CharKind::Control && (kind != CharKind::Space || code == U' ');
}

/// Characters that no packaged font can draw are shown as their number; no two characters above look the same.
TEST(Visible, UndrawableCharactersAreShownAsNumbers) {
    for (char32_t code = 0x10000; code <= 0x10FFFF; ++code)
        ASSERT_EQ(visible(encode_utf8(code)), fmt::format("U+{:04X}", static_cast<unsigned>(code)));
    for (const char32_t code : {0xE000, 0xF8FF, 0x200B, 0x202E, 0x2800, 0xFFFF, 0x0378})  // private, zero-width, directional, blank, unassigned
        EXPECT_EQ(visible(encode_utf8(code)), fmt::format("U+{:04X}", static_cast<unsigned>(code)));
}

TEST(Visible, NeverShowsControlCharacters) {
    for (char32_t code = 0; code <= 0x10FFFF; ++code) {
        const std::string label = visible(encode_utf8(code));
        ASSERT_EQ(clean_utf8(label).replaced, 0);
        for (const char32_t shown : to_code_points(label)) ASSERT_TRUE(harmless(shown)) << unsigned(code);
    }
    EXPECT_TRUE(rc::check([](const std::string& bytes) {
        const std::string label = visible(bytes);
        RC_ASSERT(clean_utf8(label).replaced == 0);
        for (const char32_t shown : to_code_points(label)) RC_ASSERT(harmless(shown));
    }));
}

}  // namespace
}  // namespace attn
