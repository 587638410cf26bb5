// Which heads attend elsewhere: texts of different lengths are aligned, and the distance is that of the two rows.
#include "core/analysis/head_changes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/attention/parts/choices.h"
#include "tests/core/support.h"

namespace attn::test {
namespace {

using testing::ElementsAre;
using WordList = std::vector<std::string>;

TEST(AlignedTokens, CorrespondInOrder) {
    EXPECT_THAT(aligned_tokens({"a", "b", "c"}, {"x", "b", "y"}), ElementsAre(0, 1, 2)) << "as many: side by side";
    EXPECT_THAT(aligned_tokens({"the", "cat", "sat"}, {"the", "old", "cat", "sat"}), ElementsAre(0, 2, 3));
    EXPECT_THAT(aligned_tokens({"the", "old", "cat", "sat"}, {"the", "cat", "sat"}), ElementsAre(0, -1, 1, 2));
    EXPECT_THAT(aligned_tokens({"a", "nurse", "said", "so"}, {"a", "doctor", "said"}), ElementsAre(0, 1, 2, -1)) << "an exchanged word";
    EXPECT_THAT(aligned_tokens({"a", "b"}, {"x", "y", "z"}), ElementsAre(-1, -1));
    EXPECT_THAT(aligned_tokens({"x"}, WordList{}), ElementsAre(-1));
    EXPECT_TRUE(aligned_tokens({}, {"x"}).empty());
}

/// A trace whose only map is given.
Trace with_weights(const WordList& tokens, const Matrix& weights) {
    Trace t;
    t.tokens = tokens;
    Step step(Op::Input, {}, {Axis::Kind::Tokens}, {Axis::Kind::Tokens});
    step.params = InputParams{};
    step.tag = {Role::Weights, 1, 0};
    step.value = weights;
    t.steps.push_back(std::move(step));
    return t;
}

TEST(HeadChanges, AreHalfOfTheMovedWeight) {
    const Trace one = with_weights({"the", "cat", "sat"}, Matrix{{1, 0, 0}, {0.5F, 0.5F, 0}, {0.25F, 0.25F, 0.5F}});
    const Trace same_length = with_weights({"the", "dog", "sat"}, Matrix{{1, 0, 0}, {0.25F, 0.75F, 0}, {0, 0, 1}});
    const HeadChanges made = head_changes(one, same_length);
    ASSERT_EQ(made.heads.size(), 1U);
    const HeadChange& head = made.heads.front();
    EXPECT_EQ(head.tag, (Tag{Role::Weights, 1, 0}));
    EXPECT_NEAR(head.distance, (0 + 0.25 + 0.5) / 3, 1e-7);
    EXPECT_NEAR(head.largest, 0.5, 1e-7);
    EXPECT_EQ(head.query, 2);
    EXPECT_EQ(head.key, 2);
    EXPECT_NEAR(head.before, 0.5, 1e-7);
    EXPECT_NEAR(head.after, 1, 1e-7);
    EXPECT_EQ(head.queries, 3);
    EXPECT_EQ(made.missing, 0);
}

/// Weight on a token that the other text lacks counts as moved.
TEST(HeadChanges, CountTokensOfOneTextOnly) {
    const Trace one = with_weights({"the", "cat", "sat"}, Matrix{{1, 0, 0}, {0.5F, 0.5F, 0}, {0.25F, 0.25F, 0.5F}});
    const Trace longer = with_weights({"the", "old", "cat", "sat"}, Matrix{{1, 0, 0, 0}, {0, 1, 0, 0}, {0.5F, 0, 0.5F, 0}, {0, 1, 0, 0}});
    const HeadChanges made = head_changes(one, longer), back = head_changes(longer, one);
    ASSERT_EQ(made.heads.size(), 1U);
    EXPECT_THAT(made.tokens, ElementsAre(0, 2, 3));
    EXPECT_NEAR(made.heads.front().distance, 1.0 / 3, 1e-7);
    EXPECT_NEAR(made.heads.front().largest, 1, 1e-7);
    EXPECT_EQ(made.heads.front().query, 2);
    EXPECT_EQ(made.heads.front().key, -1);
    EXPECT_NEAR(made.heads.front().after, 1, 1e-7);
    // The distance is symmetric; seen from the longer text the key has a name.
    EXPECT_NEAR(back.heads.front().distance, made.heads.front().distance, 1e-7);
    EXPECT_EQ(back.heads.front().query, 3);
    EXPECT_EQ(back.heads.front().key, 1);
    EXPECT_EQ(back.heads.front().queries, 3);
}

TEST(HeadChanges, OfMissingPlacesHaveNoCounterpart) {
    const Trace one = with_weights({"a", "b"}, Matrix{{1, 0}, {0, 1}});
    Trace other = with_weights({"a", "b"}, Matrix{{1, 0}, {0, 1}});
    EXPECT_EQ(head_changes(one, other).heads.front().distance, 0);
    other.steps.front().tag.layer = 1;
    EXPECT_TRUE(head_changes(one, other).heads.empty());
    EXPECT_EQ(head_changes(one, other).missing, 2);
    EXPECT_EQ(head_changes(one, with_weights({"x", "y", "z"}, Matrix::Identity(3, 3))).missing, 1) << "no query stands for another";
}

}  // namespace
}  // namespace attn::test
