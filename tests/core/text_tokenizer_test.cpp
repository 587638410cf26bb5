#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "core/text/tokenizer.h"
#include "core/text/unicode.h"

namespace attn {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::size_t kLimit = 2048;

std::vector<std::string> cut(std::string_view id, std::string_view text, std::size_t limit = kLimit) {
    std::vector<std::string> texts;
    for (const Token& token : tokenize(text, *find_tokenizer(id), limit).tokens) texts.push_back(token.text);
    return texts;
}

TEST(Tokenizers, AreFoundById) {
    EXPECT_EQ(tokenizers().front().id, "auto");
    for (const Tokenizer& tokenizer : tokenizers()) EXPECT_EQ(find_tokenizer(tokenizer.id), &tokenizer);
    EXPECT_EQ(find_tokenizer("no such"), nullptr);
}

/// A link of a whole page, or letters without end, become many tokens instead of one label of megabytes.
TEST(Tokenizers, NoTokenIsLongerThanADocumentMayGive) {
    const std::string link = "https://a.b/?x=" + std::string(19'000, 'a'), letters(100'000, 'b'), spaces(50'000, ' ');
    for (const Tokenizer& tokenizer : tokenizers())
        for (const std::string& text : {link, letters, spaces, link + " " + letters}) {
            std::string all;
            for (const std::string& token : cut(tokenizer.id, text, 1'000'000)) {
                EXPECT_LE(token.size(), 4096u) << tokenizer.id;
                all += token;
            }
            std::erase(all, ' ');
            std::string words = text;
            std::erase(words, ' ');
            EXPECT_EQ(all, words) << tokenizer.id << ": nothing is lost";
        }
}

TEST(AutoTokenizer, CutsEachScriptItsOwnWay) {
    EXPECT_THAT(cut("auto", "The tired cat sat down."), ElementsAre("The", "tired", "cat", "sat", "down", "."));
    EXPECT_THAT(cut("auto", "早上好"), ElementsAre("早", "上", "好"));
    EXPECT_THAT(cut("auto", "我有3只cats!"), ElementsAre("我", "有", "3", "只", "cats", "!"));
    EXPECT_THAT(cut("auto", "ねこ 고양이"), ElementsAre("ね", "こ", "고", "양", "이"));
    EXPECT_THAT(cut("auto", "Ça va, naïve Ünïcode?"), ElementsAre("Ça", "va", ",", "naïve", "Ünïcode", "?"));
    EXPECT_THAT(cut("auto", "при\u0301вет мир"), ElementsAre("при\u0301вет", "мир"));
}

TEST(AutoTokenizer, KeepsWordsAndNumbersWhole) {
    EXPECT_THAT(cut("auto", "don't well-known covid-19"), ElementsAre("don't", "well-known", "covid-19"));
    EXPECT_THAT(cut("auto", "didn\u2019t"), ElementsAre("didn\u2019t"));
    EXPECT_THAT(cut("auto", "3.14 1,000 3rd"), ElementsAre("3.14", "1,000", "3rd"));
    EXPECT_THAT(cut("auto", "5-3 'a' -- end. 7,"),
                ElementsAre("5", "-", "3", "'", "a", "'", "-", "-", "end", ".", "7", ","));
}

TEST(AutoTokenizer, KeepsEmojiWhole) {
    const std::string family = "\U0001F468\u200D\U0001F469\u200D\U0001F467";
    const std::string keycap = "1\uFE0F\u20E3";
    EXPECT_THAT(cut("auto", "hi" + family + family + keycap + "2"), ElementsAre("hi", family, family, keycap, "2"));
}

TEST(AutoTokenizer, ShowsControlsInsteadOfDroppingThem) {
    EXPECT_THAT(cut("auto", "a\x1B[0m"), ElementsAre("a", "\x1B", "[", "0m"));
    EXPECT_THAT(cut("auto",
                    "a\u202E"
                    "b"),
                ElementsAre("a", "\u202E", "b"));
    EXPECT_THAT(cut("auto", std::string_view("\0", 1)), ElementsAre(std::string(1, '\0')));
}

TEST(WordsTokenizer, FindsTheLongestKnownWord) {
    EXPECT_THAT(cut("words", "早上好朋友"), ElementsAre("早上", "好", "朋友"));
    EXPECT_THAT(cut("words", "小猫坐在垫子上"), ElementsAre("小猫", "坐", "在", "垫子", "上"));
    EXPECT_THAT(cut("words", "机器学习很有趣。"), ElementsAre("机器", "学习", "很", "有趣", "。"));
    EXPECT_THAT(cut("words", "注意力"), ElementsAre("注意力"));
    EXPECT_THAT(cut("words", "麒麟 qilin"), ElementsAre("麒", "麟", "qilin"));
}

TEST(CharactersTokenizer, KeepsSpaces) {
    EXPECT_THAT(cut("characters", "a e\u0301\r\n"), ElementsAre("a", " ", "e\u0301", "\r\n"));
}

TEST(BytesTokenizer, GivesRawBytes) { EXPECT_THAT(cut("bytes", "a早"), ElementsAre("a", "\xE6", "\x97", "\xA9")); }

TEST(Tokenize, EmptyTextHasNoTokens) {
    for (const std::string_view text : {"", " ", " \n\t\u3000", "\uFEFF"}) {
        EXPECT_THAT(cut("auto", text), IsEmpty());
        EXPECT_THAT(cut("words", text), IsEmpty());
    }
    EXPECT_FALSE(tokenize("", tokenizers().front(), 0).cut);
}

TEST(Tokenize, ReportsItsChanges) {
    const Tokens broken = tokenize("a\xFFz", tokenizers().front(), kLimit);
    EXPECT_EQ(broken.replaced, 1);
    EXPECT_EQ(broken.tokens.size(), 3u);
    const Tokenizer& words = *find_tokenizer("words");
    EXPECT_TRUE(tokenize("a b c", words, 2).cut);
    EXPECT_EQ(tokenize("a b c", words, 2).tokens.size(), 2u);
    EXPECT_FALSE(tokenize("a b c  ", words, 3).cut);
    EXPECT_TRUE(tokenize("a", words, 0).cut);
}

TEST(Tokenize, RangesPointAtTheText) {
    EXPECT_TRUE(rc::check([](const std::string& bytes, bool chinese) {
        const std::string text = clean_utf8(chinese ? bytes + "早上好😀 cat's" + bytes : bytes).text;
        for (const Tokenizer& tokenizer : tokenizers()) {
            std::size_t end = 0;
            for (const Token& token : tokenizer.split(text, kLimit)) {
                RC_ASSERT(token.begin >= end);
                RC_ASSERT(token.begin < token.end);
                RC_ASSERT(text.substr(token.begin, token.end - token.begin) == token.text);
                end = token.end;
            }
        }
    }));
}

std::string repeat(std::string_view piece, std::size_t bytes) {
    std::string text;
    while (text.size() < bytes) text += piece;
    return text;
}

// A megabyte of each kind of difficult text: cut at the limit, and no token longer than a label may be.
TEST(Tokenize, AMegabyteIsCutAtTheLimit) {
    constexpr std::size_t kMegabyte = 1'000'000;
    for (const std::string_view piece :
         {"a", "a ", "\n", "早", "\u0301", "a\u0301", "-", "1,", "😀\u200D", "\xFF", "'a"}) {
        const std::string text = repeat(piece, kMegabyte);
        for (const Tokenizer& tokenizer : tokenizers()) {
            const Tokens result = tokenize(text, tokenizer, kLimit);
            EXPECT_LE(result.tokens.size(), kLimit);
            for (const Token& token : result.tokens) ASSERT_LE(token.text.size(), 4096u);
        }
    }
    EXPECT_EQ(cut("auto", "a" + repeat("\u0301", 2000)).size(), 1u);
}

}  // namespace
}  // namespace attn
