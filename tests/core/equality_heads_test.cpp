// Identities: positions, heads and forms that are special cases of one another.
#include <gtest/gtest.h>

#include <cmath>

#include "core/attention/forms/attention.h"
#include "tests/core/support.h"

namespace attn::test {
namespace {

constexpr int kHeadsTokens = 6;
constexpr int kHeadsWidth = 8;
constexpr double kHeadsAgreement = 2e-6;

Document heads_numbers(std::string_view form = "multi_head") {
    Document doc = numbers_document(seeded_matrix(11, kHeadsTokens, kHeadsWidth), form);
    doc.weights = "random";
    return doc;
}

void give(Document& doc, Given which, FrozenMatrix value) { doc.given[static_cast<std::size_t>(which)] = std::move(value); }

Matrix heads_value(const attn::Run& run, Tag tag) {
    const Step* step = find(run.trace, tag);
    EXPECT_NE(step, nullptr) << step_name(tag);
    return step ? step->value.matrix() : Matrix{};
}

Matrix heads_value(const Document& doc, Tag tag) { return heads_value(run_valid(doc), tag); }

// ---- positions ------------------------------------------------------------------------------------------------------

/// The same words three positions later: their scores with one another stay, for positions that depend on distances
/// alone [Su et al. 2021, eq. 11; Press et al. 2022; Shaw et al. 2018].
TEST(Equality, ScoresDependOnDistanceAlone) {
    constexpr int kShift = 3;
    for (const std::string_view position : {"rope", "rope_half", "alibi", "relative", "sinusoidal"})
        for (const int heads : {1, 2}) {
            SCOPED_TRACE(position);
            Document doc = heads_numbers();
            doc.config.position = position;
            doc.config.heads = heads;
            Document later = doc;
            Matrix longer(kShift + kHeadsTokens, kHeadsWidth);
            longer << seeded_matrix(5, kShift, kHeadsWidth), *doc.matrix(Given::X);
            give(later, Given::X, longer);
            const Tag tag{position == "alibi" ? Role::Biased : Role::Scaled, heads == 1 ? kNoHead : 1};
            const Matrix from = heads_value(doc, tag), to = heads_value(later, tag).bottomRightCorner(kHeadsTokens, kHeadsTokens);
            EXPECT_EQ(static_cast<bool>(close(to, from, kHeadsAgreement)), position != "sinusoidal");
            doc.config.position = "none";
            EXPECT_FALSE(close(heads_value(doc, {Role::Scaled, tag.head}), from, kHeadsAgreement)) << "the order is not told";
        }
}

/// Pairs of neighbours or of halves: the same rotation, once the features of queries and keys are reordered.
TEST(Equality, BothPairingsOfRopeAreOneUpToTheOrderOfFeatures) {
    Document neighbours = heads_numbers(), halves = heads_numbers();
    Matrix order = Matrix::Zero(kHeadsWidth, kHeadsWidth);  // feature 2i to i, feature 2i + 1 to i + d/2
    for (int f = 0; f < kHeadsWidth; ++f) order(f, f / 2 + (f % 2) * kHeadsWidth / 2) = 1;
    for (const Given which : {Given::W_Q, Given::W_K}) {
        const Matrix w = seeded_matrix(static_cast<std::uint64_t>(which), kHeadsWidth, kHeadsWidth, 0.4f);
        give(neighbours, which, w);
        give(halves, which, w * order);
    }
    neighbours.config.position = "rope";
    halves.config.position = "rope_half";
    const attn::Run a = run_valid(neighbours), b = run_valid(halves);
    EXPECT_TRUE(close(heads_value(b, {Role::RotatedQueries}), heads_value(a, {Role::RotatedQueries}) * order, kHeadsAgreement));
    EXPECT_TRUE(close(heads_value(b, {Role::Scaled}), heads_value(a, {Role::Scaled}), kHeadsAgreement));
    EXPECT_TRUE(close(heads_value(b, {Role::Output}), heads_value(a, {Role::Output}), kHeadsAgreement));
    neighbours.config.position = "rope_half";
    EXPECT_FALSE(close(heads_value(neighbours, {Role::Scaled}), heads_value(a, {Role::Scaled}), kHeadsAgreement));
}

/// A rotation preserves lengths, and position 0 is not rotated.
TEST(Equality, RopeKeepsLengths) {
    for (const std::string_view position : {"rope", "rope_half"}) {
        Document doc = heads_numbers();
        doc.config.position = position;
        const attn::Run run = run_valid(doc);
        const Matrix before = heads_value(run, {Role::Queries}), after = heads_value(run, {Role::RotatedQueries});
        for (int i = 0; i < kHeadsTokens; ++i) EXPECT_NEAR(after.row(i).norm(), before.row(i).norm(), 1e-6f);
        EXPECT_EQ(after.row(0), before.row(0));
        EXPECT_GT((after - before).row(1).norm(), 0.1f);
    }
}

/// "For 8 heads: 1/2^1, 1/2^2, …, 1/2^8" [Press et al. 2022, 3].
TEST(Equality, AlibiSlopesAreThoseOfThePaper) {
    Document doc = heads_numbers();
    doc.config.position = "alibi";
    doc.config.heads = 8;
    const attn::Run run = run_valid(doc);
    for (int h = 0; h < 8; ++h) {
        const Matrix bias = heads_value(run, {Role::DistanceBias, h});
        for (int i = 0; i < kHeadsTokens; ++i)
            for (int j = 0; j < kHeadsTokens; ++j)
                EXPECT_EQ(bias(i, j), -std::ldexp(1.0f, -(h + 1)) * static_cast<float>(std::abs(i - j)));
    }
}

/// e_ij = q_i·(k_j + a^K_{j−i}) / √d, z_i = Σ_j α_ij (v_j + a^V_{j−i}) [Shaw et al. 2018, eq. 3, 4], written out.
TEST(Equality, RelativePositionsAreTheSumWrittenDirectly) {
    for (const int clip : {1, 2, kHeadsTokens}) {
        Document doc = heads_numbers();
        doc.config.position = "relative";
        doc.config.relative_clip = clip;
        doc.parameters = {{{Role::RelativeKeys}, seeded_matrix(31, 2 * clip + 1, kHeadsWidth)},
                          {{Role::RelativeValues}, seeded_matrix(32, 2 * clip + 1, kHeadsWidth)}};
        const attn::Run run = run_valid(doc);
        const Matrix q = heads_value(run, {Role::Queries}), k = heads_value(run, {Role::Keys}), v = heads_value(run, {Role::Values});
        const Matrix scores = heads_value(run, {Role::Scaled}), weights = heads_value(run, {Role::Weights});
        Matrix direct(kHeadsTokens, kHeadsTokens), mixed = Matrix::Zero(kHeadsTokens, kHeadsWidth);
        for (int i = 0; i < kHeadsTokens; ++i)
            for (int j = 0; j < kHeadsTokens; ++j) {
                const int row = std::max(-clip, std::min(clip, j - i)) + clip;
                direct(i, j) = q.row(i).dot(k.row(j) + doc.parameters[0].value.row(row)) / std::sqrt(1.0f * kHeadsWidth);
                mixed.row(i) += weights(i, j) * (v.row(j) + doc.parameters[1].value.row(row));
            }
        EXPECT_TRUE(close(scores, direct, kHeadsAgreement)) << clip;
        EXPECT_TRUE(close(heads_value(run, {Role::HeadOutput}), mixed, kHeadsAgreement)) << clip;
    }
}

/// A learned table that holds the sinusoids equals the sinusoids.
TEST(Equality, LearnedPositionsCanBeTheSinusoids) {
    Document formula = heads_numbers(), learned = heads_numbers();
    formula.config.position = "sinusoidal";
    learned.config.position = "learned";
    learned.parameters = {{{Role::Positions}, heads_value(formula, {Role::Positions})}};
    EXPECT_TRUE(same_bits(heads_value(learned, {Role::Output}), heads_value(formula, {Role::Output})));
}

// ---- heads ----------------------------------------------------------------------------------------------------------

/// W with each block of columns repeated `times` times.
Matrix repeated_blocks(const Matrix& w, int blocks, int times) {
    const Eigen::Index width = w.cols() / blocks;
    Matrix out(w.rows(), w.cols() * times);
    for (int b = 0; b < blocks * times; ++b) out.middleCols(b * width, width) = w.middleCols(b / times * width, width);
    return out;
}

/// Query heads that share a key head equal heads with the same keys [Ainslie et al. 2023; Shazeer 2019: one for all].
TEST(Equality, GroupedQueriesAreHeadsWithEqualKeys) {
    constexpr int kHeads = 4, kHeadWidth = kHeadsWidth / kHeads;
    for (const int shared : {1, 2, 4}) {
        Document grouped = heads_numbers();
        grouped.config.heads = kHeads;
        grouped.config.kv_heads = shared;
        give(grouped, Given::W_K, seeded_matrix(41, kHeadsWidth, shared * kHeadWidth, 0.4f));
        give(grouped, Given::W_V, seeded_matrix(42, kHeadsWidth, shared * kHeadWidth, 0.4f));
        Document full = grouped;
        full.config.kv_heads = 0;
        for (const Given which : {Given::W_K, Given::W_V})
            give(full, which, repeated_blocks(*grouped.matrix(which), shared, kHeads / shared));
        const attn::Run a = run_valid(grouped), b = run_valid(full);
        EXPECT_EQ(heads_value(a, {Role::Keys}).cols(), shared * kHeadWidth);
        for (int h = 0; h < kHeads; ++h)
            EXPECT_TRUE(close(heads_value(a, {Role::Weights, h}), heads_value(b, {Role::Weights, h}), kHeadsAgreement)) << shared;
        EXPECT_TRUE(close(heads_value(a, {Role::Output}), heads_value(b, {Role::Output}), kHeadsAgreement)) << shared;
    }
}

TEST(Equality, AsManyKeyHeadsAsHeadsIsTheDefault) {
    Document all = heads_numbers(), none = heads_numbers();
    all.config.heads = none.config.heads = 4;
    all.config.kv_heads = 4;
    const attn::Run a = run_valid(all), b = run_valid(none);
    ASSERT_EQ(a.trace.size(), b.trace.size());
    for (StepId id = 0; id < a.trace.size(); ++id) {
        EXPECT_EQ(a.trace[id].tag, b.trace[id].tag);
        EXPECT_TRUE(same_bits(a.trace[id].value, b.trace[id].value)) << step_name(a.trace[id].tag);
    }
}

TEST(Equality, AHeadSwitchedOffIsItsRowsOfTheOutputWeightZeroed) {
    constexpr int kHeads = 4, kHeadWidth = kHeadsWidth / kHeads;
    const Matrix w = seeded_matrix(43, kHeadsWidth, kHeadsWidth, 0.4f);
    for (int off = 0; off < kHeads; ++off) {
        Document doc = heads_numbers();
        doc.config.heads = kHeads;
        give(doc, Given::W_O, w);
        Document zeroed = doc;
        doc.config.heads_off = {off};
        Matrix rows = w;
        rows.middleRows(off * kHeadWidth, kHeadWidth).setZero();
        give(zeroed, Given::W_O, rows);
        EXPECT_TRUE(close(heads_value(doc, {Role::Output}), heads_value(zeroed, {Role::Output}), kHeadsAgreement));
        EXPECT_TRUE(heads_value(doc, {Role::HeadSwitched, off}).isZero(0));
        zeroed.given[static_cast<std::size_t>(Given::W_O)] = w;
        EXPECT_FALSE(close(heads_value(doc, {Role::Output}), heads_value(zeroed, {Role::Output}), kHeadsAgreement));
    }
}

// ---- forms -------------------------------------------------------------------------------------------------------

/// Gives the same weights under the names of both forms.
Document with_weights(Document doc) {
    constexpr std::array kRoles = {Role::QueryWeight, Role::KeyWeight, Role::ValueWeight, Role::OutputWeight};
    constexpr std::array kGivens = {Given::W_Q, Given::W_K, Given::W_V, Given::W_O};
    for (std::size_t i = 0; i < kRoles.size(); ++i) {
        const Matrix w = seeded_matrix(50 + i, kHeadsWidth, kHeadsWidth, 0.4f);
        if (has(find_form(doc.config.form)->reads, Reads::Projections))
            give(doc, kGivens[i], w);
        else
            doc.parameters.push_back({{kRoles[i]}, w});
    }
    return doc;
}

/// Slicing the input differs from slicing its projection from two heads on; with one head nothing is sliced.
TEST(Equality, SlicedInputWithOneHeadIsMultiHead) {
    const Document sliced = with_weights(heads_numbers("sliced_input")), whole = with_weights(heads_numbers());
    const attn::Run a = run_valid(sliced), b = run_valid(whole);
    ASSERT_EQ(a.trace.size(), b.trace.size());
    for (const Step& step : a.trace.steps)
        EXPECT_TRUE(close(step.value, heads_value(b, step.tag), kHeadsAgreement)) << step_name(step.tag);
}

/// A head of sliced_input depends on its own columns alone; one of multi_head on all.
TEST(Equality, AHeadOfSlicedInputSeesItsOwnColumnsAlone) {
    for (const std::string_view form : {"sliced_input", "multi_head"}) {
        Document doc = heads_numbers(form);
        doc.config.heads = 2;
        Document other = doc;
        Matrix x(*doc.matrix(Given::X));
        x.rightCols(kHeadsWidth / 2).array() += 1.0f;
        give(other, Given::X, x);
        EXPECT_EQ(same_bits(heads_value(doc, {Role::HeadOutput, 0}), heads_value(other, {Role::HeadOutput, 0})),
                  form == "sliced_input");
        EXPECT_FALSE(same_bits(heads_value(doc, {Role::HeadOutput, 1}), heads_value(other, {Role::HeadOutput, 1})));
    }
}

TEST(Equality, CrossAttentionOfATextWithItselfIsSelfAttention) {
    for (const int heads : {1, 2})
        for (const std::string_view score : {"scaled_dot", "additive", "cosine"}) {
            Document self = with_weights(heads_numbers()), cross = with_weights(heads_numbers("cross"));
            self.config.heads = cross.config.heads = heads;
            self.config.score = cross.config.score = score;
            self.config.position = cross.config.position = "sinusoidal";
            cross.source.clear();
            give(cross, Given::X_source, *self.matrix(Given::X));
            const attn::Run a = run_valid(self), b = run_valid(cross);
            for (const Step& step : a.trace.steps)
                EXPECT_TRUE(same_bits(step.value, heads_value(b, step.tag))) << score << " " << step_name(step.tag);
        }
}

/// Multi-head attention with identity weights and one head, unscaled, is softmax(X Xᵀ) X.
TEST(Equality, MultiHeadWithTheIdentityIsRaw) {
    Document raw = numbers_document(seeded_matrix(11, kHeadsTokens, kHeadsWidth), "raw");
    Document identity = numbers_document(seeded_matrix(11, kHeadsTokens, kHeadsWidth), "multi_head");
    identity.config.score = "dot";
    EXPECT_TRUE(close(heads_value(identity, {Role::Output}), heads_value(raw, {Role::Output}), kHeadsAgreement));
}

}  // namespace
}  // namespace attn::test
