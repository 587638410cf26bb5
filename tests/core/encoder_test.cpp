// The encoder's block: by hand where that is possible, and as a stack of blocks.
#include <gtest/gtest.h>

#include <cmath>

#include "core/attention/forms/attention.h"
#include "core/kernels/kernels.h"
#include "core/ops/ops.h"
#include "tests/core/support.h"

namespace attn::test {
namespace {

constexpr double kEncoderAgreement = 1e-5;

Document encoder_document(const Matrix& x) {
    Document doc = numbers_document(x, "encoder");
    doc.weights = "random";
    return doc;
}

/// The norm of a row without gain and bias, in float64.
Eigen::RowVectorXd normed(const Eigen::RowVectorXd& row, bool centred) {
    const Eigen::RowVectorXd off = centred ? Eigen::RowVectorXd(row.array() - row.mean()) : row;
    return off / std::sqrt(off.squaredNorm() / static_cast<double>(row.size()) + 1e-5);
}

/// A single token attends to itself: identity weights return it, and the feed-forward layer transforms it.
TEST(Encoder, OneTokenByHand) {
    const Matrix x = seeded_matrix(4, 1, 6);
    const Eigen::RowVectorXd row = x.row(0).cast<double>();
    for (const bool pre : {false, true})
        for (const bool centred : {false, true}) {
            Document doc = numbers_document(x, "encoder");
            doc.config.block = pre ? "pre_norm" : "post_norm";
            doc.config.norm = centred ? "layer_norm" : "rms_norm";
            SCOPED_TRACE(name_of(doc));
            Eigen::RowVectorXd expected;
            if (pre) {
                const Eigen::RowVectorXd z = row + normed(row, centred);
                expected = normed(z + normed(z, centred).cwiseMax(0), centred);
            } else {
                const Eigen::RowVectorXd z = normed(2 * row, centred);
                expected = normed(z + z.cwiseMax(0), centred);
            }
            EXPECT_TRUE(close(find(run_valid(doc).trace, {Role::Output})->value, expected.cast<float>(), kEncoderAgreement));
        }
}

/// The parameters of layer `from`, given to layer `to`.
std::vector<GivenParameter> moved(const Trace& trace, int from, int to) {
    std::vector<GivenParameter> out;
    for (const Step& step : trace.steps) {
        if (step.op != Op::Input || step.tag.layer != from) continue;
        Tag tag = step.tag;
        tag.layer = static_cast<std::int16_t>(to);
        out.push_back({tag, step.value});
    }
    return out;
}

/// The second layer is its block applied to the first layer's output, to the last bit.
TEST(Encoder, LayersAreStackedBlocks) {
    for (const std::string_view block : {"post_norm", "pre_norm"})
        for (const std::string_view activation : {"relu", "gelu", "gelu_tanh", "swiglu"}) {
            Document two = encoder_document(seeded_matrix(11, 5, 8));
            two.config.block = block;
            two.config.activation = activation;
            two.config.heads = 2;
            two.config.layers = 2;
            SCOPED_TRACE(name_of(two));
            const attn::Run both = run_valid(two);
            const Role between = block == "pre_norm" ? Role::Residual : Role::Normed;
            const Step* first = find(both.trace, {between, kNoHead, 0, kNoTime, Part::FeedForward});
            ASSERT_NE(first, nullptr);
            Document one = two;
            one.config.layers = 1;
            one.given[static_cast<std::size_t>(Given::X)] = first->value;
            one.parameters = moved(both.trace, 1, 0);
            ASSERT_GE(one.parameters.size(), 8u);
            EXPECT_TRUE(
                same_bits(find(run_valid(one).trace, {Role::Output})->value, find(both.trace, {Role::Output})->value));
        }
}

/// With the last weights of the sub-layers zero they add nothing: only the norms are left.
TEST(Encoder, ResidualCarriesTheInputPast) {
    Document doc = encoder_document(seeded_matrix(12, 4, 6));
    doc.config.block = "pre_norm";
    doc.config.heads = 2;
    doc.parameters = {{{Role::OutputWeight, kNoHead, 0}, Matrix::Zero(6, 6)},
                      {{Role::DownWeight, kNoHead, 0}, Matrix::Zero(24, 6)}};
    const attn::Run run = run_valid(doc);
    EXPECT_TRUE(
        same_bits(find(run.trace, {Role::Residual, kNoHead, 0, kNoTime, Part::FeedForward})->value, run.inputs.x));
    Matrix expected(4, 6);
    for (int r = 0; r < 4; ++r) expected.row(r) = normed(run.inputs.x.row(r).cast<double>(), true).cast<float>();
    EXPECT_TRUE(close(find(run.trace, {Role::Output})->value, expected, kEncoderAgreement));
}

/// Its attention equals that of multi_head with the same weights.
TEST(Encoder, AttendsAsMultiHeadDoes) {
    Document doc = encoder_document(seeded_matrix(13, 6, 8));
    doc.config.heads = 4;
    doc.config.kv_heads = 2;
    doc.config.mask = "causal";
    doc.config.position = "rope";
    const attn::Run block = run_valid(doc);
    Document plain = doc;
    plain.config.form = "multi_head";
    const auto weight = [&](Role role) { return find(block.trace, {role, kNoHead, 0})->value; };
    plain.given[static_cast<std::size_t>(Given::W_Q)] = weight(Role::QueryWeight);
    plain.given[static_cast<std::size_t>(Given::W_K)] = weight(Role::KeyWeight);
    plain.given[static_cast<std::size_t>(Given::W_V)] = weight(Role::ValueWeight);
    plain.given[static_cast<std::size_t>(Given::W_O)] = weight(Role::OutputWeight);
    EXPECT_TRUE(same_bits(find(run_valid(plain).trace, {Role::Output})->value,
                          find(block.trace, {Role::Attended, kNoHead, 0})->value));
}

TEST(Encoder, TheResultIsTheLastStepOnly) {
    for_each_table_document([](const Document& doc, const attn::Run& run) {
        if (doc.config.form != "encoder") return;
        int results = 0;
        for (const Step& step : run.trace.steps) results += step.tag.role == Role::Output ? 1 : 0;
        EXPECT_EQ(results, 1);
        const bool predicts = doc.config.unembedding != "by_form";
        EXPECT_EQ(run.trace.steps.back().tag, Tag{predicts ? Role::Probabilities : Role::Output});
    });
}

/// Φ(1) = 0.8413 and Φ(2) = 0.9772 of the normal table: GELU(x) = x Φ(x).
TEST(Published, GeluIsTheNormalTable) {
    EXPECT_NEAR(activated(Activation::Gelu, 1), 0.8413, 0.5e-4);
    EXPECT_NEAR(activated(Activation::Gelu, -1), -0.1587, 0.5e-4);
    EXPECT_NEAR(activated(Activation::Gelu, 2), 2 * 0.9772, 1e-4);
    EXPECT_NEAR(activated(Activation::GeluTanh, 1), 0.8412, 0.5e-4);
    EXPECT_NEAR(activated(Activation::Silu, 1), 0.7311, 0.5e-4);  // 1 / (1 + 1/e)
}

/// S. Raschka, "Build a Large Language Model (From Scratch)", Manning 2024, section 4.2: two rows of five numbers
/// through LayerNorm with the biased variance, as printed with four decimals.
TEST(Published, RaschkaLayerNorm) {
    Matrix x(2, 5), expected(2, 5);
    x << -0.1115f, 0.1204f, -0.3696f, -0.2404f, -1.1969f, 0.2093f, -0.9724f, -0.7550f, 0.3239f, -0.1085f;
    expected << 0.5528f, 1.0693f, -0.0223f, 0.2656f, -1.8654f, 0.9087f, -1.3767f, -0.9564f, 1.1304f, 0.2940f;
    Trace t = trace_of(x);
    const StepId gain = input(t, Matrix::Ones(1, 5), {Role::NormGain}, {}, {}, {Source::Given});
    const StepId bias = input(t, Matrix::Zero(1, 5), {Role::NormBias}, {}, {}, {Source::Given});
    const StepId normed_step = layer_norm(t, 0, gain, bias, {Role::Normed});
    EXPECT_LE((t[normed_step].value - expected).cwiseAbs().maxCoeff(), 2.5e-4f);  // its input has four decimals, too
}

}  // namespace
}  // namespace attn::test
