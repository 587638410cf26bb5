// An open chapter: entering a page is an edit, the learner's own text stays, answers are marked, nothing is lost.
#include "app/state/course.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "app/chapters/check.h"
#include "app/chapters/course_page.h"
#include "app/chapters/do.h"
#include "app/chapters/rules.h"
#include "app/screens/compare/look.h"
#include "app/screens/experiments/look.h"
#include "app/screens/heads/look.h"
#include "app/state/settings.h"
#include "places.h"
#include "tests/app/course_fixture.h"
#include "tests/support/table_share.h"

namespace app {
namespace {

using app_test::Bench;

constexpr std::string_view kChapter = R"toml(
id = "c"
title = { en = "C", zh = "章" }
[start]
variant = "raw"
text = { en = "the tired cat sat down", zh = "早上好" }
[[page]]
id = "first"
title = { en = "F", zh = "一" }
show = "weights"
pin = { step = "weights", row = 2, column = "argmax(weights[2])"
}
en = "{n} [row](row weights 2) [off](row weights 4)"
zh = "{n}"
lock = ["mask", "text"]
[[page]]
id = "second"
title = { en = "S", zh = "二" }
play = { from = "scores", to = "weights" }
en = "words"
zh = "字"
task = { en = "do", zh = "做", until = ["temperature < 0.5"], do = { set = { temperature = 0.1 } } }
[[page]]
id = "third"
title = { en = "T", zh = "三" }
show = "scores"
set = { text = "cat sat" }
screen = "heads lines"
en = "words"
zh = "字"
ask = { kind = "value_of_cell", step = "weights", row = 1, column = 1 }
[[page]]
id = "fourth"
title = { en = "Q", zh = "四" }
show = "weights"
en = "words"
zh = "字"
ask = { kind = "predict_sign", of = "entropy(weights[1])", change = { temperature = 0.25 } }
)toml";

class Study : public app_test::ChapterTest {
protected:
    Study() : ChapterTest(kChapter) {}
};

TEST_F(Study, APageSetsDocumentStepScreenAndCell) {
    open(0);
    EXPECT_EQ(bench.state.document.config.form, "raw");
    EXPECT_EQ(bench.state.document.text, "the tired cat sat down");
    EXPECT_EQ(bench.view().playhead.tag.role, attn::Role::Weights);
    ASSERT_TRUE(bench.view().pinned);
    EXPECT_EQ(bench.view().pinned->row, 1);
    EXPECT_EQ(bench.view().pinned->col, 1) << "the largest of the row";
    EXPECT_EQ(text_of(page().say), "5 row off");
    open(2);
    EXPECT_EQ(bench.view().screen, Screen::Heads);
    EXPECT_EQ(bench.view().part<HeadsChoice>().page, "lines");
    EXPECT_FALSE(bench.view().pinned);
    EXPECT_EQ(bench.state.document.text, "cat sat");
}

TEST_F(Study, ThePagesOwnTextIsNotKeptWhenTheLanguageChanged) {
    open(0);
    bench.view().language = Language::Chinese;
    act(TurnPage{1});
    EXPECT_EQ(bench.state.document.text, "早上好") << "the English text was the page's, not the learner's";
}

TEST_F(Study, EnteringIsAnEditThatCanBeUndone) {
    const attn::Document before = bench.state.document;
    open(0);
    EXPECT_FALSE(bench.state.document == before);
    bench.act(Undo{});
    EXPECT_TRUE(bench.state.document == before);
    bench.act(Redo{});
    EXPECT_EQ(bench.state.document.config.form, "raw");
}

TEST_F(Study, TheLearnersTextStaysUntilAPageNeedsItsOwn) {
    open(1);
    attn::Document mine = bench.state.document;
    mine.text = "dogs bark";
    bench.edit(mine);
    EXPECT_TRUE(page().changed);
    act(TurnPage{-1});
    EXPECT_EQ(text_of(page().say), "2 row off");
    ASSERT_EQ(page().lit.size(), 2u);
    EXPECT_TRUE(page().lit[0]);
    EXPECT_FALSE(page().lit[1]) << "there is no fourth row any more";
    act(TurnPage{1});
    EXPECT_EQ(bench.state.document.text, "dogs bark");
    act(OwnNumbers{});
    EXPECT_EQ(bench.state.document.text, "the tired cat sat down");
    EXPECT_FALSE(page().changed);
    bench.act(Undo{});
    EXPECT_EQ(bench.state.document.text, "dogs bark");
    act(TurnPage{1});
    EXPECT_EQ(bench.state.document.text, "cat sat") << "this page sets its text";
}

TEST_F(Study, AMotionEndsWithTheStepThatThePageNames) {
    open(1);
    EXPECT_TRUE(bench.view().playing);
    EXPECT_EQ(bench.view().playhead.tag.role, attn::Role::Scores);
    for (int i = 0; i < 2000 && bench.view().playing; ++i) bench.pass(0.1);
    EXPECT_FALSE(bench.view().playing);
    EXPECT_EQ(bench.view().playhead.tag.role, attn::Role::Weights);
    EXPECT_EQ(bench.view().playhead.progress, 1);
    bench.view().still = true;
    open(1);
    EXPECT_FALSE(bench.view().playing) << "reduced motion: at its end at once";
    EXPECT_EQ(bench.view().playhead.tag.role, attn::Role::Weights);
}

TEST_F(Study, OnlyLockedPartsOfAPageStay) {
    open(0);
    attn::Document next = bench.state.document;
    next.config.mask = "causal";
    next.config.temperature = 2;
    bench.edit(next);
    EXPECT_EQ(bench.state.document.config.mask, "none");
    EXPECT_EQ(bench.state.document.config.temperature, 2);
    EXPECT_FALSE(bench.view().done.empty()) << "it is said";
    next = bench.state.document;
    next.text = "dogs bark";
    bench.edit(next);
    EXPECT_EQ(bench.state.document.text, "the tired cat sat down") << "to the letter";
}

TEST_F(Study, ATaskCanBeDoneOrShown) {
    open(1);
    EXPECT_FALSE(page().task_done);
    act(ShowHow{});
    EXPECT_TRUE(page().task_done);
    bench.act(Undo{});
    EXPECT_FALSE(page().task_done);
}

TEST_F(Study, AnAnswerIsMarkedAndARetryVaries) {
    open(2);
    ASSERT_TRUE(page().question.possible);
    Answer wrong;
    wrong.number = 7;
    act(GiveAnswer{wrong, true});
    EXPECT_TRUE(bench.view().course.checked);
    EXPECT_FALSE(page().marked.right);
    ASSERT_EQ(page().chains.size(), 1u) << "the chain of numbers";
    EXPECT_FALSE(page().chains[0].rows.empty());
    EXPECT_TRUE(bench.view().pinned);
    const PageQuestion before = page().question;
    act(TryAgain{});
    EXPECT_FALSE(bench.view().course.checked);
    EXPECT_NE(page().question, before);
    Answer right;
    right.number = static_cast<double>(
        bench.derived.run->trace[page().question.step].value(page().question.row - 1, page().question.column - 1));
    act(GiveAnswer{right, true});
    EXPECT_TRUE(page().marked.right);
    ASSERT_NE(bench.state.progress.find("c", "third"), nullptr);
    EXPECT_TRUE(bench.state.progress.find("c", "third")->right);
}

TEST_F(Study, APredictionIsCheckedAfterItWasMade) {
    open(3);
    Answer falls;
    falls.chosen = {1};
    act(GiveAnswer{falls, true});
    EXPECT_TRUE(page().marked.right);
    EXPECT_EQ(bench.state.document.config.temperature, 0.25f) << "the change is there to be seen";
    EXPECT_EQ(page().marked.right_options, std::vector<int>{1}) << "and is not marked anew on what it made";
    act(TryAgain{});
    EXPECT_EQ(bench.state.document.config.temperature, 1);
}

TEST_F(Study, AnotherLanguageIsAnotherSetOfWordsAndKeepsTheDocument) {
    open(0);
    ViewState view = bench.view();
    view.language = Language::Chinese;
    bench.act(becomes(view));
    EXPECT_EQ(text_of(page().say), "5");
    act(OwnNumbers{});
    EXPECT_EQ(bench.state.document.text, "早上好");
    EXPECT_EQ(text_of(page().say), "3");
}

TEST_F(Study, TheEndIsAPageAndClosingLeavesTheDocument) {
    open(3);
    act(TurnPage{1});
    EXPECT_EQ(bench.view().course.page, 4);
    EXPECT_NE(page().chapter, nullptr);
    EXPECT_EQ(page().page, nullptr);
    act(TurnPage{1});
    EXPECT_EQ(bench.view().course.page, 4);
    const attn::Document document = bench.state.document;
    act(CloseChapter{});
    EXPECT_FALSE(bench.view().course.open());
    EXPECT_EQ(page().chapter, nullptr);
    EXPECT_TRUE(bench.state.document == document);
}

TEST_F(Study, LinksLightShowSetAndTurn) {
    open(0);
    act(FollowLink{"cell scores 1 3"});
    EXPECT_EQ(bench.view().playhead.tag.role, attn::Role::Scores);
    EXPECT_EQ(bench.view().pinned->col, 2);
    act(FollowLink{"set temperature=2"});
    EXPECT_EQ(bench.state.document.config.temperature, 2);
    act(FollowLink{"set mask=causal"});
    EXPECT_EQ(bench.state.document.config.mask, "causal") << "a page's own link may do what it keeps from a slip";
    act(FollowLink{"screen experiments scaling"});
    EXPECT_EQ(bench.view().screen, Screen::Experiments);
    act(FollowLink{"part softmax"});
    EXPECT_EQ(bench.view().screen, Screen::Stage);
    act(FollowLink{"page second"});
    EXPECT_EQ(bench.view().course.page, 1);
    act(FollowLink{"chapter c/third"});
    EXPECT_EQ(bench.view().course.page, 2);
    act(FollowLink{"nonsense"});
    EXPECT_EQ(bench.view().course.page, 2);
}

/// Each key of the view that a page may set, a value for it, and whether the view has that value.
struct OwnView {
    std::string_view key, value;
    bool (*is)(const ViewState&);
};
constexpr OwnView kOwnViews[] = {
    {"comparison", R"({ choice = "cosine" })", [](const ViewState& v) { return v.part<Comparison>().choice == "cosine"; }},
    {"heads", "{ queries = [1] }", [](const ViewState& v) { return v.part<HeadsChoice>() != HeadsChoice{}; }},
    {"paths", "{ kernel = 5 }", [](const ViewState& v) { return v.part<ExperimentsLook>().paths.dials.kernel == 5; }},
    {"flow", "{ zoom = 0.5 }", [](const ViewState& v) { return v.flow.zoom == 0.5f; }},
    {"experiment_page", R"("scaling")", [](const ViewState& v) { return v.part<ExperimentsLook>().page == "scaling"; }},
    {"scaling_width", "16", [](const ViewState& v) { return v.part<ExperimentsLook>().scaling_width == 16; }},
    {"scaling_seed", "7", [](const ViewState& v) { return v.part<ExperimentsLook>().scaling_seed == 7; }},
    {"difference", "true", [](const ViewState& v) { return v.difference; }},
    {"convention", R"("columns")", [](const ViewState& v) { return v.convention == attn::Convention::Columns; }},
    {"shared_scale", "true", [](const ViewState& v) { return v.shared_scale; }},
    {"speed", "2", [](const ViewState& v) { return v.speed == 2; }},
};

/// A chapter whose first page sets one thing, and whose second sets nothing.
std::string with_view(const OwnView& own) {
    return R"(id = "c"
title = { en = "C", zh = "章" }
[[page]]
id = "first"
title = { en = "F", zh = "一" }
view = { )" +
           std::string(own.key) + " = " + std::string(own.value) + R"( }
en = "w"
zh = "字"
[[page]]
id = "second"
title = { en = "S", zh = "二" }
en = "w"
zh = "字"
)";
}

struct OwnViewOfCourse : app_test::ChapterTest {
    explicit OwnViewOfCourse(const OwnView& own) : ChapterTest(with_view(own)) {}
    void TestBody() override {}
    using ChapterTest::act;
    using ChapterTest::bench;
    using ChapterTest::open;
};

TEST(CourseView, AViewChosenByAPageEndsWithIt) {
    // A training stays until another one: chapter_training_test.cpp.
    EXPECT_EQ(std::size(kOwnViews) + 1, page_view_keys().size()) << "every key but trained has a value here";
    for (const OwnView& own : kOwnViews) {
        OwnViewOfCourse course(own);
        ASSERT_FALSE(own.is(course.bench.view())) << own.key;
        course.open(0);
        EXPECT_TRUE(own.is(course.bench.view())) << own.key;
        course.act(TurnPage{1});
        EXPECT_FALSE(own.is(course.bench.view())) << own.key << " stays on the next page";
        course.act(TurnPage{-1});
        EXPECT_TRUE(own.is(course.bench.view())) << own.key << " is chosen again";
    }
}

TEST(CourseView, TheLearnersViewIsRestored) {
    const auto* convention = std::find_if(std::begin(kOwnViews), std::end(kOwnViews),
                                          [](const OwnView& own) { return own.key == "convention"; });
    ASSERT_NE(convention, std::end(kOwnViews));
    OwnViewOfCourse course(*convention);
    ViewState& v = course.bench.view();
    v.speed = 3;
    course.open(0);
    EXPECT_EQ(v.convention, attn::Convention::Columns);
    ViewState kept;
    use_part(kept, settings_of(v, {}).view);
    EXPECT_EQ(kept.convention, attn::Convention::Rows) << "what is kept for the next start";
    v.speed = 0.5;
    course.act(OwnNumbers{});
    EXPECT_EQ(v.convention, attn::Convention::Columns);
    course.act(CloseChapter{});
    EXPECT_EQ(v.convention, attn::Convention::Rows);
    EXPECT_EQ(v.speed, 0.5) << "what the page does not speak of is the learner's all along";
    v.convention = attn::Convention::Columns;
    course.open(1);
    EXPECT_EQ(v.convention, attn::Convention::Columns) << "a page that chooses none leaves it";
}

TEST(Progress, FollowsMovedPages) {
    ChapterLibrary library;
    const auto add = [&](const char* id, const char* was, const char* page) {
        Chapter chapter;
        chapter.id = id;
        chapter.was = was;
        chapter.pages.emplace_back().id = page;
        library.chapters.push_back(std::move(chapter));
    };
    add("old", "", "stays");
    add("new", "old", "moved");
    ChapterProgress progress;
    progress.at("old", "stays").seen = true;
    progress.at("old", "moved").right = true;
    progress.at("old", "gone").seen = true;
    progress.chapter = "old";
    progress.page = "moved";
    follow_moved_pages(progress, library);
    EXPECT_NE(progress.find("old", "stays"), nullptr);
    ASSERT_NE(progress.find("new", "moved"), nullptr);
    EXPECT_TRUE(progress.find("new", "moved")->right);
    EXPECT_NE(progress.find("old", "gone"), nullptr) << "what is nowhere stays where it was";
    EXPECT_EQ(progress.chapter, "new");
    const ChapterProgress once = progress;
    follow_moved_pages(progress, library);
    EXPECT_EQ(progress, once);
}

TEST(Progress, RoundTrips) {
    ChapterProgress progress;
    progress.chapter = "c";
    progress.page = "second";
    progress.at("c", "first").seen = true;
    progress.at("c", "second").task = true;
    progress.at("d", "一").right = true;
    EXPECT_EQ(progress_from_json(progress_to_json(progress)), progress);
    EXPECT_EQ(progress_from_json(R"({"lesson":"two-vectors","page":"by-hand"})").chapter, "two-vectors") << "as it was written once";
    for (const char* bytes : {"", "[]", "{\"pages\": 3}", "{\"pages\": [3, [], [1, 2], {}]}", "\xff"})
        (void)progress_from_json(bytes);
}

/// Through actions alone, as in the program: every task of every chapter.
TEST(Chapters, EveryTaskIsSolvedByItsSolution) {
    auto library = std::make_shared<const ChapterLibrary>(load_chapters(Assets(ATTN_SOURCE_DIR)));
    Bench bench;
    bench.state.chapters = library;
    const auto act = [&](CourseAction action) {
        bench.act(Action(std::move(action)));
        bench.deriver.finish(bench.state, bench.derived);
        if (bench.view().course.arriving) bench.act(Action(CourseAction{Arrive{}}));
    };
    int looked_at = 0;
    for (const Language language : {Language::English, Language::Chinese})
        for (const Chapter& chapter : library->chapters)
            for (int i = 0; i < static_cast<int>(chapter.pages.size()); ++i) {
                if (looked_at++ % test_support::table_share() != 0) continue;
                bench.view().language = language;
                act(OpenPage{chapter.id, i});
                act(OwnNumbers{});  // otherwise a text that the previous task required would stay
                const ChapterPage& page = chapter.pages[static_cast<std::size_t>(i)];
                const std::string where = chapter.id + "/" + page.id;
                EXPECT_FALSE(bench.derived.error) << where;
                EXPECT_FALSE(bench.derived.part<CoursePage>().changed) << where;
                EXPECT_TRUE(!page.enter.pin || bench.view().pinned) << where;
                if (!page.task) continue;
                EXPECT_FALSE(bench.derived.part<CoursePage>().task_done) << where;
                act(ShowHow{});
                EXPECT_TRUE(bench.derived.part<CoursePage>().task_done) << where << " " << language_id(language);
            }
}

}  // namespace
}  // namespace app
