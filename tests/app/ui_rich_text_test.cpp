#include "app/ui/rich_text.h"

#include <gtest/gtest.h>

#include "core/text/unicode.h"
#include "tests/app/ui_stage.h"

namespace app {
namespace {

/// Latin 1 wide, everything else 2.
float measured_width(std::string_view text) {
    float sum = 0.0f;
    for (char32_t c : attn::to_code_points(text)) sum += c < 0x80 ? 1.0f : 2.0f;
    return sum;
}

std::vector<std::string> wrap(std::string_view text, float width) {
    std::vector<std::string> lines;
    for (std::string_view line : wrap_lines(text, width, measured_width)) lines.emplace_back(line);
    return lines;
}

using Lines = std::vector<std::string>;

TEST(WrapLines, KeepsLatinWords) {
    EXPECT_EQ(wrap("the tired cat sat", 9), (Lines{"the tired", "cat sat"}));
    EXPECT_EQ(wrap("the  cat", 3), (Lines{"the", "cat"}));
    EXPECT_EQ(wrap("好好Each word", 8), (Lines{"好好Each", "word"}));
    EXPECT_EQ(wrap("好好好Each", 8), (Lines{"好好好", "Each"}));
}

TEST(WrapLines, BreaksBetweenChinese) { EXPECT_EQ(wrap("早上好朋友", 6), (Lines{"早上好", "朋友"})); }

TEST(WrapLines, Kinsoku) {
    EXPECT_EQ(wrap("早上好，朋友", 6), (Lines{"早上", "好，朋", "友"}));
    EXPECT_EQ(wrap("他说（你好）", 6), (Lines{"他说", "（你", "好）"}));
    EXPECT_EQ(wrap("好“你好”。", 8), (Lines{"好“你", "好”。"}));
    for (float width : {8.0f, 9.0f, 10.0f, 11.0f, 14.0f}) {  // “上”； must stay together and is 8 wide
        for (const std::string& line : wrap("（在这一行里）“好”越关注“上”；之后，再做：得到！【份额】？", width)) {
            for (const char* bad : {"，", "。", "；", "：", "？", "！", "）", "】", "”"})
                EXPECT_FALSE(line.starts_with(bad)) << line;
            for (const char* bad : {"（", "【", "“"}) EXPECT_FALSE(line.ends_with(bad)) << line;
        }
    }
}

TEST(WrapLines, BreaksWhatIsTooLong) {
    EXPECT_EQ(wrap("abcdefghij", 4), (Lines{"abcd", "efgh", "ij"}));
    EXPECT_EQ(wrap("x abcdefghij y", 4), (Lines{"x", "abcd", "efgh", "ij y"}));
    EXPECT_EQ(wrap("abc", 0), (Lines{"a", "b", "c"}));
}

TEST(WrapLines, NewLinesAlwaysBreak) {
    EXPECT_EQ(wrap("a\n\nb", 10), (Lines{"a", "", "b"}));
    EXPECT_EQ(wrap("", 10), (Lines{""}));
    EXPECT_EQ(wrap("   ", 10), (Lines{""}));
}

TEST(WrapLines, NothingIsLost) {
    const std::string text = "The 早上好 fox, (quick) \xff brown。And “more”; 好 end";
    for (float width = 1; width < 40; ++width) {
        std::string joined, expected;
        for (const std::string& line : wrap(text, width)) joined += line;
        const auto letters = [](std::string s) {
            std::erase(s, ' ');
            return s;
        };
        EXPECT_EQ(letters(joined), letters(text)) << width;
    }
}

TEST(RichMarks, AreReadAndUnmatchedOnesStay) {
    EXPECT_EQ(plain_text("a **strong** and `code`"), "a strong and code");
    EXPECT_EQ(plain_text("2 ** 3 and `x"), "2 ** 3 and `x");
    EXPECT_EQ(plain_text("`a**b**c`"), "a**b**c");
}

using CloseLinesTest = UiStage;

TEST_F(CloseLinesTest, AreLimitedInNumber) {
    const std::string text = "one two three four five six seven";
    frame([&](Ui& ui) {
        Painter& p = ui.painter();
        const float all = p.width(text, Type::Body), one = theme_.line_height(Type::Body);
        EXPECT_FLOAT_EQ(lines_height(p, all + 1, text, Type::Body), one);
        EXPECT_GT(lines_height(p, all * 0.6f, text, Type::Body), one * 1.5f);
        EXPECT_FLOAT_EQ(lines_height(p, all * 0.3f, text, Type::Body), lines_height(p, all * 0.6f, text, Type::Body));
        EXPECT_FLOAT_EQ(draw_lines(p, {0, 0, all * 0.6f, 0}, text, {Type::Body}, Hue::Ink),
                        lines_height(p, all * 0.6f, text, Type::Body));
    });
    ASSERT_EQ(labels_.size(), 2u);
    EXPECT_EQ(labels_[0].text + " " + labels_[1].text, text);
    EXPECT_FALSE(labels_[0].shortened || labels_[1].shortened);
    frame([&](Ui& ui) {
        const float all = ui.painter().width(text, Type::Body);
        draw_lines(ui.painter(), {0, 0, all * 0.3f, 0}, text, {Type::Body}, Hue::Ink);
    });
    ASSERT_EQ(labels_.size(), 2u);
    EXPECT_FALSE(labels_[0].shortened);
    EXPECT_TRUE(labels_[1].shortened);
    EXPECT_TRUE(labels_[1].text.ends_with("…"));
}

}  // namespace
}  // namespace app
