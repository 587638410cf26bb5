// Which word a model expects, one word after the other, and the logit lens: on a checkpoint of every family.
#include "core/analysis/next_word.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "core/explain.h"
#include "core/model/model.h"
#include "core/ops.h"
#include "places.h"
#include "tests/core/support.h"

namespace attn::test {
namespace {

const std::filesystem::path kCheckpoints = ATTN_SOURCE_DIR "/tests/data/checkpoints";

Document of_checkpoint(const std::string& name) {
    const auto model = find_model((kCheckpoints / name).string(), {.folders = true});
    EXPECT_TRUE(model) << (model ? "" : model.error().text());
    Document doc;
    if (model) take_model(doc, *model);
    doc.tokens = {"the", "cat", "sat", "on"};
    return doc;
}

double softmax_of(const Matrix& logits, int row, int word) {
    double sum = 0;
    for (Eigen::Index c = 0; c < logits.cols(); ++c) sum += std::exp(static_cast<double>(logits(row, c)));
    return std::exp(static_cast<double>(logits(row, word))) / sum;
}

/// After its last layer the lens reads what the model says, to the bit; every cell on the way is explained.
TEST(NextWord, TheLensEndsOnTheModelsAnswer) {
    int read = 0;
    for (const auto& entry : std::filesystem::directory_iterator(kCheckpoints)) {
        const std::string name = entry.path().filename().string();
        SCOPED_TRACE(name);
        attn::Run run = run_valid(of_checkpoint(name));
        const StepId said = logits_step(run.trace);
        if (said == kNoStep) continue;
        ++read;
        const StepId before = run.trace.size();
        const auto lens = read_lens(run, 2);
        ASSERT_EQ(lens.size(), static_cast<std::size_t>(run.config.layers) + 1);
        EXPECT_EQ(Matrix(run.trace[lens.back().logits].value.row(0)), Matrix(run.trace[said].value.row(2)));
        EXPECT_NE(Matrix(run.trace[lens.front().logits].value.row(0)), Matrix(run.trace[said].value.row(2)));
        for (StepId id = before; id < run.trace.size(); ++id) {
            const Explanation e = explain(run.trace, {id, 0, 1});
            EXPECT_NEAR(recompute(e), static_cast<double>(e.computed),
                        1e-4 * std::max(1.0, std::abs(static_cast<double>(e.computed))))
                << step_name(run.trace[id].tag);
        }
    }
    EXPECT_GE(read, 10);
}

/// The form that generates reads the words off its last row alone.
TEST(NextWord, TheLensOfAFormThatGeneratesIsOfItsLastToken) {
    Document doc;
    take_model(doc, shipped_model("induction"));
    doc.text = "k q b z k q b";
    attn::Run run = run_valid(asked_once(doc));
    const auto lens = read_lens(run, 0);
    ASSERT_EQ(lens.size(), 3U);
    EXPECT_EQ(Matrix(run.trace[lens.back().logits].value), Matrix(run.trace[logits_step(run.trace)].value));
    EXPECT_EQ(likeliest(run.trace, lens.back().shares, 0, 1).front().text, "z");
}

/// γ (x − mean) / √(var + ε) + β, times Eᵀ, in float64.
TEST(NextWord, TheLensIsTheFinalNormAndTheUnembedding) {
    attn::Run run = run_valid(of_checkpoint("gpt2"));
    const Matrix& left = find(run.trace, {Role::Residual, kNoHead, 0, kNoTime, Part::FeedForward})->value;
    const Eigen::VectorXd x = left.row(3).cast<double>();
    const auto of_norm = [&](Role role) {
        return Eigen::VectorXd(
            find(run.trace, {role, kNoHead, kNoLayer, kNoTime, Part::Final})->value.row(0).cast<double>());
    };
    const Eigen::VectorXd centred = x.array() - x.mean();
    const double spread =
        std::sqrt(centred.squaredNorm() / static_cast<double>(x.size()) + static_cast<double>(run.config.epsilon));
    const Eigen::VectorXd normed =
        (centred.array() / spread * of_norm(Role::NormGain).array() + of_norm(Role::NormBias).array()).matrix();
    const Eigen::MatrixXd words = Matrix(run.inputs.word_vectors).cast<double>();
    const Eigen::VectorXd expected = words * normed;
    const StepId logits = read_lens(run, 3)[1].logits;
    const Matrix& read = run.trace[logits].value;
    ASSERT_EQ(read.cols(), expected.size());
    for (Eigen::Index w = 0; w < read.cols(); ++w) EXPECT_NEAR(static_cast<double>(read(0, w)), expected(w), 1e-5) << w;
}

TEST(NextWord, IsExpectedWhereTheModelSaysOne) {
    const Document back = of_checkpoint("gpt2");
    const attn::Run run = run_valid(back);
    ASSERT_EQ(expected_places(back, run).size(), 1U);
    EXPECT_EQ(expected_places(back, run)[0].row, 3);
    EXPECT_FALSE(expected_places(back, run)[0].masked);
    EXPECT_TRUE(looks_back_only(run_valid(of_checkpoint("mistral")).config)) << "a window that looks back";
    Document both = of_checkpoint("bert");
    const attn::Run none = run_valid(both);
    EXPECT_TRUE(expected_places(both, none).empty());
    both.tokens = {"the", "[MASK]", "sat", "[MASK]"};
    const attn::Run masked = run_valid(both);
    const auto places = expected_places(both, masked);
    ASSERT_EQ(places.size(), 2U);
    EXPECT_EQ(places[1].row, 3);
    EXPECT_TRUE(places[1].masked);
}

TEST(NextWord, TheLikeliestComeFirstAndEqualOnesInOrder) {
    Trace trace;
    trace.words = {"a", "b", "c", "d"};
    Matrix shares(1, 4);
    shares << 0.2f, 0.3f, 0.2f, 0.3f;
    const StepId id =
        input(trace, shares, {Role::Probabilities}, {Axis::Kind::Tokens}, {Axis::Kind::Words}, {Source::Given});
    std::string order;
    for (const LikelyWord& word : likeliest(trace, id, 0, 9)) order += word.text;
    EXPECT_EQ(order, "bdac");
    EXPECT_EQ(likeliest(trace, id, 0, 1).size(), 1U);
}

/// Greedy: each word is the likeliest of a run over the text so far, with that probability.
TEST(NextWord, OneAfterTheOtherAsARunOverTheWholeTextSays) {
    for (const char* name : {"gpt2", "llama", "gemma2"}) {
        SCOPED_TRACE(name);
        Document doc = of_checkpoint(name);
        const auto longer = going_on(doc, {.words = 3});
        ASSERT_TRUE(longer) << longer.error().text();
        attn::Run run = run_valid(*longer);
        for (const SampledWord& one : sampled_words(run.trace, 3)) {
            const attn::Run whole = run_valid(doc);
            const Matrix& logits = whole.trace[logits_step(whole.trace)].value;
            Eigen::Index best = 0;
            logits.row(logits.rows() - 1).maxCoeff(&best);
            EXPECT_EQ(one.word.id, static_cast<int>(best));
            EXPECT_NEAR(static_cast<double>(one.word.probability),
                        softmax_of(logits, static_cast<int>(logits.rows()) - 1, one.word.id), 1e-5);
            EXPECT_EQ(one.drawn_by, 1.0f);
            doc.tokens.push_back(one.word.text);
        }
    }
}

TEST(NextWord, IsDrawnAlikeWithOneSeed) {
    const Document doc = of_checkpoint("gpt2");
    const auto drawn = [&](std::uint64_t seed, int top_k = 0) {
        attn::Run run =
            run_valid(*going_on(doc, {.words = 4, .draw = true, .temperature = 2, .top_k = top_k, .seed = seed}));
        std::vector<int> ids;
        for (const SampledWord& one : sampled_words(run.trace, 4)) ids.push_back(one.word.id);
        return ids;
    };
    EXPECT_EQ(drawn(7), drawn(7));
    EXPECT_NE(drawn(7), drawn(8));
    EXPECT_EQ(drawn(7, 1), drawn(8, 1)) << "of one there is no choice";
}

TEST(NextWord, IsRefusedWhereNoneCanBeAdded) {
    const auto both = going_on(of_checkpoint("bert"), {});
    ASSERT_FALSE(both);
    EXPECT_THAT(both.error().text(), testing::AnyOf(testing::HasSubstr("[MASK]"), testing::HasSubstr("no matrix")));
    const auto raw = going_on(Document{}, {});
    ASSERT_FALSE(raw);
    EXPECT_THAT(raw.error().text(), testing::HasSubstr("no matrix from its outputs to words"));
}

}  // namespace
}  // namespace attn::test
