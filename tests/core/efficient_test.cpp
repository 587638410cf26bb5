// The same attention with less memory: tiles with an online softmax, and linear attention by running sums.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "core/attention/forms/attention.h"
#include "tests/core/support.h"

namespace attn::test {
namespace {

constexpr double kEfficientAgreement = 1e-5;

const Matrix& efficient_output(const attn::Run& run) { return find(run.trace, {Role::Output})->value; }

TEST(Online, EqualsMultiHeadWhateverTheTile) {
    EXPECT_TRUE(rc::check("any document", [] {
        Document doc = *any_document();
        doc.config.form = "online";
        doc.config.score = *rc::gen::element<std::string>("", "dot", "scaled_dot");
        drop_unread(doc);
        doc.config.tile = *rc::gen::inRange(1, 8);
        if (doc.config.position == "relative") doc.config.position = "none";
        RC_PRE(problems(doc).empty());
        Document whole = doc;
        whole.config.form = "multi_head";
        drop_unread(whole);
        RC_PRE(problems(whole).empty());
        const attn::Run tiles = run_valid(doc), squares = run_valid(whole);
        RC_ASSERT(close(efficient_output(tiles), efficient_output(squares), kEfficientAgreement));
    }));
}

/// Documents with projections that any_document() seldom draws: every mask, heads that share keys, a head switched off.
TEST(Online, EqualsMultiHeadUnderEveryMask) {
    for (const std::string_view mask : {"none", "causal", "padding", "sliding_window", "global_window", "drawn"})
        for (const std::string_view position : {"none", "learned", "rope", "rope_half", "alibi"})
            for (const int tile : {1, 2, 3, 5, 64}) {
                Document doc;
                doc.text = "the tired cat sat down";
                doc.config.form = "online";
                doc.config.mask = mask;
                doc.config.position = position;
                doc.config.tile = tile;
                doc.config.heads = 4;
                doc.config.kv_heads = 2;
                doc.config.heads_off = {1};
                doc.weights = "random";
                if (mask == "padding") doc.padding = 3;
                if (mask == "drawn") doc.mask_pattern = (seeded_matrix(5, 5, 5).array() > 0).cast<float>();
                SCOPED_TRACE(name_of(doc) + " tile " + std::to_string(tile));
                Document whole = doc;
                whole.config.form = "multi_head";
                whole.config.tile = AttentionConfig{}.tile;
                EXPECT_TRUE(close(efficient_output(run_valid(doc)), efficient_output(run_valid(whole)), kEfficientAgreement));
            }
}

/// Rows that see nothing, and rows whose first tiles are wholly masked: no ∞ − ∞.
TEST(Online, RowsThatSeeNothingAreZero) {
    Document doc = numbers_document(seeded_matrix(41, 4, 4), "online");
    doc.config.mask = "drawn";
    doc.config.tile = 1;
    doc.mask_pattern = Matrix::Zero(4, 4);
    doc.mask_pattern(1, 3) = doc.mask_pattern(2, 0) = 1;
    const attn::Run run = run_valid(doc);
    const Matrix& output = efficient_output(run);
    EXPECT_TRUE(output.allFinite());
    EXPECT_EQ(output.row(0), Matrix::Zero(1, 4));
    EXPECT_EQ(output.row(3), Matrix::Zero(1, 4));
    EXPECT_TRUE(close(output.row(1), run.inputs.x.row(3), kEfficientAgreement));
    EXPECT_TRUE(close(output.row(2), run.inputs.x.row(0), kEfficientAgreement));
    for (const Note& note : run.trace.notes) EXPECT_NE(note.state, RowState::Overflow);
}

/// Scores that differ widely between tiles, in both orders: the running maximum keeps every exponential in range.
TEST(Online, LargeScoresStayFinite) {
    for (const bool rising : {false, true}) {
        Matrix x(4, 1);
        x << 1, 10, 100, 1000;
        if (!rising) x = x.colwise().reverse().eval();
        Document doc = numbers_document(x, "online");
        doc.config.tile = 1;
        Document whole = doc;
        whole.config.form = "multi_head";
        whole.config.tile = AttentionConfig{}.tile;
        EXPECT_TRUE(efficient_output(run_valid(doc)).allFinite());
        EXPECT_TRUE(close(efficient_output(run_valid(doc)), efficient_output(run_valid(whole)), kEfficientAgreement));
    }
}

double feature(double x) { return x > 0 ? x + 1 : std::exp(x); }

/// Σ_j φ(q)·φ(k_j) v_j over Σ_j φ(q)·φ(k_j), pair by pair, as with n×n weights.
Matrix linear_by_pairs(const Matrix& x, bool causal) {
    Matrix out(x.rows(), x.cols());
    for (Eigen::Index i = 0; i < x.rows(); ++i) {
        Eigen::RowVectorXd top = Eigen::RowVectorXd::Zero(x.cols());
        double bottom = 0;
        for (Eigen::Index j = 0; j < (causal ? i + 1 : x.rows()); ++j) {
            double weight = 0;
            for (Eigen::Index f = 0; f < x.cols(); ++f)
                weight += feature(static_cast<double>(x(i, f))) * feature(static_cast<double>(x(j, f)));
            top += weight * x.row(j).cast<double>();
            bottom += weight;
        }
        out.row(i) = (top / bottom).cast<float>();
    }
    return out;
}

TEST(Linear, EqualsTheSumOverPairs) {
    for (const bool causal : {false, true}) {
        Document doc = numbers_document(seeded_matrix(42, 7, 5), "linear");
        doc.config.mask = causal ? "causal" : "none";
        EXPECT_TRUE(close(efficient_output(run_valid(doc)), linear_by_pairs(*doc.matrix(Given::X), causal), kEfficientAgreement));
    }
}

/// The last row of the causal sums covers all tokens: it equals the row without a mask, in every head.
TEST(Linear, TheLastCausalRowCoversAllTokens) {
    Document doc;
    doc.text = "the tired cat sat down";
    doc.config.form = "linear";
    doc.config.heads = 4;
    doc.config.kv_heads = 2;
    doc.weights = "random";
    const Matrix all = efficient_output(run_valid(doc));
    doc.config.mask = "causal";
    const Matrix causal = efficient_output(run_valid(doc));
    EXPECT_TRUE(close(causal.row(4), all.row(4), kEfficientAgreement));
    EXPECT_FALSE(close(causal.row(1), all.row(1), kEfficientAgreement));
}

TEST(Linear, RefusesWhatNeedsScores) {
    for (const std::string_view choice :
         {R"("mask": "padding", "padding": 1)", R"("mask": "drawn")", R"("position": "rope")", R"("position": "alibi")",
          R"("score": "dot")", R"("temperature": 2)"})
        EXPECT_NE(refusal_of(R"({"text": "a b", "variant": "linear", )" + std::string(choice) + "}").message, "");
    EXPECT_EQ(refusal_of(R"({"text": "a b", "variant": "online", "score": "cosine"})").key, "score");
    EXPECT_EQ(refusal_of(R"({"text": "a b", "variant": "online", "position": "relative"})").key, "position");
    EXPECT_EQ(refusal_of(R"({"text": "a b", "variant": "bahdanau", "score": "dot"})").key, "score");
}

}  // namespace
}  // namespace attn::test
