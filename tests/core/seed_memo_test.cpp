// Seeded matrices are computed once, and cached only while there is room.

#include "core/base/seed_memo.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "core/attention/inputs.h"

namespace attn {
namespace {

Matrix counted(int& calls, int rows, int cols) {
    ++calls;
    return Matrix::Constant(rows, cols, static_cast<float>(calls));
}

TEST(SeedMemo, ComputesEachKeyOnce) {
    SeedMemo memo;
    int calls = 0;
    const auto make = [&] { return counted(calls, 3, 4); };
    EXPECT_EQ(memo.get({1, "query_weight", 3, 4, 1}, make)(0, 0), 1);
    EXPECT_EQ(memo.get({1, "query_weight", 3, 4, 1}, make)(0, 0), 1);
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(memo.bytes(), 3 * 4 * sizeof(float));
}

TEST(SeedMemo, AnotherKeyIsAnotherMatrix) {
    SeedMemo memo;
    int calls = 0;
    const auto make = [&] { return counted(calls, 1, 1); };
    const SeedMemo::Key key{1, "query_weight", 3, 4, 1};
    memo.get(key, make);
    for (const SeedMemo::Key& other :
         {SeedMemo::Key{2, "query_weight", 3, 4, 1}, SeedMemo::Key{1, "key_weight", 3, 4, 1},
          SeedMemo::Key{1, "query_weight", 4, 4, 1}, SeedMemo::Key{1, "query_weight", 3, 3, 1},
          SeedMemo::Key{1, "query_weight", 3, 4, 0.5f}})
        EXPECT_NE(memo.get(other, make)(0, 0), 1) << other.name;
    EXPECT_EQ(calls, 6);
}

TEST(SeedMemo, StaysWithinItsMemory) {
    SeedMemo memo;
    int calls = 0;
    for (int i = 0; i < 40; ++i) {
        memo.get({static_cast<std::uint64_t>(i), "up_weight", 512, 512, 1}, [&] { return counted(calls, 512, 512); });
        EXPECT_LE(memo.bytes(), SeedMemo::kMost);
    }
    EXPECT_EQ(calls, 40);
    const std::size_t before = memo.bytes();
    memo.get({1, "words", 2048, 1024, 1}, [&] { return counted(calls, 2048, 1024); });
    EXPECT_EQ(memo.bytes(), before) << "a matrix that would push out the others is not kept";
}

TEST(SeedMemo, IsTheSameFromSeveralThreads) {
    const FrozenMatrix alone = random_weight(77, "value_weight", 32, 32);
    std::vector<FrozenMatrix> seen(4);
    std::vector<std::thread> threads;
    for (FrozenMatrix& out : seen)
        threads.emplace_back([&out] {
            for (std::uint64_t seed = 70; seed < 80; ++seed) {
                const FrozenMatrix made = random_weight(seed, "value_weight", 32, 32);
                if (seed == 77) out = made;
            }
        });
    for (std::thread& thread : threads) thread.join();
    for (const FrozenMatrix& made : seen) EXPECT_EQ(made, alone);
}

}  // namespace
}  // namespace attn
