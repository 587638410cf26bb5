// Pages that train: their expressions, what a check reports, and that entering one trains. And what the stage explains where
// a page highlights a row.
#include <gtest/gtest.h>

#include "app/chapters/check.h"
#include "app/chapters/do.h"
#include "app/chapters/format/question.h"
#include "app/screens/training/data.h"
#include "app/screens/training/page.h"
#include "app/screens/training/training.h"
#include "core/document/take.h"
#include "core/model/model.h"
#include "tests/app/course_fixture.h"

namespace app {
namespace {

constexpr std::string_view kChapter = R"toml(
id = "c"
title = { en = "C", zh = "章" }
[start]
variant = "raw"
text = "the tired cat sat down"
[[page]]
id = "trains"
title = { en = "T", zh = "一" }
screen = "train"
view = { trained = { task = "reverse", seed = 0, steps = 2 } }
en = "{trained(\"step\")} of {trained(\"newest\")}"
zh = "{trained(\"step\")}"
task = { en = "on", zh = "练", until = ['trained("newest") >= 3'], do = { screen = "train", view = { trained = { task = "reverse", seed = 0, steps = 3, at = 1 } } } }
[[page]]
id = "stage"
title = { en = "S", zh = "二" }
show = "weights"
light = "row weights 2"
hide = ["inspector"]
en = "words"
zh = "字"
)toml";

class TrainingPages : public app_test::ChapterTest {
protected:
    TrainingPages() : ChapterTest(kChapter) {}
    void finish() { bench.deriver.finish(bench.state, bench.derived); }
    std::string said() const { return text_of(page().say); }
};

std::string problems_with(std::string_view trained) {
    std::string text(kChapter);
    const std::string_view usual = "task = \"reverse\", seed = 0, steps = 2 ";
    text.replace(text.find(usual), usual.size(), trained);
    ChapterLibrary library;
    std::string out;
    for (const ChapterProblem& one : check_chapter(parse_chapter(text, "c.toml", {}), library, ChapterRules::Any)) out += one.text() + "\n";
    return out;
}

TEST_F(TrainingPages, EnteringOneTrainsItsSteps) {
    open(0);
    finish();
    EXPECT_EQ(bench.view().screen, Screen::Train);
    EXPECT_EQ(bench.view().part<TrainingLook>().task, "reverse");
    EXPECT_EQ(said(), "2 of 2");
    EXPECT_FALSE(page().task_done);
}

TEST_F(TrainingPages, ShowingTheSolutionTrainsToTheMoment) {
    open(0);
    finish();
    act(ShowHow{});
    finish();
    EXPECT_EQ(said(), "1 of 3");
    EXPECT_TRUE(page().task_done);
}

TEST_F(TrainingPages, EnteringAgainStartsOver) {
    open(0);
    finish();
    bench.act(TrainingAction{StepTraining{5}});
    finish();
    EXPECT_EQ(said(), "7 of 7");
    open(1);
    finish();
    EXPECT_EQ(bench.view().part<TrainingLook>().task, "reverse");
    ASSERT_TRUE(bench.derived.part<TrainingData>().news);
    EXPECT_EQ(bench.derived.part<TrainingData>().news->step, 7);
    open(0);
    finish();
    EXPECT_EQ(said(), "2 of 2");
}

TEST_F(TrainingPages, TheStageExplainsTheLargestNumberOfAHighlightedRow) {
    open(1);
    finish();
    ASSERT_TRUE(bench.derived.explained);
    EXPECT_EQ(bench.derived.explained->row, 1);
    const attn::Matrix& weights = bench.derived.run->trace[bench.derived.explained->step].value;
    EXPECT_EQ(weights(1, bench.derived.explained->col), weights.row(1).maxCoeff());
    bench.act(Pin{CellRef{bench.derived.run->trace[bench.derived.explained->step].tag, 3, 2}});
    EXPECT_EQ(bench.derived.explained->row, 3) << "what is pinned goes before";
}

TEST(TrainingOfAPage, IsReproducibleAndLimited) {
    TrainingLook look;
    look.task = "reverse";
    look.until = 2;
    const auto once = train_for_page(look), again = train_for_page(look);
    ASSERT_TRUE(once && again);
    EXPECT_EQ(once->newest, 2);
    EXPECT_EQ(once->loss, again->loss);
    EXPECT_GT(once->loss, 0);
    look.at = 1;
    ASSERT_TRUE(train_for_page(look));
    EXPECT_EQ(train_for_page(look)->step, 1);
    look.until = kMostPageSteps + 1;
    EXPECT_FALSE(train_for_page(look));
    look.until = 1;
    look.task = "nothing";
    EXPECT_FALSE(train_for_page(look));
}

TEST(TrainingOfAPage, IsChecked) {
    EXPECT_EQ(problems_with("task = \"reverse\", seed = 0, steps = 2 "), "");
    EXPECT_NE(problems_with("task = \"nothing\", steps = 2 ").find("there is no task"), std::string::npos);
    EXPECT_NE(problems_with("task = \"reverse\", steps = 5000 ").find("at most"), std::string::npos);
    EXPECT_NE(problems_with("task = \"reverse\", steps = 3 ").find("before it is begun"), std::string::npos);
}

TEST(TrainingOfAPage, ExpressionsNeedATraining) {
    attn::Document document;
    document.text = "the animal didn't cross the street because it was too tired";
    attn::take_model(document, attn::shipped_model("it"));
    const auto run = attn::run(document);
    ASSERT_TRUE(run);
    ChapterContext context = page_context(document, *run, document, Language::English);
    const auto shown = [&](std::string_view expression) {
        const auto value = shown_value(expression, context);
        return value ? *value : value.error().message;
    };
    EXPECT_EQ(shown("trained(\"right\")"), "");
    context.trained = TrainedNow{16, 128, 0.25, 0.5, 0.75, 0.125};
    EXPECT_EQ(shown("trained(\"step\")"), "16");
    EXPECT_EQ(shown("trained(\"newest\") - trained(\"step\")"), "112");
    EXPECT_EQ(shown("trained(\"loss\")"), "0.25");
    EXPECT_EQ(shown("trained(\"right\"):%"), "50%");
    EXPECT_EQ(shown("trained(\"role\")"), "0.75");
    EXPECT_EQ(shown("trained(\"off\"):3"), "0.125");
    EXPECT_EQ(shown("trained(\"anything\")"), "");
    EXPECT_EQ(shown("recorded(\"pronoun_noun\"):3"), "0.995") << "assets/models/it/config.json";
    EXPECT_EQ(shown("recorded(\"nothing\")"), "");
    attn::Document without;
    ChapterContext plain = page_context(without, *run, without, Language::English);
    EXPECT_EQ(*shown_value("recorded(\"pronoun_noun\")", plain), "");
}

}  // namespace
}  // namespace app
