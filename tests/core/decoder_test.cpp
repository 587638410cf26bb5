// The decoder: it never attends ahead in its own text, attends to all of the other, and its weights sum to 1.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/attention/forms/attention.h"
#include "tests/core/support.h"

namespace attn::test {
namespace {

Document decoder_document(int n, int m) {
    Document doc = numbers_document(seeded_matrix(21, n, 8), "decoder");
    doc.source.clear();
    doc.given[static_cast<std::size_t>(Given::X_source)] = seeded_matrix(22, m, 8);
    doc.weights = "random";
    doc.config.heads = 2;
    doc.config.layers = 2;
    return doc;
}

const Matrix& output_of(const attn::Run& run) { return find(run.trace, {Role::Output})->value; }

/// The values of a token do not depend on the tokens after it, to the last bit; they do depend on those of the source.
TEST(Decoder, LaterTokensChangeNothingBefore) {
    constexpr int kTokens = 6, kKept = 4;
    for (const std::string_view block : {"post_norm", "pre_norm"})
        for (const std::string_view position : {"none", "sinusoidal", "rope", "alibi", "relative"})
            for (const std::string_view mask : {"none", "causal", "sliding_window", "global_window", "padding"}) {
                Document doc = decoder_document(kTokens, 5);
                doc.config.block = block;
                doc.config.position = position;
                doc.config.mask = mask;
                SCOPED_TRACE(name_of(doc));
                const attn::Run before = run_valid(doc);
                Matrix x(*doc.matrix(Given::X));
                x.bottomRows(kTokens - kKept) = seeded_matrix(23, kTokens - kKept, 8);
                doc.given[static_cast<std::size_t>(Given::X)] = x;
                const attn::Run after = run_valid(doc);
                EXPECT_TRUE(same_bits(output_of(after).topRows(kKept), output_of(before).topRows(kKept)));
                EXPECT_FALSE(same_bits(output_of(after), output_of(before)));
                doc.given[static_cast<std::size_t>(Given::X_source)] = seeded_matrix(24, 5, 8);
                EXPECT_FALSE(same_bits(output_of(run_valid(doc)).topRows(kKept), output_of(before).topRows(kKept)));
            }
}

/// A configured mask in addition to the causal one is its own step, and both apply.
TEST(Decoder, TheConfiguredMaskIsAddedToTheCausalOne) {
    Document doc = decoder_document(5, 4);
    doc.config.layers = 1;
    doc.config.heads = 1;
    doc.config.mask = "drawn";
    doc.mask_pattern = Matrix::Ones(5, 5);
    doc.mask_pattern(3, 1) = 0;
    const attn::Run run = run_valid(doc);
    const Step* causal = find(run.trace, {Role::CausalMasked, kNoHead, 0});
    const Step* masked = find(run.trace, {Role::Masked, kNoHead, 0});
    ASSERT_TRUE(causal && masked);
    const Matrix& weights = find(run.trace, {Role::Weights, kNoHead, 0})->value;
    for (int i = 0; i < 5; ++i)
        for (int j = 0; j < 5; ++j) EXPECT_EQ(weights(i, j) > 0, j <= i && !(i == 3 && j == 1)) << i << ", " << j;
    doc.config.mask = "none";
    doc.mask_pattern.resize(0, 0);
    const attn::Run plain = run_valid(doc);
    EXPECT_EQ(find(plain.trace, {Role::CausalMasked, kNoHead, 0}), nullptr);
    EXPECT_NE(find(plain.trace, {Role::Masked, kNoHead, 0}), nullptr);
}

/// Padding belongs to the second text: neither its encoder nor the decoder attends to it.
TEST(Decoder, PaddingOfTheSourceGetsNoWeight) {
    Document doc;
    doc.text = "a b c";
    doc.source = "x y";
    doc.config.form = "decoder";
    doc.config.mask = "padding";
    doc.padding = 2;
    doc.weights = "random";
    const attn::Run run = run_valid(doc);
    EXPECT_EQ(run.trace.tokens.size(), 3u);
    EXPECT_EQ(run.trace.source_tokens.size(), 4u);
    for (const Part part : {Part::Cross, Part::Encoder}) {
        const Matrix& weights = find(run.trace, {Role::Weights, kNoHead, 0, kNoTime, part})->value;
        EXPECT_EQ(weights.rightCols(2), Matrix::Zero(weights.rows(), 2));
        EXPECT_GT(weights.leftCols(2).minCoeff(), 0);
    }
}

/// The encoder inside the decoder form equals the form `encoder` on the second text.
TEST(Decoder, ItsEncoderIsTheEncoder) {
    Document doc = decoder_document(3, 5);
    doc.config.block = "pre_norm";
    const attn::Run run = run_valid(doc);
    Document alone = numbers_document(*doc.matrix(Given::X_source), "encoder");
    alone.weights = "random";
    alone.config.block = "pre_norm";
    alone.config.heads = alone.config.layers = 2;
    for (const Step& step : run.trace.steps) {
        const bool feed = step.tag.part == Part::EncoderFeedForward;
        if (step.op != Op::Input || !(feed || step.tag.part == Part::Encoder)) continue;
        Tag tag = step.tag;
        tag.part = feed ? Part::FeedForward : tag.layer == kNoLayer ? Part::Final : Part::Main;
        alone.parameters.push_back({tag, step.value});
    }
    EXPECT_TRUE(same_bits(output_of(run_valid(alone)),
                          find(run.trace, {Role::Annotations, kNoHead, kNoLayer, kNoTime, Part::Encoder})->value));
}

TEST(Decoder, EveryWordOfBothTextsHasAShare) {
    Document doc;
    doc.text = "the cat the";
    doc.source = "a cat";
    doc.config.form = "decoder";
    const attn::Run run = run_valid(doc);
    EXPECT_EQ(run.trace.words, (std::vector<std::string>{"the", "cat", "a"}));
    const Step& shares = run.trace.steps.back();
    EXPECT_EQ(shares.tag, Tag{Role::Probabilities});
    EXPECT_EQ(shares.value.rows(), 3);
    EXPECT_EQ(shares.value.cols(), 3);
    for (int r = 0; r < 3; ++r) EXPECT_NEAR(shares.value.row(r).sum(), 1, 1e-6);
}

}  // namespace
}  // namespace attn::test
