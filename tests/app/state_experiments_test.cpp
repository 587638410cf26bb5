// The experiments: which pages a document has, and that they show the run's numbers.
#include "app/screens/experiments/experiments.h"

#include <gtest/gtest.h>

#include <numeric>

#include "app/screens/experiments/view.h"
#include "app/state/examples.h"
#include "core/document/take.h"
#include "core/model/model.h"
#include "core/ops/measure.h"
#include "tests/app/state_fixture.h"

namespace app {
namespace {

attn::Document example(std::string_view id) {
    for (const Example& one : example_documents())
        if (one.id == id) return one.document;
    ADD_FAILURE() << "no example " << id;
    return {};
}

ExperimentData experiment_of(std::string_view page, const attn::Document& doc, int width = 64) {
    const auto run = attn::run(doc);
    EXPECT_TRUE(run.ok()) << (run ? "" : run.error().text());
    ExperimentData data;
    if (run) make_experiments({page, *run, doc, attn::kNoHead, 1, width, 1}, data);
    return data;
}

TEST(Experiments, TopicsAndPagesAreTheSameInTheSameOrder) {
    ASSERT_EQ(experiment_topics().size(), experiment_pages().size());
    for (std::size_t i = 0; i < experiment_topics().size(); ++i) EXPECT_EQ(experiment_topics()[i].id, experiment_pages()[i].id);
}

TEST(Experiments, APageExistsIfTheDocumentHasIt) {
    attn::Document doc;
    EXPECT_EQ(shown_experiment_page("", doc), "scaling");
    EXPECT_EQ(shown_experiment_page("cost", doc), "cost");
    EXPECT_EQ(shown_experiment_page("draws", doc), "scaling") << "nothing is drawn";
    EXPECT_TRUE(experiment_applies("scene", example("scene")));
    EXPECT_TRUE(experiment_applies("draws", example("hard")));
    EXPECT_TRUE(experiment_applies("position", example("rotary")));
    EXPECT_FALSE(experiment_applies("position", doc));
    EXPECT_FALSE(experiment_applies("nonsense", doc));
}

TEST(Experiments, TheHistogramsHoldNearlyAllScores) {
    for (const int width : {1, 30, kWidestScaling}) {
        const ScalingExperiment data = experiment_of("scaling", {}, width).scaling;
        EXPECT_EQ(data.width, width);
        EXPECT_GT(std::accumulate(data.plain.begin(), data.plain.end(), 0.0), 0.97) << width;
        EXPECT_GT(std::accumulate(data.scaled.begin(), data.scaled.end(), 0.0), 0.97) << width;
    }
}

TEST(Experiments, TheCostIsTheSumOfTheSteps) {
    const attn::Document doc = example("heads");
    const CostExperiment data = experiment_of("cost", doc).cost;
    const auto run = attn::run(doc);
    double work = 0, bytes = 0;
    int steps = 0;
    for (attn::StepId id = 0; id < run->trace.size(); ++id) {
        work += attn::cost(run->trace, id).multiply_adds;
        bytes += attn::cost(run->trace, id).bytes;
    }
    for (const CostRow& row : data.rows) steps += row.steps;
    EXPECT_EQ(data.multiply_adds, work);
    EXPECT_EQ(data.bytes, bytes);
    EXPECT_EQ(steps, run->trace.size());
    EXPECT_EQ(data.size.n, run->inputs.n());
    for (std::size_t i = 1; i < data.rows.size(); ++i)
        EXPECT_GE(data.rows[i - 1].multiply_adds, data.rows[i].multiply_adds);
}

TEST(Experiments, TheSceneShowsTheRunsWeights) {
    const attn::Document doc = example("hard");
    const SceneExperiment data = experiment_of("scene", doc).scene;
    const auto run = attn::run(doc);
    EXPECT_EQ(run->trace[data.weights].tag.role, attn::Role::Weights);
    EXPECT_EQ(run->trace[data.drawn].tag.role, attn::Role::Drawn);
    EXPECT_EQ(run->trace[data.gate].tag.role, attn::Role::Gate);
    EXPECT_EQ(data.coverage, attn::kNoStep) << "no penalty is asked for";
    EXPECT_EQ(experiment_of("draws", doc).draws.columns.size(), 20u);
}

/// The name and the bars were those of the cell that the motion ended on, the curve was that of the first row.
TEST(Experiments, TheDrawsAreOfTheRowThatIsNamed) {
    const attn::Document doc = example("hard");
    const auto run = attn::run(doc);
    ASSERT_TRUE(run);
    const int rows = static_cast<int>(attn::find(run->trace, {attn::Role::Drawn})->value.rows());
    ASSERT_GT(rows, 1);
    EXPECT_EQ(experiment_of("draws", doc).draws_row, 1);
    ExperimentData last;
    make_experiments({"draws", *run, doc, attn::kNoHead, rows + 3}, last);
    EXPECT_EQ(last.draws_row, rows - 1) << "a row of another step";
    EXPECT_EQ(last.draws.columns, attn::scaling_draws(run->trace, {attn::Role::Drawn}, rows - 1, 20).columns);
}

TEST(Experiments, TheCacheGrowsByATokenAtATimeAndSavesWork) {
    const std::vector<attn::CachedPass> passes = experiment_of("cache", example("generate")).cache;
    ASSERT_GE(passes.size(), 4u);
    for (std::size_t i = 1; i < passes.size(); ++i) {
        EXPECT_EQ(passes[i].tokens, passes[i - 1].tokens + 1);
        EXPECT_LT(passes[i].multiply_adds, passes[i].without_cache);
    }
    EXPECT_TRUE(experiment_of("cache", example("heads")).cache.empty());
}

TEST(Experiments, EveryExampleCanBeRun) {
    for (const Example& one : example_documents()) EXPECT_TRUE(attn::problems(one.document).empty()) << one.id;
}

/// Compared with the published counts.
TEST(Experiments, PublishedModelsHaveAsManyWeightsAsTheirPapersSay) {
    const auto& all = published_models();
    ASSERT_EQ(all.size(), 3u);
    EXPECT_EQ(count_weights(all[0]).all(), 124439808) << "GPT-2, as its checkpoint has them";
    EXPECT_EQ(count_weights(all[1]).all(), 1235814400) << "Llama 3.2 1B, as its model card has them";
    EXPECT_NEAR(count_weights(all[2]).all() / 1e9, 174.6, 0.1) << "GPT-3: 175 billion";
    for (const PublishedModel& m : all) {
        EXPECT_FALSE(m.source.empty());
        EXPECT_NEAR(rule_of_thumb(m) / count_weights(m).all(), 1, 0.14) << m.name;
    }
}

TEST(Experiments, ScaleCountsTheDocumentsOwnWeights) {
    attn::Document doc = app_test::document_of("the tired cat", 2);
    attn::choose_form(doc, "multi_head");
    doc.weights = "random";
    doc.config.heads = 2;
    const auto run = attn::run(doc);
    ASSERT_TRUE(run);
    const double d = run->inputs.d();
    const ScaleExperiment scale = experiment_of("scale", doc).scale;
    ASSERT_EQ(scale.models.size(), 4u);
    EXPECT_EQ(scale.models[0].weights, 4 * d * d) << "W_Q, W_K, W_V and W_O";
    EXPECT_EQ(scale.models[0].heads, 2);
    attn::choose_form(doc, "raw");
    EXPECT_EQ(experiment_of("scale", doc).scale.models[0].weights, 0) << "vectors are compared as they are";
    doc = {};
    doc.text = "the tired cat";
    attn::take_model(doc, attn::shipped_model("questions"));
    const ScaleExperiment trained = experiment_of("scale", doc).scale;
    EXPECT_GT(trained.models[0].weights, 0);
    EXPECT_LT(trained.models[0].weights, trained.models[1].weights);
}

/// In the initial layer eight columns are meanings, which positions do not change, and eight are positions.
TEST(Experiments, CurvesOfPositionsAreThoseThatChange) {
    attn::Matrix encoding = attn::Matrix::Zero(6, 5);
    for (int p = 0; p < 6; ++p) {
        encoding(p, 1) = 3;  // large, and the same everywhere
        encoding(p, 2) = 0.1f * static_cast<float>(p);
        encoding(p, 4) = static_cast<float>(p % 2);
    }
    EXPECT_EQ(features_that_change(encoding, 2), (std::vector<int>{2, 4}));
    EXPECT_EQ(features_that_change(encoding, 1), (std::vector<int>{4}));
    EXPECT_EQ(features_that_change(encoding, 8).size(), 5u);
    EXPECT_TRUE(features_that_change(attn::Matrix(), 8).empty());
}

/// Four heads are parts of one product, so they count as one, not five.
TEST(Experiments, TheCostCountsProductsNotTheirParts) {
    int seen = 0;
    for (const CostRow& row : experiment_of("cost", opening_document(Language::English)).cost.rows) {
        const int wanted = row.role == attn::Role::Queries ? 1 : row.role == attn::Role::Scores ? 4 : 0;
        if (wanted == 0) continue;
        ++seen;
        EXPECT_EQ(row.products(), wanted) << row.steps;
    }
    EXPECT_EQ(seen, 2);
}

}  // namespace
}  // namespace app
