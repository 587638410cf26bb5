#include "core/base/random.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>

namespace attn {
namespace {

TEST(Random, FollowsThePublishedSequenceOfXoshiro) {
    // Blackman and Vigna's reference generator, started from the state 1, 2, 3, 4.
    Random random(Random::State{1, 2, 3, 4});
    EXPECT_EQ(random.next(), 11520U);
    EXPECT_EQ(random.next(), 0U);
    EXPECT_EQ(random.next(), 1509978240U);
    EXPECT_EQ(random.next(), 1215971899390074240U);
}

TEST(Random, FillsItsStateBySplitMix) {
    // SplitMix64 from seed 1234567 gives these four words, as its reference does.
    Random seeded(1234567);
    Random by_hand(
        Random::State{6457827717110365317U, 3203168211198807973U, 9817491932198370423U, 4593380528125082431U});
    for (int i = 0; i < 100; ++i) EXPECT_EQ(seeded.next(), by_hand.next());
}

TEST(Random, GivesTheSameBitsEverywhere) {
    Random random(0);
    EXPECT_EQ(random.next(), 0x99EC5F36CB75F2B4U);
    EXPECT_EQ(Random(42).next(), Random(42).next());
    EXPECT_NE(Random(42).next(), Random(43).next());
}

TEST(Random, UniformStaysBelowOneAndFillsTheRange) {
    Random random(7);
    double sum = 0, low = 1, high = 0;
    constexpr int kDraws = 100'000;
    for (int i = 0; i < kDraws; ++i) {
        const double u = random.uniform();
        ASSERT_GE(u, 0.0);
        ASSERT_LT(u, 1.0);
        sum += u;
        low = std::min(low, u);
        high = std::max(high, u);
    }
    EXPECT_NEAR(sum / kDraws, 0.5, 0.005);
    EXPECT_LT(low, 0.001);
    EXPECT_GT(high, 0.999);
}

TEST(Random, NormalHasMeanZeroAndVarianceOne) {
    Random random(11);
    double sum = 0, squares = 0;
    constexpr int kDraws = 100'000;
    for (int i = 0; i < kDraws; ++i) {
        const double z = static_cast<double>(random.normal());
        ASSERT_LE(std::abs(z), 6.0);
        sum += z;
        squares += z * z;
    }
    EXPECT_NEAR(sum / kDraws, 0.0, 0.02);
    EXPECT_NEAR(squares / kDraws, 1.0, 0.02);
}

TEST(HashBytes, AgreesWithThePublishedVectorsOfFnv) {
    EXPECT_EQ(hash_bytes(""), 0xCBF29CE484222325U);
    EXPECT_EQ(hash_bytes("a"), 0xAF63DC4C8601EC8CU);
    EXPECT_EQ(hash_bytes("foobar"), 0x85944171F73967E8U);
    EXPECT_NE(hash_bytes("早"), hash_bytes("上"));
}

}  // namespace
}  // namespace attn
