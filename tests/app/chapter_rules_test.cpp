// The rules that `chapter check` checks: for each, a page that satisfies it and one that violates it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/chapters/check.h"
#include "app/chapters/format/library.h"
#include "app/chapters/rules.h"

namespace app {
namespace {

using testing::HasSubstr;
using testing::Not;

/// The errors of a chapter of one page with these keys, on “the tired cat sat down”.
std::string broken_in(const std::string& keys, ChapterRules rules = ChapterRules::Any) {
    const std::string toml = R"toml(
id = "r"
title = { en = "R", zh = "规" }
[start]
variant = "raw"
text = "the tired cat sat down"
)toml" + keys;
    ChapterLibrary library;
    library.pairs = {{"I saw him yesterday", "我昨天看见他"}, {"it", "它"}};
    const Chapter chapter = parse_chapter(toml, "r.toml", {});
    std::string out;
    for (const ChapterProblem& problem : check_chapter(chapter, library, rules)) out += problem.text() + "\n";
    return out;
}
std::string rule_page(const std::string& keys) {
    return "[[page]]\nid = \"p\"\ntitle = { en = \"P\", zh = \"页\" }\n" + keys;
}
constexpr const char* kNeutralWords = "en = \"words\"\nzh = \"字\"\n";

TEST(ChapterRules, ATrainedModelKnowsSomethingOfItsText) {
    const std::string language = "set = { variant = \"generate\", model = \"language\", text = { en = \"thus saith the\", zh = \"床前明月\" }";
    EXPECT_EQ(broken_in(rule_page(language + " }\nshow = \"embeddings\"\n" + kNeutralWords)), "");
    EXPECT_THAT(broken_in(rule_page(language + ", tokenizer = \"words\" }\nshow = \"embeddings\"\n" + kNeutralWords)),
                HasSubstr("knows none of the tokens"));
}

TEST(ChapterRules, AnAnswerIsNotInThePicture) {
    const std::string ask = "ask = { kind = \"value_of_cell\", step = \"weights\", row = 2, column = 1 }\n";
    EXPECT_EQ(broken_in(rule_page("show = \"scores\"\n" + (kNeutralWords + ask))), "");
    EXPECT_THAT(broken_in(rule_page("show = \"weights\"\n" + (kNeutralWords + ask))),
                HasSubstr("read off the picture"));
    EXPECT_THAT(broken_in(rule_page("play = { from = \"scores\", to = \"weights\" }\n" + (kNeutralWords + ask))),
                HasSubstr("read off the picture"))
        << "a motion ends with its last step";
    EXPECT_THAT(broken_in(rule_page("screen = \"flow\"\n" + (kNeutralWords + ask))),
                HasSubstr("read off the picture"));
    const std::string which = "ask = { kind = \"which\", of = \"argmax(weights[2])\" }\n";
    EXPECT_EQ(broken_in(rule_page("show = \"embeddings\"\n" + (kNeutralWords + which))), "");
    EXPECT_THAT(broken_in(rule_page("show = \"weights\"\n" + (kNeutralWords + which))),
                HasSubstr("read off the picture"));
    const std::string sum = "ask = { kind = \"number\", of = \"sum(weights[1]) - weights[1,1]\" }\n";
    EXPECT_EQ(broken_in(rule_page("show = \"weights\"\n" + (kNeutralWords + sum))), "")
        << "what has to be added up is no answer yet";
    const std::string cell = "ask = { kind = \"number\", of = \"weights[1,2]\" }\n";
    EXPECT_THAT(broken_in(rule_page("show = \"weights\"\n" + (kNeutralWords + cell))),
                HasSubstr("read off the picture"));
}

TEST(ChapterRules, AnAnswerIsNotInTheWords) {
    const std::string ask = "ask = { kind = \"number\", of = \"max(scores[2])\"";
    EXPECT_EQ(broken_in(rule_page("show = \"embeddings\"\nen = \"{n} words\"\nzh = \"{n} 个词\"\n" + ask + " }\n")),
              "");
    EXPECT_THAT(
        broken_in(rule_page("show = \"embeddings\"\nen = \"it is {scores[2,2]:1}\"\nzh = \"字\"\n" + ask + " }\n")),
        HasSubstr("tells the answer"))
        << "however it is written: the largest of row 2 is its own";
    EXPECT_THAT(broken_in(rule_page("show = \"embeddings\"\n" + (kNeutralWords + ask) +
                                    ", en = \"{scores[2,2]}?\", zh = \"{scores[2,2]}？\" }\n")),
                HasSubstr("tells the answer"))
        << "the question's own words";
    EXPECT_THAT(broken_in(rule_page("show = \"embeddings\"\nen = \"words\"\nzh = \"$$\\\\num{scores[2,2]}$$\"\n" + ask +
                                    " }\n")),
                HasSubstr("tells the answer"))
        << "in one language, in mathematics";
}

/// Questions whether a number rises, falls or stays; `same` of them stay.
std::string guess_pages(int same, int other) {
    std::string out;
    for (int i = 0; i < same + other; ++i)
        out += "[[page]]\nid = \"g" + std::to_string(i) + "\"\ntitle = { en = \"G\", zh = \"猜\" }\n" + kNeutralWords +
               "ask = { kind = \"predict_sign\", of = \"" + (i < same ? "scores[1,2]" : "entropy(weights[1])") +
               "\", change = { temperature = 0.25 } }\n";
    return out;
}

TEST(ChapterRules, StayingTheSameIsTheAnswerOnceInThreeAtMost) {
    EXPECT_EQ(broken_in(guess_pages(0, 1)), "");
    EXPECT_EQ(broken_in(guess_pages(1, 2)), "");
    EXPECT_EQ(broken_in(guess_pages(2, 4)), "");
    EXPECT_THAT(broken_in(guess_pages(1, 0)), HasSubstr("1 of 1 questions"));
    EXPECT_THAT(broken_in(guess_pages(1, 1)), HasSubstr("1 of 2 questions"));
    EXPECT_THAT(broken_in(guess_pages(2, 3)), HasSubstr("2 of 5 questions"));
}

TEST(ChapterRules, AViewChosenByAPageEndsWithIt) {
    EXPECT_EQ(
        broken_in(rule_page(std::string("view = { convention = \"columns\", difference = true }\n") + kNeutralWords)),
        "");
    EXPECT_THAT(broken_in(rule_page(std::string("view = { cube = true }\n") + kNeutralWords)),
                HasSubstr("“cube” would stay"));
    EXPECT_THAT(broken_in(rule_page(std::string("view = { theme = \"dark\" }\n") + kNeutralWords)),
                HasSubstr("“theme” would stay"));
}

TEST(ChapterRules, ASentenceNamesThePinnedCell) {
    const std::string pin = "show = \"weights\"\npin = { step = \"weights\", row = 2, column = 3 }\n";
    for (const char* words : {"[here](cell weights 2 3)", "[here](row weights 2)", "[here](column weights 3)",
                              "it is {weights[2,3]:%}", "$\\\\num{weights[2,3]}$"})
        EXPECT_EQ(broken_in(rule_page(pin + "en = \"" + words + "\"\nzh = \"" + words + "\"\n")), "") << words;
    for (const char* words :
         {"words", "[here](matrix weights)", "[here](row weights 3)", "[here](row scores 2)", "it is {weights[2,4]}"})
        EXPECT_THAT(broken_in(rule_page(pin + "en = \"" + words + "\"\nzh = \"" + words + "\"\n")),
                    HasSubstr("no sentence of the page names"))
            << words;
    EXPECT_EQ(broken_in(rule_page(
                  pin + kNeutralWords +
                  "task = { en = \"[it](cell weights 2 3)\", zh = \"[它](cell weights 2 3)\", until = [\"n > 5\"], "
                  "do = { set = { text = \"a b c d e f\" } } }\n")),
              "")
        << "a task's words are the page's";
}

/// “Where it is 0” spoke of u and v, and drew v twice.
TEST(ChapterRules, AScreenThatDrawsOnePairHasAPinnedOne) {
    const std::string plane = "screen = \"heads plane\"\nen = \"it is {scores[1,2]}\"\nzh = \"是 {scores[1,2]}\"\n";
    EXPECT_THAT(broken_in(rule_page(plane)), HasSubstr("draws one pair or one row"));
    EXPECT_EQ(broken_in(rule_page("pin = { step = \"scores\", row = 1, column = 2 }\n" + plane)), "");
}

TEST(ChapterRules, TheExplainedNumberIsHighlighted) {
    const std::string light = "show = \"weights\"\nlight = \"row weights 3\"\n";
    EXPECT_THAT(broken_in(rule_page(light + kNeutralWords)), HasSubstr("explains the first cell, which is not lit"));
    EXPECT_EQ(broken_in(rule_page("show = \"weights\"\nlight = \"row weights 1\"\n" + std::string(kNeutralWords))), "");
    EXPECT_EQ(broken_in(rule_page(light + "hide = [\"inspector\"]\n" + kNeutralWords)), "");
    const std::string named =
        "en = \"[r](row weights 3) [s](row weights 2)\"\nzh = \"[r](row weights 3) [s](row weights 2)\"\n";
    EXPECT_EQ(broken_in(rule_page(light + "pin = { step = \"weights\", row = 3, column = 1 }\n" + named)), "");
    EXPECT_THAT(broken_in(rule_page(light + "pin = { step = \"weights\", row = 2, column = 1 }\n" + named)),
                HasSubstr("belongs to another cell"));
    EXPECT_THAT(broken_in(rule_page(light + "pin = { step = \"scores\", row = 3, column = 1 }\n"
                                            "en = \"[r](row scores 3)\"\nzh = \"[r](row scores 3)\"\n")),
                HasSubstr("belongs to another cell"));
}

TEST(ChapterRules, TheNumberOfALinkIsThatOfItsCell) {
    const auto says = [](const std::string& words) {
        return broken_in(rule_page("show = \"weights\"\nen = \"" + words + "\"\nzh = \"" + words + "\"\n"));
    };
    EXPECT_EQ(says("[{weights[1,2]:%}](cell weights 1 2)"), "");
    EXPECT_THAT(says("[{weights[1,2]}](cell weights 2 1)"), HasSubstr("is not the number of the cell"));
    EXPECT_EQ(says("[{token(3)}](row weights 3)"), "");
    EXPECT_EQ(says("[{argmax(weights[5])}](cell weights 5 (argmax(weights[5])))"), "");
    EXPECT_THAT(says("[{token(2)}](row weights 3)"), HasSubstr("is not the label"));
    EXPECT_EQ(says("[{entropy(weights[2])}](row weights 2)"), "") << "of a row many things may be said";
}

TEST(ChapterRules, TranslationsAreInTheListOfPairs) {
    const auto pair = [](const char* words, const char* text, const char* source, ChapterRules rules) {
        return broken_in(rule_page(std::string("set = { variant = \"cross\", text = \"") + text + "\", source = \"" +
                                   source + "\" }\nen = \"" + words + "\"\nzh = \"字\"\n"),
                         rules);
    };
    constexpr auto kHouse = ChapterRules::House;
    EXPECT_THAT(pair("a translation", "I saw him yesterday", "我昨天看见他", kHouse), Not(HasSubstr("pairs.toml")));
    EXPECT_THAT(pair("a translation", "我昨天看见他", "I saw him yesterday", kHouse), Not(HasSubstr("pairs.toml")))
        << "either way round";
    EXPECT_THAT(pair("it is translated", "a small cat saw me", "my big dog sleeps", kHouse), HasSubstr("pairs.toml"));
    EXPECT_THAT(pair("two texts", "a small cat saw me", "my big dog sleeps", kHouse), Not(HasSubstr("pairs.toml")));
    EXPECT_EQ(pair("a translation", "a small cat saw me", "my big dog sleeps", ChapterRules::Any), "")
        << "a teacher's own pairs are the teacher's";
}

/// The page that highlighted “街” where the English one highlighted “it”: row 8 in both.
TEST(ChapterRules, ANumberThatNamesATokenFollowsItInBothLanguages) {
    const auto says = [](const std::string& page, ChapterRules rules = ChapterRules::House) {
        return broken_in(rule_page("set = { tokenizer = { en = \"auto\", zh = \"words\" }, text = { en = \"the animal didn't cross the street because it was too tired\", zh = \"那只动物没过那条街因为它太累了\" } }\n" + page), rules);
    };
    const auto given_away = [](std::string_view number) { return HasSubstr("number " + std::string(number) + " is “it” in one language and “街” in the other"); };
    const std::string words = "en = \"e\"\nzh = \"字\"\n";
    EXPECT_THAT(says("light = \"row weights 8\"\n" + words), given_away("8"));
    EXPECT_THAT(says("pin = { step = \"weights\", row = 8, column = 2 }\n" + words), given_away("8"));
    EXPECT_THAT(says("en = \"{token(8)} {max(weights[8])}\"\nzh = \"{token(8)} {max(weights[8])}\"\n"), given_away("8"));
    EXPECT_THAT(says("en = \"[a](cell weights 8 2)\"\nzh = \"[b](cell weights 8 2)\"\n"), given_away("8"));
    EXPECT_THAT(says("en = \"{token(8)}\"\nzh = \"{token(10)}\"\n"), Not(HasSubstr("in the other"))) << "each has its own";
    EXPECT_THAT(says("light = \"row weights (n - 3)\"\n" + words), Not(HasSubstr("in the other")));
    EXPECT_THAT(says("light = 'row weights (place(\"it\", \"它\"))'\n" + words), Not(HasSubstr("in the other")));
    EXPECT_THAT(says("light = \"row weights 4\"\n" + words), Not(HasSubstr("in the other"))) << "no word that the list has";
    EXPECT_THAT(says("light = \"row weights 8\"\n" + words, ChapterRules::Any), Not(HasSubstr("in the other"))) << "a teacher's own pages are the teacher's";
}

/// A library of a chapter 4, and what is wrong with a page of the file `file` beside it.
std::string broken_beside(const std::string& file, const std::string& keys) {
    ChapterLibrary library;
    library.chapters.push_back(parse_chapter("id = \"other\"\ntitle = { en = \"O\", zh = \"别\" }\n" + rule_page(kNeutralWords), "04-other.toml", {}));
    const std::string toml = "id = \"r\"\ntitle = { en = \"R\", zh = \"规\" }\n[start]\nvariant = \"raw\"\ntext = \"the tired cat sat down\"\n";
    std::string out;
    for (const ChapterProblem& problem : check_chapter(parse_chapter(toml + rule_page(keys), file, {}), library, ChapterRules::House))
        out += problem.text() + "\n";
    return out;
}

/// After chapters were renumbered, pages still had the old numbers, and one announced something that never came.
TEST(ChapterRules, AChapterIsCalledByItsNumberAndAPromiseHasALink) {
    const auto says = [](const std::string& english) { return broken_beside("03-r.toml", "en = \"" + english + "\"\nzh = \"字\"\n"); };
    EXPECT_THAT(says("[chapter 4](chapter other)"), Not(HasSubstr("chapter 4")));
    EXPECT_THAT(says("[chapter 5](chapter other)"), HasSubstr("the link says chapter 5, and “other” is chapter 4"));
    EXPECT_THAT(says("see chapter 12"), HasSubstr("there is no chapter 12"));
    EXPECT_THAT(broken_beside("03-r.toml", "en = \"words\"\nzh = \"见第 12 章\"\n"), HasSubstr("there is no chapter 12"));
    EXPECT_THAT(says("linear attention, which comes later"), HasSubstr("needs a link"));
    EXPECT_THAT(says("linear attention, which comes later ([there](chapter other))"), Not(HasSubstr("needs a link")));
}

/// “In this program there is no training” was still there long after training was added.
TEST(ChapterRules, PagesMakeNoClaimsAboutTheProgram) {
    EXPECT_THAT(broken_beside("03-r.toml", "en = \"In this program nothing is trained.\"\nzh = \"字\"\n"), HasSubstr("say “here”"));
    EXPECT_THAT(broken_beside("03-r.toml", "en = \"words\"\nzh = \"这个程序里没有训练\"\n"), HasSubstr("say “here”"));
    EXPECT_THAT(broken_beside("03-r.toml", "en = \"Here nothing is trained.\"\nzh = \"字\"\n"), Not(HasSubstr("say “here”")));
}

/// “That is all the geometry there is in attention” came two chapters before W_Q; ρ was said to stretch a step; and words were
/// said to ask where, in the network that the page describes, a state does.
TEST(ChapterRules, ClaimsAreLimitedToWhatTheyHoldFor) {
    const auto says = [](const std::string& english, const std::string& chinese, const std::string& more = "") {
        return broken_beside("03-r.toml", "en = \"" + english + "\"\nzh = \"" + chinese + "\"\n" + more);
    };
    EXPECT_THAT(says("That is all the geometry there is.", "字"), HasSubstr("of which page or chapter it is all (en)"));
    EXPECT_THAT(says("words", "几何到此就全了。"), HasSubstr("of which page or chapter it is all (zh)"));
    EXPECT_THAT(says("That is the geometry of this chapter.", "字"), Not(HasSubstr("it is all")));
    EXPECT_THAT(says("ρ stretches a step.", "字"), HasSubstr("only roughly"));
    EXPECT_THAT(says("Roughly, ρ stretches a step.", "ρ 大致是每一步放大的倍数。"), Not(HasSubstr("only roughly")));
    EXPECT_THAT(says("words", "字", "notes = { en = \"Roughly: ρ stretches a step.\", zh = \"说\" }\n"), HasSubstr("only roughly"))
        << "what the notes add, the learner does not read";
    EXPECT_THAT(says("In the captioning network an LSTM writes.", "字"), HasSubstr("say what is different here"));
    EXPECT_THAT(says("In the captioning network an LSTM writes. Here words ask.", "字"), Not(HasSubstr("say what is different here")));
}

/// “Where must it look?” marked a word as wrong to which another layer attends first.
TEST(ChapterRules, AQuestionAboutOneLayerOfSeveralNamesIt) {
    const auto asks = [](const std::string& english, const std::string& of) {
        return broken_beside("03-r.toml", "set = { variant = \"encoder\", layers = 2 }\nen = \"words\"\nzh = \"字\"\nask = { kind = \"which\", of = \"" + of +
                                              "\", en = \"" + english + "\", zh = \"第 2 层里它看谁？\" }\n");
    };
    EXPECT_THAT(asks("Where does it look?", "argmax(l2.weights[1])"), HasSubstr("name the layer (en)"));
    EXPECT_THAT(asks("Where does it look in layer 2?", "argmax(l2.weights[1])"), Not(HasSubstr("name the layer")));
    EXPECT_THAT(asks("Who is it?", "argmax(l2.weights[1])"), Not(HasSubstr("name the layer")));
}

TEST(ChapterRules, FromChapterFiveUntrainedNumbersAreMarked) {
    constexpr const char* kSaid = "en = \"Nothing here is trained.\"\nzh = \"这里没有训练过。\"\n";
    EXPECT_THAT(broken_beside("05-r.toml", kNeutralWords), HasSubstr("are not trained"));
    EXPECT_THAT(broken_beside("B-r.toml", kNeutralWords), HasSubstr("are not trained"));
    EXPECT_THAT(broken_beside("03-r.toml", kNeutralWords), Not(HasSubstr("are not trained")));
    EXPECT_THAT(broken_beside("05-r.toml", kSaid), Not(HasSubstr("are not trained")));
    EXPECT_THAT(broken_beside("05-r.toml", std::string("set = { model = \"it\" }\n") + kNeutralWords), Not(HasSubstr("are not trained")));
    EXPECT_THAT(broken_beside("05-r.toml", kSaid + std::string("[[page]]\nid = \"q\"\ntitle = { en = \"Q\", zh = \"又\" }\n") + kNeutralWords), Not(HasSubstr("are not trained")))
        << "the page before has said it";
}

TEST(ChapterRules, PairsAreTwoTextsEach) {
    std::vector<ChapterProblem> problems;
    const auto pairs =
        parse_pairs("[[pair]]\ntexts = [\"a\", \"b\"]\n[[pair]]\ntexts = [\"c\"]\n", "pairs.toml", problems);
    ASSERT_EQ(pairs.size(), 1u);
    EXPECT_EQ(pairs[0], (TextPair{"a", "b"}));
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_EQ(problems[0].line, 4);
}

}  // namespace
}  // namespace app
