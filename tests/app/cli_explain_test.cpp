// `attenscope explain`: the terms of one number, as text and as JSON.

#include <gmock/gmock.h>

#include <algorithm>

#include "core/io/json.h"
#include "places.h"
#include "tests/app/cli_fixture.h"

namespace {

using cli_test::run;
using testing::HasSubstr;
using testing::Not;

std::vector<std::string> explain(const std::string& step, const std::string& row, const std::string& column,
                                 std::initializer_list<std::string> more = {}) {
    std::vector<std::string> arguments = {"explain",  "--text", "the cat the dog", "--step", step, "--row", row,
                                          "--column", column,   "--language",      "en"};
    arguments.insert(arguments.end(), more);
    return arguments;
}

TEST(CliExplain, TextNamesTheCellAndItsSum) {
    const auto outcome = run(explain("scores", "cat", "dog"));
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("scores [cat, dog] = "));
    EXPECT_THAT(outcome.out, HasSubstr("How this number is made"));
    EXPECT_THAT(outcome.out, HasSubstr("scores[cat, dog] = "));
}

TEST(CliExplain, SpeaksBothLanguages) {
    const auto outcome =
        run({"explain", "--text", "早上好", "--step", "weights", "--row", "早", "--column", "上", "--language", "zh"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("第 1 行，第 2 列"));
    EXPECT_EQ(run({"explain", "--text", "早上好", "--step", "embeddings", "--row", "1", "--column", "生物"}).status, 0);
}

/// Tokens of a checkpoint are identified by their ids, which count from 0.
TEST(CliExplain, AColumnOfLogitsIsAWord) {
    const auto outcome = run({"explain", "--model", ATTN_SOURCE_DIR "/tests/data/planted", "--text", "river stone apple", "--step", "logits", "--row", "2", "--column", "3", "--language", "en"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("logits [stone, apple] = "));
    EXPECT_THAT(outcome.out, HasSubstr("row 2, column 3 · word id 2\n"));
}

TEST(CliExplain, JsonTermsAddUp) {
    const auto outcome = run(explain("scores", "2", "4", {"--format", "json"}));
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const auto json = attn::parse_json(outcome.out);
    ASSERT_TRUE(json.ok()) << json.error().text();
    double sum = 0;
    for (const attn::JsonValue& term : json->find("terms")->items) {
        EXPECT_NEAR(term.find("value")->number,
                    term.find("left")->find("value")->number * term.find("right")->find("value")->number, 1e-6);
        sum += term.find("value")->number;
    }
    EXPECT_NEAR(sum, json->find("result")->number, 1e-5);
    EXPECT_EQ(json->find("cell")->find("row_label")->string, "cat");
}

TEST(CliExplain, EveryCellOfEveryStepIsExplained) {
    const auto trace =
        attn::parse_json(run({"trace", "--text", "a b", "--set", "heads=2", "--set", "mask=causal"}).out);
    ASSERT_TRUE(trace.ok());
    for (const attn::JsonValue& step : trace->find("steps")->items) {
        const auto& shape = step.find("shape")->items;
        for (const char* format : {"text", "json"}) {
            const auto outcome = run({"explain", "--text", "a b", "--set", "heads=2", "--set", "mask=causal", "--step",
                                      step.find("name")->string, "--row", std::to_string(shape[0].integer), "--column",
                                      std::to_string(shape[1].integer), "--format", format});
            EXPECT_EQ(outcome.status, 0) << step.find("name")->string << outcome.err;
        }
    }
}

TEST(CliExplain, UnknownPlacesListTheAvailableOnes) {
    const auto step = run(explain("wights", "1", "1"));
    EXPECT_EQ(step.status, 3);
    EXPECT_THAT(step.err, HasSubstr("weights"));
    const auto row = run(explain("weights", "5", "1"));
    EXPECT_EQ(row.status, 3);
    EXPECT_THAT(row.err, HasSubstr("rows 1 to 4"));
    EXPECT_EQ(run(explain("weights", "0", "1")).status, 3);
    EXPECT_EQ(run(explain("weights", "99999999999999999999", "1")).status, 3);
    EXPECT_EQ(run(explain("weights", "1", "-1")).status, 3);
    EXPECT_EQ(run(explain("weights", "mouse", "1")).status, 3);
    const auto twice = run(explain("weights", "the", "1"));
    EXPECT_EQ(twice.status, 3);
    EXPECT_THAT(twice.err, HasSubstr("rows 1, 3"));
    EXPECT_EQ(run({"explain", "--text", "", "--step", "1", "--row", "1", "--column", "1"}).status, 3);
}

TEST(CliExplain, MaskedRowsAndOverflowAreReported) {
    const auto masked = run({"explain", "--text", "a b", "--set", "mask=drawn", "--set", "mask_pattern=[[0,0],[1,1]]",
                             "--step", "weights", "--row", "1", "--column", "1", "--language", "en"});
    EXPECT_EQ(masked.status, 0) << masked.err;
    EXPECT_THAT(masked.out, HasSubstr("Every position of this row is masked"));
}

TEST(CliExplain, ColumnsSwapRowsAndFactors) {
    const auto rows = run(explain("scores", "cat", "dog")),
               columns = run(explain("scores", "dog", "cat", {"--convention", "columns"}));
    ASSERT_EQ(columns.status, 0) << columns.err;
    EXPECT_THAT(columns.out, HasSubstr("scores [dog, cat] = "));
    EXPECT_THAT(columns.out, HasSubstr("row 4, column 2"));
    EXPECT_THAT(columns.out, HasSubstr("scores[dog, cat] = "));
    const auto value = [](const std::string& out) { return out.substr(out.rfind(" = ")); };
    EXPECT_EQ(value(rows.out), value(columns.out));
    EXPECT_THAT(run(explain("weights", "1", "2", {"--convention", "columns"})).out, HasSubstr("The column’s weights"));
    EXPECT_EQ(run(explain("weights", "1", "1", {"--convention", "cells"})).status, 2);
    const auto masked =
        run({"explain", "--text", "a b", "--set", "mask=drawn", "--set", "mask_pattern=[[0,0],[1,1]]", "--step",
             "weights", "--row", "1", "--column", "1", "--language", "en", "--convention", "columns"});
    EXPECT_THAT(masked.out, HasSubstr("position of this column is masked"));
}

TEST(CliExplain, LatexIsTheFormulaWithItsNumbers) {
    const auto latex = run(explain("weights", "1", "2", {"--format", "latex"}));
    ASSERT_EQ(latex.status, 0) << latex.err;
    EXPECT_THAT(latex.out, HasSubstr("a}_{1,2} = \\frac{e^{"));
    for (const char* ours : {"\\part", "\\q ", "\\k ", "\\s ", "\\word"}) EXPECT_THAT(latex.out, Not(HasSubstr(ours)));
    EXPECT_EQ(std::count(latex.out.begin(), latex.out.end(), '{'), std::count(latex.out.begin(), latex.out.end(), '}'));
}

}  // namespace
