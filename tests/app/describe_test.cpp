// A view in words: the text agrees with the trace, in both languages and for every kind of step.

#include "app/explain/describe.h"

#include <gmock/gmock.h>

#include "app/state/examples.h"
#include "tests/app/cli_fixture.h"

namespace app {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string words(const attn::Document& document, const attn::Trace& trace, attn::StepId step, Language language,
                  std::optional<attn::Cell> cell = {}) {
    const AxisLabels labels = labels_of(trace, language);
    DescribeSource source{.document = document, .trace = trace, .labels = labels};
    source.step = step;
    source.cell = cell;
    source.language = language;
    return describe_view(source);
}

TEST(Describe, WeightsInWords) {
    attn::Document doc;
    doc.text = "the bank";
    attn::choose_form(doc, "raw");
    doc.edits = {{{attn::Role::Scores}, 1, 0, 4}, {{attn::Role::Scores}, 1, 1, 3}};
    const auto run = attn::run(doc);
    ASSERT_TRUE(run);
    const attn::StepId weights = attn::find_id(run->trace, {attn::Role::Weights});
    const std::string english = words(doc, run->trace, weights, Language::English);
    EXPECT_THAT(english, HasSubstr("“bank” attends mostly to “the” (0.73), then to “bank” (0.27)."));
    EXPECT_THAT(english, HasSubstr("2 rows (tokens) and 2 columns (tokens)"));
    EXPECT_THAT(english, HasSubstr("The largest number is 0.73 (row “bank”, column “the”)"));
    const std::string chinese = words(doc, run->trace, weights, Language::Chinese);
    EXPECT_THAT(chinese, HasSubstr("“bank” 主要关注 “the” (0.73)，其次是 “bank” (0.27)。"));
}

TEST(Describe, AMaskedRowAndAMaskedCell) {
    attn::Document doc;
    doc.text = "a b c";
    attn::choose_form(doc, "raw");
    doc.config.mask = "drawn";
    doc.mask_pattern = attn::Matrix::Ones(3, 3);
    doc.mask_pattern.row(1).setZero();
    const auto run = attn::run(doc);
    ASSERT_TRUE(run);
    const attn::StepId weights = attn::find_id(run->trace, {attn::Role::Weights}),
                       masked = attn::find_id(run->trace, {attn::Role::Masked});
    EXPECT_THAT(words(doc, run->trace, weights, Language::English), HasSubstr("“b” attends to nothing"));
    EXPECT_THAT(words(doc, run->trace, masked, Language::English), HasSubstr("3 are masked"));
}

TEST(Describe, ACellIsExplainedFromItsTerms) {
    attn::Document doc;
    doc.text = "the cat";
    const auto run = attn::run(doc);
    ASSERT_TRUE(run);
    const attn::StepId scores = attn::find_id(run->trace, {attn::Role::Scores});
    const attn::Cell cell{scores, 1, 0};
    const std::string text = words(doc, run->trace, scores, Language::English, cell);
    EXPECT_THAT(text, HasSubstr("Picked: scores, row “cat”, column “the”"));
    EXPECT_THAT(text, HasSubstr(attn::explain_text(run->trace, attn::explain(run->trace, cell))));
}

TEST(Describe, EveryStepOfEveryExampleHasWordsInBothLanguages) {
    for (const Example& example : example_documents()) {
        const auto run = attn::run(example.document);
        ASSERT_TRUE(run) << example.id;
        for (attn::StepId id = 0; id < run->trace.size(); ++id)
            for (const Language language : {Language::English, Language::Chinese}) {
                const attn::Matrix& value = run->trace[id].value;
                const std::optional<attn::Cell> cell =
                    value.size() > 0 ? std::optional(attn::Cell{id, 0, static_cast<int>(value.cols()) - 1})
                                     : std::nullopt;
                const std::string text = words(example.document, run->trace, id, language, cell);
                EXPECT_GE(std::count(text.begin(), text.end(), '\n'), 3) << example.id << ' ' << id;
                for (const char* wrong : {"{0}", "{1}", "{2}", "  "})
                    EXPECT_THAT(text, Not(HasSubstr(wrong))) << example.id << ' ' << id;
            }
    }
}

TEST(CliDescribe, PrintsTheSame) {
    const auto said = cli_test::run({"describe", "--text", "the river bank", "--language", "en"});
    EXPECT_EQ(said.status, 0) << said.err;
    EXPECT_THAT(said.out, HasSubstr("attends"));
    const auto cell = cli_test::run(
        {"describe", "--text", "早上好", "--step", "scores", "--row", "早", "--column", "上", "--language", "zh"});
    EXPECT_THAT(cell.out, HasSubstr("选中"));
    EXPECT_EQ(cli_test::run({"describe", "--text", ""}).status, 0);
    EXPECT_EQ(cli_test::run({"describe", "--text", "a", "--step", "nothing"}).status, 3);
    EXPECT_EQ(cli_test::run({"describe", "--text", "a", "--row", "1"}).status, 2);
}

}  // namespace
}  // namespace app
