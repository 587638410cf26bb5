// The objective of hard attention's training: the lower bound, and REINFORCE's estimate of its gradient.
// [Xu et al. 2015, 4.1]
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/attention/parts/training.h"
#include "core/document/fields.h"
#include "core/ops/explain.h"
#include "tests/core/properties.h"
#include "tests/core/support.h"

namespace attn::test {
namespace {

using testing::HasSubstr;

Document training(std::string_view more = "") {
    return document_of(R"({"variant":"raw","text":"the tired cat sat","selection":"hard","draws":6,"temperature":2,
                           "target":["cat","sat","tired","the"])" + std::string(more) + "}");
}

const Matrix& step(const attn::Run& run, Role role, int time = kNoTime) {
    return find(run.trace, {role, kNoHead, kNoLayer, time})->value;
}

TEST(HardTraining, TheBoundIsTheMeanLogarithmAndNeverAboveTheLogarithmOfTheMean) {
    const attn::Run run = run_valid(training());
    const Matrix &weights = step(run, Role::Weights), &likely = step(run, Role::TargetShares);
    const Matrix &bound = step(run, Role::Bound), &log = step(run, Role::LogLikelihood);
    ASSERT_EQ(bound.rows(), 4);
    for (Eigen::Index i = 0; i < bound.rows(); ++i) {
        double mean_log = 0, mean = 0;
        for (Eigen::Index s = 0; s < weights.cols(); ++s) {
            mean_log += static_cast<double>(weights(i, s)) * std::log(static_cast<double>(likely(i, s)));
            mean += static_cast<double>(weights(i, s)) * static_cast<double>(likely(i, s));
        }
        EXPECT_NEAR(bound(i, 0), mean_log, 1e-5);
        EXPECT_NEAR(log(i, 0), std::log(mean), 1e-5);
        EXPECT_LT(bound(i, 0), log(i, 0)) << "several places, that say different things";
    }
}

TEST(HardTraining, WithOneVisiblePlaceTheBoundIsTheLikelihood) {
    Document doc = training();
    doc.config.mask = "causal";
    const attn::Run run = run_valid(doc);
    EXPECT_NEAR(step(run, Role::Bound)(0, 0), step(run, Role::LogLikelihood)(0, 0), 1e-6) << "the first token sees itself";
    EXPECT_NEAR(step(run, Role::ScoreGradient).row(0).norm(), 0, 1e-6) << "nothing to learn there";
}

/// A location predicts softmax(v E^T): what the document can predict are words, by their vectors.
TEST(HardTraining, APlacePredictsAWordByItsVector) {
    const attn::Run run = run_valid(training());
    const Matrix &e = step(run, Role::Vocabulary), &said = step(run, Role::PlaceShares);
    ASSERT_EQ(run.trace.words, (std::vector<std::string>{"the", "tired", "cat", "sat"}));
    for (Eigen::Index s = 0; s < said.rows(); ++s) {
        Eigen::RowVectorXd logits = (e.row(s) * e.transpose()).cast<double>();  // V is X here, and so is E
        logits = (logits.array() - logits.maxCoeff()).exp();
        logits /= logits.sum();
        EXPECT_LT((said.row(s).cast<double>() - logits).norm(), 1e-5);
    }
    const Matrix& likely = step(run, Role::TargetShares);
    for (Eigen::Index s = 0; s < said.rows(); ++s) {
        EXPECT_EQ(likely(0, s), said(s, 2)) << "the first token is to say “cat”";
        EXPECT_EQ(likely(3, s), said(s, 0));
    }
}

TEST(HardTraining, TheDrawsAreThoseOfTheContext) {
    const attn::Run run = run_valid(training());
    Matrix sum = Matrix::Zero(4, 4);
    for (int k = 0; k < 6; ++k) {
        const Matrix& one = step(run, Role::OneDraw, k);
        EXPECT_EQ(one.rowwise().maxCoeff(), Matrix::Ones(4, 1)) << "one place";
        EXPECT_EQ(one.rowwise().sum(), Matrix::Ones(4, 1)) << "and no other";
        sum += one;
    }
    EXPECT_LT((sum / 6 - step(run, Role::Drawn)).norm(), 1e-6);
    EXPECT_EQ(find(run.trace, {Role::OneDraw, kNoHead, kNoLayer, 6}), nullptr);
}

/// b_0 = 0, b_{k+1} = 0.9 b_k + 0.1 log p(y|s_k): a draw does not enter its own baseline.
TEST(HardTraining, TheBaselineIsAMovingAverageOfTheDrawsBefore) {
    const attn::Run run = run_valid(training());
    for (Eigen::Index i = 0; i < 4; ++i) {
        double baseline = 0;
        for (int k = 0; k < 6; ++k) {
            const double said = step(run, Role::DrawnLog, k)(i, 0);
            EXPECT_NEAR(step(run, Role::Baseline, k)(i, 0), baseline, 1e-5) << k;
            EXPECT_NEAR(step(run, Role::Reward, k)(i, 0), said - baseline, 1e-5) << k;
            baseline = 0.9 * baseline + 0.1 * said;
        }
        EXPECT_NEAR(step(run, Role::Baseline, 6)(i, 0), baseline, 1e-5);
    }
}

/// ∂L_s/∂e_j = α_j (log p_j − L_s) / τ: the mean of REINFORCE's estimates over many seeds approaches it.
TEST(HardTraining, TheMeanOfTheEstimatesIsTheGradientOfTheBound) {
    Document doc = training();
    doc.config.draws = kMostDrawsOfTraining;
    Eigen::MatrixXd mean = Eigen::MatrixXd::Zero(4, 4);
    constexpr int kSeeds = 600;
    attn::Run run;
    for (int seed = 0; seed < kSeeds; ++seed) {
        doc.config.draw_seed = static_cast<std::uint64_t>(seed);
        run = run_valid(doc);
        mean += step(run, Role::ScoreGradient).cast<double>() / kSeeds;
    }
    const Eigen::MatrixXd weights = step(run, Role::Weights).cast<double>(), logs = step(run, Role::TargetLogs).cast<double>();
    const Eigen::MatrixXd bound = step(run, Role::Bound).cast<double>();
    Eigen::MatrixXd exact(4, 4);
    for (Eigen::Index i = 0; i < 4; ++i) exact.row(i) = weights.row(i).array() * (logs.row(i).array() - bound(i, 0)) / 2;
    EXPECT_GT(exact.norm(), 0.1) << "there is something to find";
    EXPECT_LT((mean - exact).cwiseAbs().maxCoeff(), 0.02) << mean << "\n\n" << exact;
    EXPECT_LT(step(run, Role::ScoreGradient).rowwise().sum().norm(), 1e-5) << "a softmax cannot raise all scores";
}

TEST(HardTraining, EveryNumberIsExplainedAndCounted) {
    int checked = 0;
    for (const std::string_view form : {"raw", "multi_head", "cross"})
        for (const std::string_view more : {"", R"(,"mask":"causal")", R"(,"weights":"random")", R"(,"source_kind":"scene")"}) {
            std::string json = R"({"text":"the tired cat sat","selection":"hard","draws":6,"target":["cat","sat","tired","the"],"variant":")" +
                               std::string(form) + "\"" + std::string(more) + "}";
            const auto doc = document_from_json(json, "test");
            if (!doc) continue;  // a mask, a scene or weights that this form has no use for
            ++checked;
            EXPECT_EQ(anything_wrong(*doc, run_valid(*doc)), "") << json;
        }
    EXPECT_GE(checked, 7);
    Document one = training();
    one.config.target = {"cat"};
    one.config.draws = 1;
    EXPECT_EQ(anything_wrong(one, run_valid(one)), "");
    EXPECT_EQ(step(run_valid(one), Role::TargetWords).col(2), Matrix::Ones(4, 1)) << "one word for all";
}

/// log 0 where a row attends to nothing: marked as masked, not as an overflow.
TEST(HardTraining, AWhollyMaskedRowIsNoted) {
    const Document doc = document_of(R"({"variant":"raw","text":"a b","selection":"hard","target":["a"],"mask":"drawn",
                                         "mask_pattern":[[0,0],[1,1]]})");
    const attn::Run run = run_valid(doc);
    const StepId log = find_id(run.trace, {Role::LogLikelihood});
    EXPECT_EQ(row_state(run.trace, log, 0), RowState::AllMasked);
    EXPECT_EQ(row_state(run.trace, log, 1), std::nullopt);
    const StepId bound = find_id(run.trace, {Role::Bound});
    EXPECT_EQ(row_state(run.trace, bound, 0), RowState::AllMasked) << "0 would be above the log-likelihood, which no bound is";
    EXPECT_EQ(row_state(run.trace, bound, 1), std::nullopt);
    EXPECT_EQ(step(run, Role::ScoreGradient).row(0).norm(), 0);
}

TEST(HardTraining, WithoutTargetWordsNothingIsAdded) {
    Document doc = training();
    doc.config.target.clear();
    const attn::Run run = run_valid(doc);
    EXPECT_EQ(find(run.trace, {Role::Bound}), nullptr);
    EXPECT_TRUE(run.trace.words.empty());
}

TEST(HardTraining, IncompatibleSettingsAreRefused) {
    const auto why = [](std::string_view json) {
        const Error refusal = refusal_of(json);
        EXPECT_EQ(refusal.key, "target") << json;
        return refusal.message;
    };
    const std::string begin = R"({"text":"a b","selection":"hard","target":["a"],)";
    EXPECT_THAT(why(R"({"text":"a b","target":["a"]})"), HasSubstr("read only by the selection hard of the forms raw, multi_head and cross"));
    EXPECT_THAT(why(begin + R"("variant":"encoder"})"), HasSubstr("read only by"));
    EXPECT_THAT(why(begin + R"("heads":2})"), HasSubstr("with 2 heads no head's context is as wide as a word"));
    EXPECT_THAT(why(begin + R"("gate":"sigmoid"})"), HasSubstr("the gate \"sigmoid\" changes what a place says"));
    EXPECT_THAT(why(begin + R"("position":"relative"})"), HasSubstr("says something else to each query"));
    EXPECT_THAT(why(begin + R"("temperature":0})"), HasSubstr("at temperature 0 one place always wins"));
    EXPECT_THAT(why(begin + R"("draws":25})"), HasSubstr("25 are more than 24"));
    EXPECT_THAT(why(begin + R"("head_width":3})"), HasSubstr("the values have 3 columns and the words 8"));
    EXPECT_THAT(why(R"({"text":"a b","selection":"hard","target":["c"]})"), HasSubstr("\"c\" is no word of the text;"));
    EXPECT_THAT(why(R"({"text":"a b c","selection":"hard","target":["a","b"]})"), HasSubstr("it has 2 words, but the text has 3 tokens"));
    EXPECT_THAT(refusal_of(R"({"text":"a b","selection":"hard","target":[]})").message, HasSubstr("leave the key out to train nothing"));
    EXPECT_EQ(refusal_of(R"({"text":"a b","selection":"hard","target":["a",""]})").key, "target[1]");
}

}  // namespace
}  // namespace attn::test
