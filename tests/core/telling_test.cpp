// The number that is explained by default, when the user has chosen none.
#include "core/analysis/telling.h"

#include <gtest/gtest.h>

#include "core/document/document.h"

namespace attn {
namespace {

/// A run of one head with these scores typed in; masked keys are −∞.
Trace run_of(const Matrix& scores, std::string_view mask = "none") {
    Document doc;
    for (Eigen::Index i = 0; i < scores.rows(); ++i) doc.tokens.push_back("t" + std::to_string(i));
    choose_form(doc, "multi_head");
    doc.config.mask = mask;
    for (int r = 0; r < scores.rows(); ++r)
        for (int c = 0; c < scores.cols(); ++c) doc.edits.push_back({{Role::Scores}, r, c, scores(r, c)});
    auto made = run(doc);
    EXPECT_TRUE(made) << made.error().text();
    return std::move(made->trace);
}

std::optional<TellingPair> pair_of_run(const Trace& trace) { return telling_pair(trace, attention_maps(trace).front()); }

TEST(Telling, TheRowFarthestFromUniformWeights) {
    Matrix scores = Matrix::Zero(4, 4);
    scores(1, 2) = 9;
    scores(3, 0) = 1;
    EXPECT_EQ(pair_of_run(run_of(scores)), (TellingPair{1, 2}));
}

TEST(Telling, TheLastOfNearlyEquallyInformativeRows) {
    Matrix scores = Matrix::Zero(4, 4);
    scores(0, 2) = 9;
    scores(2, 1) = 8.5f;
    EXPECT_EQ(pair_of_run(run_of(scores)), (TellingPair{2, 1}));
    scores(2, 1) = 3;  // far less
    EXPECT_EQ(pair_of_run(run_of(scores)), (TellingPair{0, 2}));
}

TEST(Telling, ARowThatAttendsToItselfOnlyIfAllDo) {
    Matrix scores = Matrix::Zero(3, 3);
    scores(2, 2) = 12;
    scores(1, 0) = 2;
    scores(0, 1) = 1;
    EXPECT_EQ(pair_of_run(run_of(scores)), (TellingPair{1, 0}));
    EXPECT_EQ(pair_of_run(run_of(12 * Matrix::Identity(3, 3))), (TellingPair{2, 2}));
}

/// With a causal mask the first row has one key: its weight of 1 is not informative.
TEST(Telling, ARowWithOneKeyIsNotInformative) {
    Matrix scores = Matrix::Zero(3, 3);
    scores(2, 1) = 3;
    EXPECT_EQ(pair_of_run(run_of(scores, "causal")), (TellingPair{2, 1}));
    EXPECT_EQ(pair_of_run(run_of(Matrix::Zero(3, 3))), std::nullopt) << "even weights";
    EXPECT_EQ(pair_of_run(run_of(Matrix::Zero(1, 1))), std::nullopt);
}

TEST(Telling, EachStepHasACellThatBelongsToThePair) {
    Matrix scores = Matrix::Zero(4, 4);
    scores(3, 1) = 9;
    const Trace trace = run_of(scores);
    const TellingPair pair = *pair_of_run(trace);
    const auto cell = [&](Role role) { return telling_cell(trace, find_id(trace, {role}), pair); };
    EXPECT_EQ(cell(Role::Scores).row, 3);
    EXPECT_EQ(cell(Role::Weights).col, 1);
    EXPECT_EQ(cell(Role::Queries).row, 3);
    EXPECT_EQ(cell(Role::Keys).row, 1);
    EXPECT_EQ(cell(Role::Values).row, 1);
    EXPECT_EQ(cell(Role::HeadOutput).row, 3);
    for (StepId id = 0; id < trace.size(); ++id) {
        const Cell at = telling_cell(trace, id, pair);
        if (trace[id].value.size() == 0) continue;
        EXPECT_LT(at.row, trace[id].value.rows());
        EXPECT_LT(at.col, trace[id].value.cols());
    }
    const Matrix output = find(trace, {Role::HeadOutput})->value.matrix();
    EXPECT_EQ(std::abs(output(3, cell(Role::HeadOutput).col)), output.row(3).cwiseAbs().maxCoeff());
}

/// A long text is sampled: the number of rows that are searched has a limit, whatever the length.
TEST(Telling, ALongTextIsSampled) {
    Matrix scores = Matrix::Zero(200, 200);
    scores(199, 7) = 20;
    EXPECT_EQ(pair_of_run(run_of(scores)), (TellingPair{199, 7}));
    scores(199, 7) = 0;
    scores(198, 7) = 20;  // between two sampled rows
    EXPECT_EQ(pair_of_run(run_of(scores)), std::nullopt);
}

/// A pinned cell selects its query and key on every step.
TEST(Telling, ACellSelectsItsPair) {
    Matrix scores = Matrix::Zero(4, 4);
    scores(3, 1) = 9;
    scores(2, 0) = 9;
    const Trace trace = run_of(scores);
    const auto pair = [&](Role role, int row, int col) { return pair_of(trace, {find_id(trace, {role}), row, col}); };
    EXPECT_EQ(pair(Role::Weights, 2, 3), (TellingPair{2, 3}));
    EXPECT_EQ(pair(Role::Queries, 2, 0), (TellingPair{2, 0}));
    EXPECT_EQ(pair(Role::HeadOutput, 3, 0), (TellingPair{3, 1}));
    EXPECT_EQ(pair(Role::Values, 1, 0), (TellingPair{3, 1}));
    EXPECT_EQ(pair(Role::KeysTransposed, 0, 0), (TellingPair{2, 0}));
    EXPECT_EQ(pair(Role::QueryWeight, 0, 0), std::nullopt);
}

}  // namespace
}  // namespace attn
