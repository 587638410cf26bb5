// Identities: scores, selections, scopes and masks that are special cases of one another.
#include <gtest/gtest.h>

#include <cmath>

#include "core/attention/forms/attention.h"
#include "tests/core/support.h"

namespace attn::test {
namespace {

constexpr int kTokens = 6;
constexpr int kWidth = 8;
constexpr double kAgreement = 2e-6;

Document numbers(std::string_view form = "multi_head") {
    Document doc = numbers_document(seeded_matrix(11, kTokens, kWidth), form);
    if (has(find_form(form)->reads, Reads::Weights)) doc.weights = "random";
    return doc;
}

Matrix value(const attn::Run& run, Tag tag) {
    const Step* step = find(run.trace, tag);
    EXPECT_NE(step, nullptr) << step_name(tag);
    return step ? step->value.matrix() : Matrix{};
}

Matrix value(const Document& doc, Tag tag) { return value(run_valid(doc), tag); }

/// Everything from the weights on is the same to the last bit.
void expect_same_weights_and_output(const Document& a, const Document& b) {
    const attn::Run left = run_valid(a), right = run_valid(b);
    for (const Step& step : left.trace.steps)
        if (step.tag.role == Role::Weights || step.tag.role == Role::Output) {
            EXPECT_TRUE(same_bits(step.value, value(right, step.tag))) << step_name(step.tag);
        }
}

// ---- scores ---------------------------------------------------------------------------------------------------------

/// W_a of concat is the additive score's W_a stacked on its U_a.
TEST(Equality, AdditiveIsConcatWithItsWeightsStacked) {
    for (const int heads : {1, 2}) {
        const int f = kWidth / heads;
        Document additive = numbers(), concat = numbers();
        additive.config.heads = concat.config.heads = heads;
        additive.config.score = "additive";
        concat.config.score = "concat";
        for (int h = 0; h < heads; ++h) {
            const Tag tag{Role::ScoreWeight, heads == 1 ? kNoHead : h};
            const auto seed = static_cast<std::uint64_t>(20 + 3 * h);
            const Matrix w = seeded_matrix(seed, f, f), u = seeded_matrix(seed + 1, f, f),
                         v = seeded_matrix(seed + 2, f, 1);
            Matrix stacked(2 * f, f);
            stacked << w, u;
            additive.parameters.insert(additive.parameters.end(),
                                       {{tag, w}, {tag.as(Role::ScoreKeyWeight), u}, {tag.as(Role::ScoreVector), v}});
            concat.parameters.insert(concat.parameters.end(), {{tag, stacked}, {tag.as(Role::ScoreVector), v}});
        }
        const attn::Run a = run_valid(additive), b = run_valid(concat);
        for (int h = 0; h < heads; ++h) {
            const int head = heads == 1 ? kNoHead : h;
            EXPECT_TRUE(close(value(a, {Role::PairSums, head}), value(b, {Role::PairSums, head}), kAgreement));
            EXPECT_TRUE(close(value(a, {Role::Scores, head}), value(b, {Role::Scores, head}), kAgreement));
        }
        EXPECT_TRUE(close(value(a, {Role::Output}), value(b, {Role::Output}), kAgreement));
    }
}

TEST(Equality, CosineIsAnAngleAndOneWithItself) {
    Document doc = numbers();
    doc.weights = "identity";
    doc.config.score = "cosine";
    Matrix x(*doc.matrix(Given::X));
    x.row(2).setZero();
    doc.given[static_cast<std::size_t>(Given::X)] = x;
    const Matrix scores = value(doc, {Role::Scores});
    EXPECT_LE(scores.cwiseAbs().maxCoeff(), 1 + 1e-6f);
    for (int i = 0; i < kTokens; ++i) EXPECT_NEAR(scores(i, i), i == 2 ? 0 : 1, 1e-6f) << i;
    EXPECT_EQ(scores.row(2).norm() + scores.col(2).norm(), 0) << "no length, no angle";
    EXPECT_NEAR(scores(0, 1), x.row(0).dot(x.row(1)) / x.row(0).norm() / x.row(1).norm(), 1e-6f);
}

TEST(Equality, GeneralWithTheIdentityIsDot) {
    Document dot = numbers(), general = numbers();
    dot.config.score = "dot";
    general.config.score = "general";
    general.parameters = {{{Role::ScoreWeight}, Matrix::Identity(kWidth, kWidth)}};
    EXPECT_TRUE(close(value(general, {Role::Scores}), value(dot, {Role::Scores}), kAgreement));
}

/// The location score depends on the key's position, not on its content.
TEST(Equality, LocationIgnoresTheKeys) {
    Document doc = numbers("cross");
    doc.config.score = "location";
    doc.source.clear();
    doc.given[static_cast<std::size_t>(Given::X_source)] = seeded_matrix(12, 5, kWidth);
    Document other = doc;
    other.given[static_cast<std::size_t>(Given::X_source)] = seeded_matrix(13, 5, kWidth);
    EXPECT_TRUE(same_bits(value(doc, {Role::Weights}), value(other, {Role::Weights})));
    EXPECT_FALSE(same_bits(value(doc, {Role::Output}), value(other, {Role::Output})));
}

/// LeakyReLU(a_1·W q + a_2·W k): one part depends on the query alone, the other on the key alone.
TEST(Equality, GatScoresAreASumOfTwoSides) {
    Document doc = numbers();
    doc.config.score = "gat";
    const attn::Run run = run_valid(doc);
    const Matrix q = value(run, {Role::ScoreQueries}), k = value(run, {Role::ScoreKeys}),
                 a = value(run, {Role::ScoreVector});
    const Matrix scores = value(run, {Role::Scores});
    for (int i = 0; i < kTokens; ++i)
        for (int j = 0; j < kTokens; ++j) {
            const float sum = q.row(i).dot(a.col(0).head(kWidth)) + k.row(j).dot(a.col(0).tail(kWidth));
            EXPECT_NEAR(scores(i, j), sum > 0 ? sum : 0.2f * sum, 1e-5f);
        }
}

// ---- selections -----------------------------------------------------------------------------------------------------

/// Scores with two maxima in the first row, one in the second, and three that a causal mask leaves.
Document ties(std::string_view selection, float temperature) {
    Matrix x(4, 3);
    x << 2, 0, 0, 2, 0, 0, 0, 1, 0.5f, 1, 1, 1;
    Document doc = numbers_document(x, "raw");
    doc.config.selection = selection;
    doc.config.temperature = temperature;
    return doc;
}

TEST(Equality, TemperatureZeroIsTheLargestWithTiesShared) {
    for (const std::string_view selection : {"soft", "sparsemax", "top_k"}) {
        SCOPED_TRACE(selection);
        Matrix expected(4, 4);
        expected << 0.5f, 0.5f, 0, 0, 0.5f, 0.5f, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1;
        Document doc = ties(selection, 0);
        EXPECT_EQ(value(doc, {Role::Scores}).row(2), (RowVector(4) << 0, 0, 1.25f, 1.5f).finished());
        EXPECT_EQ(value(doc, {Role::Scores}).row(3), (RowVector(4) << 2, 2, 1.5f, 3).finished());
        EXPECT_EQ(value(doc, {Role::Weights}), expected);
        doc.config.temperature = 1e-30f;
        EXPECT_EQ(value(doc, {Role::Weights}), expected) << "0 is the limit";
    }
}

TEST(Equality, AHugeTemperatureIsUniformOverVisibleKeys) {
    for (const std::string_view selection : {"soft", "sparsemax"})
        for (const std::string_view mask : {"none", "causal"}) {
            Document doc = ties(selection, 1e30f);
            doc.config.mask = mask;
            const Matrix weights = value(doc, {Role::Weights});
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j) {
                    const bool seen = mask == "none" || j <= i;
                    EXPECT_NEAR(weights(i, j), seen ? 1.0f / static_cast<float>(mask == "none" ? 4 : i + 1) : 0, 1e-7f);
                }
        }
}

TEST(Equality, TopKOfAllKeysIsTheSoftmax) {
    Document soft = numbers(), top = numbers();
    top.config.selection = "top_k";
    top.config.top_k = kTokens + 3;
    expect_same_weights_and_output(soft, top);
    top.config.top_k = 1;
    const Matrix weights = value(top, {Role::Weights});
    EXPECT_EQ(weights.rowwise().maxCoeff(), Matrix::Ones(kTokens, 1)) << "the largest alone";
}

/// Sparsemax is the nearest point of the simplex: no other is nearer to the scores [Martins, Astudillo 2016, eq. 2].
TEST(Equality, SparsemaxIsTheNearestPointOfTheSimplex) {
    Document doc = numbers("raw");
    doc.config.selection = "sparsemax";
    const attn::Run run = run_valid(doc);
    const Matrix scores = value(run, {Role::Scores}), weights = value(run, {Role::Weights});
    EXPECT_GT((weights.array() == 0.0f).count(), 0);
    for (int i = 0; i < kTokens; ++i) {
        const float own = (weights.row(i) - scores.row(i)).squaredNorm();
        for (std::uint64_t seed = 0; seed < 200; ++seed) {
            RowVector other = seeded_matrix(seed, 1, kTokens).cwiseAbs().row(0);
            other = 0.9f * weights.row(i) + 0.1f * other / other.sum();
            EXPECT_GE((other - scores.row(i)).squaredNorm(), own - 1e-4f);
        }
    }
}

Document drawing(int draws, std::uint64_t seed) {
    Document doc = numbers();
    doc.config.selection = "hard";
    doc.config.draws = draws;
    doc.config.draw_seed = seed;
    return doc;
}

TEST(Equality, TheMeanOfManyDrawsIsTheWeightsWithinFourErrors) {
    constexpr int kDraws = 20000;
    for (const std::uint64_t seed : {1u, 2u, 77u}) {
        const attn::Run run = run_valid(drawing(kDraws, seed));
        const Matrix weights = value(run, {Role::Weights}), shares = value(run, {Role::Drawn}),
                     values = value(run, {Role::Values});
        for (Eigen::Index i = 0; i < weights.size(); ++i) {
            const float p = weights.data()[i];
            EXPECT_NEAR(shares.data()[i], p, 4 * std::sqrt(p * (1 - p) / kDraws) + 1e-6f) << "cell " << i;
        }
        const Matrix off = value(run, {Role::SoftContext}) - value(run, {Role::HeadOutput});
        EXPECT_LE(off.cwiseAbs().maxCoeff(), 4 * values.cwiseAbs().maxCoeff() / std::sqrt(static_cast<float>(kDraws)));
        EXPECT_FALSE(off.isZero(0)) << "many draws are not all";
    }
}

TEST(Equality, TheSameSeedDrawsTheSame) {
    const Matrix first = value(drawing(10, 5), {Role::Drawn});
    EXPECT_TRUE(same_bits(first, value(drawing(10, 5), {Role::Drawn})));
    EXPECT_FALSE(same_bits(first, value(drawing(10, 6), {Role::Drawn})));
    const Matrix one = value(drawing(1, 5), {Role::Drawn});
    EXPECT_EQ(one.rowwise().sum(), Matrix::Ones(kTokens, 1));
    EXPECT_EQ(one.rowwise().maxCoeff(), Matrix::Ones(kTokens, 1)) << "one draw is one row of the values";
}

TEST(Equality, EveryHeadDrawsIndependently) {
    Document doc = drawing(10, 5);
    doc.config.heads = 2;
    doc.weights = "identity";
    doc.given[static_cast<std::size_t>(Given::X)] = Matrix::Zero(kTokens, kWidth);
    const attn::Run run = run_valid(doc);
    EXPECT_TRUE(same_bits(value(run, {Role::Weights, 0}), value(run, {Role::Weights, 1})));
    EXPECT_FALSE(same_bits(value(run, {Role::Drawn, 0}), value(run, {Role::Drawn, 1})));
}

TEST(Equality, AGateOfZerosIsHalfOpen) {
    Document open = numbers(), half = numbers();
    half.config.gate = "sigmoid";
    half.parameters = {{{Role::GateWeight}, Matrix::Zero(kWidth, 1)}};
    EXPECT_TRUE(close(value(half, {Role::HeadOutput}), 0.5f * value(open, {Role::HeadOutput}), kAgreement));
}

// ---- scopes and masks -----------------------------------------------------------------------------------------------

TEST(Equality, AWindowAsWideAsTheTextHasNoEffect) {
    for (const int heads : {1, 4}) {
        Document plain = numbers();
        plain.config.heads = heads;
        Document window = plain;
        window.config.scope = "local_m";
        window.config.window = kTokens;
        expect_same_weights_and_output(plain, window);
        window.config.window = 1;
        EXPECT_FALSE(same_bits(value(window, {Role::Output}), value(plain, {Role::Output})));
    }
}

/// With a window that covers the text local-p is the softmax of all keys times the Gaussian, not normalised again.
TEST(Equality, ThePredictedWindowIsNotNormalisedAgain) {
    Document doc = numbers();
    doc.config.scope = "local_p";
    doc.config.window = kTokens;
    const attn::Run run = run_valid(doc);
    const Matrix weights = value(run, {Role::Weights}), local = value(run, {Role::LocalWeights}),
                 centers = value(run, {Role::Centers});
    EXPECT_TRUE(same_bits(weights, value(numbers(), {Role::Weights})));
    const float sigma = kTokens / 2.0f;
    for (int i = 0; i < kTokens; ++i)
        for (int j = 0; j < kTokens; ++j) {
            const float off = static_cast<float>(j) - centers(i, 0);
            EXPECT_NEAR(local(i, j), weights(i, j) * std::exp(-off * off / (2 * sigma * sigma)), 1e-6f);
        }
    EXPECT_LT(local.rowwise().sum().maxCoeff(), 1);
}

TEST(Equality, MasksThatAreTheSameMask) {
    const auto masked = [](std::string_view mask, int window = 2, int global_tokens = 1) {
        Document doc = numbers();
        doc.config.mask = mask;
        doc.config.window = window;
        doc.config.global_tokens = global_tokens;
        return doc;
    };
    expect_same_weights_and_output(masked("causal"), masked("sliding_window", kTokens));
    expect_same_weights_and_output(masked("none"), masked("global_window", kTokens));
    expect_same_weights_and_output(masked("none"), masked("global_window", 1, kTokens));
    expect_same_weights_and_output(masked("none"), masked("padding"));
    expect_same_weights_and_output(masked("none"), masked("drawn"));
    Document hand = masked("drawn");
    hand.mask_pattern = Matrix::Ones(kTokens, kTokens).triangularView<Eigen::Lower>();
    expect_same_weights_and_output(masked("causal"), hand);
    Document window = numbers();
    window.config.scope = "local_m";
    window.config.window = 1;
    expect_same_weights_and_output(window, masked("global_window", 1, 0));
    EXPECT_FALSE(
        same_bits(value(masked("causal"), {Role::Weights}), value(masked("sliding_window", 1), {Role::Weights})));
}

/// No word attends to padding: the words' rows are those of the text without it.
TEST(Equality, PaddingChangesNoWord) {
    Document plain, padded;
    plain.text = padded.text = "the cat sat";
    plain.weights = padded.weights = "random";
    padded.padding = 2;
    padded.config.mask = "padding";
    const attn::Run run = run_valid(padded);
    ASSERT_EQ(run.trace.tokens.back(), "[PAD]");
    EXPECT_EQ(value(run, {Role::Weights}).rightCols(2), Matrix::Zero(5, 2));
    EXPECT_TRUE(close(value(run, {Role::Output}).topRows(3), value(plain, {Role::Output}), kAgreement));
    padded.config.mask = "none";
    EXPECT_FALSE(close(value(padded, {Role::Output}).topRows(3), value(plain, {Role::Output}), kAgreement));
}

}  // namespace
}  // namespace attn::test
