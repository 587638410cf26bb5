// The reasons for a score: pairs of features whose parts sum to q·k.

#include <gtest/gtest.h>

#include "core/analysis/why.h"
#include "core/document/document.h"

namespace {

using namespace attn;

attn::Run run_of(Document d) { return *run(d); }

TEST(Reasons, AddUpToTheScoreOfEveryCellAndHead) {
    Document d;
    d.text = "the boy saw the bird and he loved it";
    d.config.form = "multi_head";
    d.config.heads = 2;
    d.weights = "random";
    const attn::Run made = run_of(d);
    for (int head = 0; head < 2; ++head) {
        const StepId scores = find_id(made.trace, {Role::Scores, head});
        ASSERT_NE(scores, kNoStep);
        for (int row = 0; row < 9; ++row)
            for (int col = 0; col < 9; ++col) {
                const auto why = reasons_of_score(made.trace, {scores, row, col}, 3);
                ASSERT_TRUE(why);
                double sum = why->rest;
                for (const ScoreReason& reason : why->largest) sum += reason.value;
                EXPECT_NEAR(sum, static_cast<double>(made.trace[scores].value(row, col)), 1e-4);
                EXPECT_LE(why->largest.size(), 3u);
                for (std::size_t i = 1; i < why->largest.size(); ++i) EXPECT_GE(std::abs(why->largest[i - 1].value), std::abs(why->largest[i].value));
            }
    }
}

TEST(Reasons, OneFeatureAloneIsItsProduct) {
    Document d;
    d.text = "a b";
    d.config.form = "multi_head";
    d.config.heads = 1;
    d.weights = "random";
    const attn::Run made = run_of(d);
    const StepId scores = find_id(made.trace, {Role::Scores});
    const auto why = reasons_of_score(made.trace, {scores, 0, 1}, 1000);
    ASSERT_TRUE(why);
    EXPECT_NEAR(why->rest, 0, 1e-9) << "all of them are there";
    const Matrix &x = made.trace[why->queries_of].value, &wq = made.trace[made.trace[made.trace[scores].inputs[0]].inputs[1]].value;
    const StepId keys = made.trace[made.trace[scores].inputs[1]].inputs[0];
    const Matrix& wk = made.trace[made.trace[keys].inputs[1]].value;
    for (const ScoreReason& reason : why->largest) {
        double form = 0;
        for (int c = 0; c < static_cast<int>(wq.cols()); ++c) form += static_cast<double>(wq(reason.query_feature, c)) * static_cast<double>(wk(reason.key_feature, c));
        EXPECT_NEAR(reason.value, static_cast<double>(x(0, reason.query_feature)) * form * static_cast<double>(x(1, reason.key_feature)), 1e-9);
    }
}

TEST(Reasons, ThereAreNoneWithoutProjections) {
    Document d;
    d.text = "a b c";
    d.config.form = "raw";
    const attn::Run made = run_of(d);
    EXPECT_FALSE(reasons_of_score(made.trace, {find_id(made.trace, {Role::Scores}), 0, 1}, 3));
    EXPECT_FALSE(reasons_of_score(made.trace, {find_id(made.trace, {Role::Weights}), 0, 1}, 3)) << "a weight is no score";
}

}  // namespace
