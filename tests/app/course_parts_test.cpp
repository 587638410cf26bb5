// The parts of the course's pages: the sentence that grows through the course, words and arcs beside a page, a view that
// differs between the languages, words that are found in both, two trainings, and measured minutes.
#include <algorithm>

#include <gtest/gtest.h>

#include "app/chapters/check.h"
#include "app/state/course.h"
#include "app/chapters/do.h"
#include "app/frame/asking.h"
#include "app/screens/experiments/look.h"
#include "app/screens/training/page.h"
#include "app/screens/training/training.h"
#include "tests/app/app_fixture.h"
#include "tests/app/chapter_fixture.h"
#include "tests/app/course_fixture.h"

namespace app {
namespace {

constexpr std::string_view kChapter = R"toml(
id = "c"
title = { en = "C", zh = "章" }
[start]
model = "it"
text = { en = "the animal didn't cross the street because it was too tired", zh = "那只动物没过那条街因为它太累了" }
[[page]]
id = "words"
title = { en = "W", zh = "一" }
screen = "words"
en = "words"
zh = "字"
task = { en = "see", zh = "看", until = ['screen("arcs")'], do = { screen = "arcs" } }
[[page]]
id = "question"
title = { en = "Q", zh = "二" }
screen = "words"
en = "words"
zh = "字"
ask = { kind = "which", of = "argmax(l2.weights[n - 3])", because = { en = "so", zh = "是" } }
[[page]]
id = "paths"
title = { en = "P", zh = "三" }
screen = "experiments paths"
view = { en = { paths = { from = 2, to = 8 } }, zh = { paths = { from = 3, to = 10 } } }
en = "{place(\"animal\", \"动物\"):0} {path(\"recurrent\", place(\"animal\", \"动物\"), n - 3)}"
zh = "{place(\"animal\", \"动物\"):0} {path(\"recurrent\", place(\"animal\", \"动物\"), n - 3)}"
)toml";

class CoursePages : public app_test::ChapterTest {
protected:
    CoursePages() : ChapterTest(kChapter) {}
};

TEST_F(CoursePages, WordsBesideAPageAreAnswered) {
    open(0);
    ASSERT_TRUE(shows_question(bench.state));
    EXPECT_EQ(bench.view().asking, Asking::Asked);
    ASSERT_TRUE(bench.derived.opening);
    EXPECT_EQ(bench.derived.opening->words.size(), 11u);
    EXPECT_FALSE(page().task_done);
    bench.act(OpeningAction{OpeningAction::Do::Guess, 1});
    bench.act(OpeningAction{OpeningAction::Do::Answer});
    EXPECT_EQ(bench.view().opening.guess, 1);
    EXPECT_TRUE(page().task_done) << "the picture's own button is the task";
    EXPECT_TRUE(shows_question(bench.state));
}

TEST_F(CoursePages, AnAnswerToThePageIsTheAnswerOfItsWords) {
    open(1);
    ASSERT_EQ(bench.view().asking, Asking::Asked);
    Answer answer;
    answer.chosen = {1};
    act(GiveAnswer{answer, true});
    EXPECT_EQ(bench.view().asking, Asking::Answered);
    act(TryAgain{});
    EXPECT_EQ(bench.view().asking, Asking::Asked) << "asked anew";
}

TEST_F(CoursePages, WordsEndWithTheirPage) {
    open(0);
    open(2);
    EXPECT_EQ(bench.view().asking, Asking::None);
    EXPECT_EQ(bench.view().screen, Screen::Experiments);
    open(0);
    act(CloseChapter{});
    EXPECT_EQ(bench.view().asking, Asking::None);
}

TEST_F(CoursePages, AWordChangedBesideThePageTurnsTheArc) {
    open(0);
    bench.act(OpeningAction{OpeningAction::Do::Answer});
    ASSERT_TRUE(bench.derived.opening);
    EXPECT_EQ(bench.derived.opening->words[static_cast<std::size_t>(bench.derived.opening->key)], "animal");
    attn::Document next = bench.state.document;
    next.text = "the animal didn't cross the street because it was too wide";
    bench.act(becomes(next));
    EXPECT_EQ(bench.view().asking, Asking::Answered);
    ASSERT_TRUE(bench.derived.opening);
    EXPECT_EQ(bench.derived.opening->words[static_cast<std::size_t>(bench.derived.opening->key)], "street");
}

TEST_F(CoursePages, AViewMayDifferBetweenTheLanguages) {
    open(2);
    EXPECT_EQ(bench.view().part<ExperimentsLook>().paths.from, 1);
    EXPECT_EQ(bench.view().part<ExperimentsLook>().paths.to, 7);
    EXPECT_EQ(text_of(page().say), "2 6");
    const ChapterPage& third = bench.state.chapters->chapters[0].pages[2];
    EXPECT_EQ(part_of_page(third.enter, Language::Chinese).values.part<ExperimentsLook>().paths.to, 9);
    const Chapter half = parse_chapter(R"(id = "h"
title = { en = "H", zh = "半" }
[[page]]
id = "p"
title = { en = "P", zh = "页" }
view = { en = { difference = true } }
en = "a"
zh = "甲"
)", "h.toml", {});
    ASSERT_FALSE(half.problems.empty());
    EXPECT_NE(half.problems[0].text().find("one of the two languages"), std::string::npos);
}

TEST(CourseWords, AreFoundInEitherLanguage) {
    attn::Document document;
    document.text = "the tired cat sat down";
    const auto run = attn::run(document);
    ASSERT_TRUE(run);
    const ChapterContext context = page_context(document, *run, document, Language::English);
    const auto shown = [&](std::string_view expression) {
        const auto value = shown_value(expression, context);
        return value ? *value : "error";
    };
    EXPECT_EQ(shown("place(\"cat\", \"猫\"):0"), "3");
    EXPECT_EQ(shown("place(\"猫\", \"cat\")"), "cat") << "a position is shown as its label";
    EXPECT_EQ(shown("place(\"dog\", \"狗\")"), "") << "none of them: no value, and never a wrong one";
}

/// The sentence only grows through the course, from its first page to its last.
TEST(CourseSentence, IsHighlightedUpToTheCurrentPage) {
    const ChapterLibrary& all = library();
    ASSERT_FALSE(all.chapters.empty());
    EXPECT_EQ(all.chapters.front().pages.front().sentence, 0) << "on the first page none of it is known";
    int before = 0;
    for (const Chapter& chapter : all.chapters) {
        EXPECT_GE(chapter.pages.front().sentence, before) << chapter.file;
        for (const ChapterPage& page : chapter.pages)
            if (page.sentence >= 0) before = page.sentence;
    }
    // Appendices follow the course, and have no part of the sentence of their own.
    const auto chapter = std::find_if(all.chapters.rbegin(), all.chapters.rend(), [](const Chapter& one) {
        return chapter_number(one, 0).front() <= '9';
    });
    ASSERT_NE(chapter, all.chapters.rend());
    const auto& last = chapter->pages;
    const auto end = std::find_if(last.rbegin(), last.rend(), [](const ChapterPage& page) { return !page.closing; });
    ASSERT_NE(end, last.rend());
    EXPECT_EQ(end->sentence, kSentenceParts) << "the last page has all of it";
}

TEST(CourseSentence, HasTheSamePartsInBothLanguages) {
    for (const Language language : {Language::English, Language::Chinese}) {
        std::string order;
        const std::string_view words = tr(Str::course_sentence, language);
        for (std::size_t i = 0; i < words.size(); ++i)
            if (i == 0 || words[i - 1] == '|') order += words[i];
        std::sort(order.begin(), order.end());
        EXPECT_EQ(order, "12345") << language_id(language);
    }
}

class CourseFrame : public AppFrame {
protected:
    std::vector<Rect> sentences(int page) {
        const Chapter& first = app_->state().chapters->chapters.front();
        app_->apply(CourseAction{OpenPage{first.id, page}});
        app_->finish();
        frame();
        std::vector<Rect> out;
        const FrameLog log = frame();
        for (const WidgetRect& widget : log.widgets)
            if (widget.id == "course.sentence") out.push_back(widget.rect);
        return out;
    }
};

TEST_F(CourseFrame, TheSentenceIsAboveTheTitleOfItsPage) {
    const auto first = sentences(0);
    ASSERT_EQ(first.size(), 1u);
    EXPECT_GT(first[0].w, 100);
    EXPECT_GT(first[0].h, 30) << "two lines at least";
    EXPECT_TRUE(sentences(1).empty());
}

TEST(CourseTrainings, TwoAreShownSideBySide) {
    TrainingLook look;
    look.task = "reverse";
    look.until = 200;
    ASSERT_TRUE(train_for_page(look));
    EXPECT_FALSE(train_for_page(look)->beside);
    look.beside = "no_position";
    const auto two = train_for_page(look);
    ASSERT_TRUE(two && two->beside);
    EXPECT_GT(two->right, 0.9);
    EXPECT_LT(two->beside->right, 0.4) << "without positions nothing can be said backwards";
    EXPECT_LT(two->beside->role, two->role);
}

TEST(CourseTrainings, AVariationThatTheTaskLacksIsAnError) {
    const auto with = [](std::string_view beside) {
        const Chapter chapter = parse_chapter(std::string(R"(id = "c"
title = { en = "C", zh = "章" }
[[page]]
id = "p"
title = { en = "P", zh = "页" }
screen = "train"
view = { trained = { task = "reverse", steps = 1, beside = ")") + std::string(beside) + R"(" } }
en = "{trained(\"beside\")}"
zh = "{trained(\"beside\")}"
)", "c.toml", {});
        return all_of(check_chapter(chapter, library(), ChapterRules::Any));
    };
    EXPECT_EQ(with("unscaled"), "");
    EXPECT_NE(with("nothing").find("has no variation “nothing”"), std::string::npos);
    EXPECT_NE(with("").find("has no value"), std::string::npos);
}

TEST(CourseMinutes, AreMeasuredByWordsAndTasks) {
    Chapter chapter = library().chapters.front();
    EXPECT_NEAR(chapter.minutes, measured_minutes(chapter), 2);
    const double before = measured_minutes(chapter);
    chapter.pages.erase(chapter.pages.begin());
    EXPECT_LT(measured_minutes(chapter), before - 1) << "a page with a task";
    chapter.minutes = 90;
    EXPECT_NE(all_of(check_chapter(chapter, library(), ChapterRules::House)).find("minutes, not 90"), std::string::npos);
    for (ChapterPage& page : chapter.pages) page.sentence = -1;
    EXPECT_NE(all_of(check_chapter(chapter, library(), ChapterRules::House)).find("the first page shows how far"), std::string::npos);
}

}  // namespace
}  // namespace app
