// The lab: which pages a document has, and that what they show is what the run holds.
#include "app/state/lab.h"

#include <gtest/gtest.h>

#include <numeric>

#include "app/state/examples.h"
#include "app/views/lab.h"
#include "core/measure.h"
#include "tests/app/state_fixture.h"

namespace app {
namespace {

attn::Document example(std::string_view id) {
    for (const Example& one : example_documents())
        if (one.id == id) return one.document;
    ADD_FAILURE() << "no example " << id;
    return {};
}

LabData lab_of(std::string_view page, const attn::Document& doc, int width = 64) {
    const auto run = attn::run(doc);
    EXPECT_TRUE(run.ok()) << (run ? "" : run.error().text());
    LabData lab;
    if (run) make_lab({page, *run, doc, attn::kNoHead, 1, width, 1}, lab);
    return lab;
}

TEST(Lab, TopicsAndPagesAreTheSameInTheSameOrder) {
    ASSERT_EQ(lab_topics().size(), lab_pages().size());
    for (std::size_t i = 0; i < lab_topics().size(); ++i) EXPECT_EQ(lab_topics()[i].id, lab_pages()[i].id);
}

TEST(Lab, APageIsThereWhereTheDocumentHasIt) {
    attn::Document doc;
    EXPECT_EQ(shown_lab_page("", doc), "scaling");
    EXPECT_EQ(shown_lab_page("cost", doc), "cost");
    EXPECT_EQ(shown_lab_page("draws", doc), "scaling") << "nothing is drawn";
    EXPECT_TRUE(lab_applies("scene", example("scene")));
    EXPECT_TRUE(lab_applies("draws", example("hard")));
    EXPECT_TRUE(lab_applies("position", example("rotary")));
    EXPECT_FALSE(lab_applies("position", doc));
    EXPECT_FALSE(lab_applies("nonsense", doc));
}

TEST(Lab, TheHistogramsHoldNearlyAllScores) {
    for (const int width : {1, 30, kWidestStudy}) {
        const ScalingLab lab = lab_of("scaling", {}, width).scaling;
        EXPECT_EQ(lab.width, width);
        EXPECT_GT(std::accumulate(lab.plain.begin(), lab.plain.end(), 0.0), 0.97) << width;
        EXPECT_GT(std::accumulate(lab.scaled.begin(), lab.scaled.end(), 0.0), 0.97) << width;
    }
}

TEST(Lab, TheBillIsTheSumOfTheSteps) {
    const attn::Document doc = example("heads");
    const CostLab lab = lab_of("cost", doc).cost;
    const auto run = attn::run(doc);
    double work = 0, bytes = 0;
    int steps = 0;
    for (attn::StepId id = 0; id < run->trace.size(); ++id) {
        work += attn::cost(run->trace, id).multiply_adds;
        bytes += attn::cost(run->trace, id).bytes;
    }
    for (const CostRow& row : lab.rows) steps += row.steps;
    EXPECT_EQ(lab.multiply_adds, work);
    EXPECT_EQ(lab.bytes, bytes);
    EXPECT_EQ(steps, run->trace.size());
    EXPECT_EQ(lab.size.n, run->inputs.n());
    for (std::size_t i = 1; i < lab.rows.size(); ++i)
        EXPECT_GE(lab.rows[i - 1].multiply_adds, lab.rows[i].multiply_adds);
}

TEST(Lab, TheSceneShowsTheRunsWeights) {
    const attn::Document doc = example("hard");
    const SceneLab lab = lab_of("scene", doc).scene;
    const auto run = attn::run(doc);
    EXPECT_EQ(run->trace[lab.weights].tag.role, attn::Role::Weights);
    EXPECT_EQ(run->trace[lab.drawn].tag.role, attn::Role::Drawn);
    EXPECT_EQ(run->trace[lab.gate].tag.role, attn::Role::Gate);
    EXPECT_EQ(lab.coverage, attn::kNoStep) << "no penalty is asked for";
    EXPECT_EQ(lab_of("draws", doc).draws.columns.size(), 20u);
}

TEST(Lab, TheCacheGrowsByATokenAtATimeAndSavesWork) {
    const std::vector<attn::CachedPass> passes = lab_of("cache", example("generate")).cache;
    ASSERT_GE(passes.size(), 4u);
    for (std::size_t i = 1; i < passes.size(); ++i) {
        EXPECT_EQ(passes[i].tokens, passes[i - 1].tokens + 1);
        EXPECT_LT(passes[i].multiply_adds, passes[i].without_cache);
    }
    EXPECT_TRUE(lab_of("cache", example("heads")).cache.empty());
}

TEST(Lab, EveryExampleCanBeRun) {
    for (const Example& one : example_documents()) EXPECT_TRUE(attn::problems(one.document).empty()) << one.id;
}

}  // namespace
}  // namespace app
