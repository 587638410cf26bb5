// Cutting off scores and tokens, with hand-written expectations of what is kept.
#include <gtest/gtest.h>

#include <cmath>

#include "core/kernels/kernels.h"
#include "tests/core/support.h"

namespace attn::test {
namespace {

int kept_in(const Matrix& row) { return static_cast<int>((row.array() > -kInfinity).count()); }

/// The likeliest are kept until their sum reaches p, and not one more: for every p that is not itself such a sum.
TEST(TopP, KeepsTheFewestThatReachP) {
    const double shares[] = {0.4, 0.3, 0.2, 0.1};
    Matrix logits(1, 4);
    for (int j = 0; j < 4; ++j) logits(0, 3 - j) = static_cast<float>(std::log(shares[j]));
    for (int thousandth = 3; thousandth < 1000; thousandth += 5) {
        const double p = thousandth / 1000.0;
        int fewest = 0;
        for (double together = 0; together < p; ++fewest) together += shares[fewest];
        EXPECT_EQ(kept_in(kernel::top_p(logits, static_cast<float>(p), 1)), fewest) << p;
    }
    EXPECT_EQ(kept_in(kernel::top_p(logits, 1, 1)), 4);
    EXPECT_EQ(kept_in(kernel::top_p(logits, 0, 1)), 1);
    // A sum that equals p to within float32 is enough.
    EXPECT_EQ(kept_in(kernel::top_p(Matrix{{0, 0, 0, 0}}, 0.5f, 1)), 4) << "equal ones stay together";
    EXPECT_EQ(kept_in(kernel::top_p(Matrix{{2, 2, -30, -30}}, 1.0f - 1e-6f, 1)), 2);
}

TEST(TopK, KeepsTheKLargestAndTheirEquals) {
    const Matrix scores{{3, 1, 4, 1, 5}};
    const int expected[] = {1, 2, 3, 5, 5};
    for (int k = 1; k <= 5; ++k) EXPECT_EQ(kept_in(kernel::top_k(scores, k)), expected[k - 1]) << k;
    EXPECT_EQ(kept_in(kernel::top_k(scores, 9)), 5);
}

}  // namespace
}  // namespace attn::test
