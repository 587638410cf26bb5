// The matrix product: every cell is one chain of fused multiply-adds, to the last bit, in every shape, with every
// vector width and number of threads.
#include "core/kernels/multiply.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <sys/mman.h>

#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <limits>
#include <random>
#include <thread>

#include "tests/core/support.h"
#include "tests/core/widths.h"

namespace attn::test {
namespace {

/// The definition.
Matrix chained(const Matrix& a, const Matrix& b) {
    Matrix out(a.rows(), b.cols());
    for (Eigen::Index i = 0; i < a.rows(); ++i)
        for (Eigen::Index j = 0; j < b.cols(); ++j) {
            float sum = 0;
            for (Eigen::Index f = 0; f < a.cols(); ++f) sum = std::fma(a(i, f), b(f, j), sum);
            out(i, j) = sum;
        }
    return out;
}

void expect_chained(int rows, int inner, int cols) {
    const Matrix a = seeded_matrix(1, rows, inner), b = seeded_matrix(2, inner, cols);
    const Matrix expected = chained(a, b);
    with_every_width([&](const std::string& forced) {
        EXPECT_TRUE(same_bits(multiply(a, b), expected)) << forced << ": " << rows << "×" << inner << "×" << cols;
    });
}

TEST(Multiply, EveryEdgeOfATile) {
    for (const int rows : {0, 1, 2, 3, 4, 5, 6, 7, 13, 14, 15, 27, 28, 29})
        for (const int cols : {0, 1, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 47, 48, 49, 64, 65})
            for (const int inner : {0, 1, 2, 5}) expect_chained(rows, inner, cols);
}

/// Sums taken in several pieces, B packed in several parts, work divided among threads by rows and by columns.
TEST(Multiply, LargeProductsAreTheSameChain) {
    for (const auto& [rows, inner, cols] : {std::array{30, 1025, 33}, {29, 1024, 32}, {60, 2100, 70}, {3, 1700, 520}, {31, 40, 1100},
                                            {1100, 40, 31}, {400, 300, 16}, {57, 255, 513}, {1061, 30, 530}, {40, 1030, 1030}})
        expect_chained(rows, inner, cols);
}

/// Rows and columns of A, columns of B, and rows of B past the last one that is used.
TEST(Multiply, ReadsPartsInPlace) {
    const Matrix a = seeded_matrix(1, 33, 50), b = seeded_matrix(2, 45, 90);
    for (const auto& [of_a, of_b] : {std::pair{Columns{0, 45}, Columns{0, 90}}, {{7, 40}, {3, 64}}, {{20, 30}, {59, 31}}, {{49, 1}, {89, 1}}, {{5, 0}, {0, 9}}}) {
        const Matrix expected = chained(a.block(3, of_a.first, 29, of_a.count), b.block(0, of_b.first, of_a.count, of_b.count));
        with_every_width([&, of_a = of_a, of_b = of_b](const std::string& forced) {
            EXPECT_TRUE(same_bits(multiply_part({a, 3, 29, of_a}, b, of_b), expected)) << forced << ", columns from " << of_a.first << " and " << of_b.first;
        });
    }
}

/// The callback sees each part when it is complete, and each number is in exactly one part.
TEST(Multiply, PassesOnEachCompletePart) {
    for (const auto& [rows, inner, cols] : {std::array{1, 1, 1}, {5, 0, 7}, {9, 30, 40}, {40, 1500, 200}, {300, 70, 33}, {16, 300, 520}, {1100, 20, 540}}) {
        const Matrix a = seeded_matrix(1, rows, inner), b = seeded_matrix(2, inner, cols), product = chained(a, b);
        with_every_width([&, rows = rows, cols = cols](const std::string& forced) {
            Matrix out(rows, cols);
            multiply_into(whole_of(a), b, {0, b.cols()}, out.data(), ProductWork([&](Eigen::Index first, Eigen::Index past, Columns of) {
                out.block(first, of.first, past - first, of.count).array() *= 2;
            }));
            EXPECT_TRUE(same_bits(out, 2 * product)) << forced << ": " << rows << "×" << cols;
        });
    }
}

TEST(Multiply, AnyShape) {
    EXPECT_TRUE(rc::check("any shape up to 70", [] {
        const auto side = [] { return *rc::gen::inRange(0, 70); };
        expect_chained(side(), side(), side());
    }));
}

/// Infinities, NaN, the largest and the smallest numbers, both zeros: added in the order of the definition.
TEST(Multiply, ExtremeNumbers) {
    constexpr float kExtremes[] = {0.0f, -0.0f, 1.0f, -1.0f, std::numeric_limits<float>::infinity(),
                                   -std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN(),
                                   std::numeric_limits<float>::max(), -std::numeric_limits<float>::max(),
                                   std::numeric_limits<float>::min(), std::numeric_limits<float>::denorm_min(),
                                   1.1754942e-38f, 3e-23f, -2e-23f, 1.9e19f, 0x1.fffffep-1f, 0x1.000002p0f};
    std::mt19937 any(1);
    for (const int most : {6, 17}) {  // 6: few kinds, so that infinities rarely dominate; 17: all
        for (int round = 0; round < 20; ++round) {
            Matrix a(9, 4), b(4, 37);
            const auto pick = [&] { return kExtremes[any() % static_cast<unsigned>(most == 6 ? 4 : most)]; };
            for (Matrix* m : {&a, &b})
                for (Eigen::Index i = 0; i < m->size(); ++i) m->data()[i] = any() % 3 ? pick() : kExtremes[7 + any() % 10];
            const Matrix expected = chained(a, b);
            with_every_width([&](const std::string& forced) { EXPECT_TRUE(same_bits(multiply(a, b), expected)) << forced; });
        }
    }
}

/// Without the instruction a fused multiply-add is computed with float64. Compared with the library's on numbers that
/// are hard to round (ends of the mantissa, sums that nearly cancel, results below the smallest normal number).
TEST(Multiply, TheFusedStepWithoutTheInstructionIsExact) {
    std::mt19937_64 any(7);
    const auto number = [&](int low, int high) {
        const auto mantissa = static_cast<std::uint32_t>(any() % 3 == 0 ? (any() % 4 == 0 ? 0x7FFFFFu - any() % 3 : any() % 3)
                                                                         : any() & 0x7FFFFFu);
        const auto exponent = static_cast<std::uint32_t>(low + static_cast<int>(any() % static_cast<unsigned>(high - low)));
        return std::bit_cast<float>(static_cast<std::uint32_t>(any() & 1) << 31 | exponent << 23 | mantissa);
    };
    int inexact = 0;
    for (int i = 0; i < 1'000'000; ++i) {
        const bool tiny = i % 4 == 0;
        const float a = number(tiny ? 30 : 90, tiny ? 80 : 160), b = number(tiny ? 30 : 90, tiny ? 90 : 160);
        float c = number(tiny ? 0 : 60, tiny ? 30 : 200);
        if (i % 5 == 0) c = -a * b;  // the rest is the product's own rounding
        if (i % 7 == 0) c = std::nextafter(-a * b, number(1, 250));
        const float expected = std::fma(a, b, c), made = vectors::fused(a, b, c);
        ASSERT_EQ(std::bit_cast<std::uint32_t>(made), std::bit_cast<std::uint32_t>(expected)) << a << " * " << b << " + " << c;
        inexact += expected != a * b + c;
    }
    EXPECT_GT(inexact, 10'000) << "the numbers are not hard";
}

TEST(Multiply, SeveralThreadsAtOnce) {
    const Matrix a = seeded_matrix(1, 200, 200), b = seeded_matrix(2, 200, 200), expected = chained(a, b);
    const Forced forced(vectors::chosen(), 3);
    std::vector<std::thread> callers;
    std::atomic<int> right = 0;
    for (int caller = 0; caller < 4; ++caller)
        callers.emplace_back([&] {
            for (int i = 0; i < 10; ++i) right += same_bits(multiply(a, b), expected);
        });
    for (std::thread& caller : callers) caller.join();
    EXPECT_EQ(right.load(), 40);
}

TEST(Share, EachPartOnceWhateverTheThreads) {
    for (const int count : {1, 2, 3, 8}) {
        const Forced forced(vectors::chosen(), count);
        for (const int parts : {1, 2, 7, 100}) {
            std::vector<std::atomic<int>> calls(static_cast<std::size_t>(parts));
            share_parts(parts, [&](int part) { ++calls[static_cast<std::size_t>(part)]; });
            for (const auto& each : calls) EXPECT_EQ(each.load(), 1);
        }
    }
}

TEST(Share, ANestedJobRunsOnItsOwnThread) {
    const Forced forced(vectors::chosen(), 3);
    std::atomic<int> inner = 0;
    share_parts(4, [&](int) { share_parts(5, [&](int) { ++inner; }); });
    EXPECT_EQ(inner.load(), 20);
}

/// A model may be closed while a waiting thread still prefetches its weights.
TEST(Share, PrefetchedMemoryMayBeFreed) {
    constexpr std::size_t kBytes = std::size_t{1} << 20;
    const Forced forced(vectors::chosen(), 3);
    std::atomic<int> done = 0;
    for (int i = 0; i < 50; ++i) {
        share_parts(3, [&](int) { ++done; });  // now the threads are awake
        void* const numbers = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        ASSERT_NE(numbers, MAP_FAILED);
        will_read(static_cast<const float*>(numbers), kBytes / sizeof(float));
        if (i % 2 == 0) std::this_thread::sleep_for(std::chrono::microseconds(20));
        munmap(numbers, kBytes);
        std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
    will_read(nullptr, 0);
    share_parts(3, [&](int) { ++done; });
    EXPECT_EQ(done.load(), 153);
}

}  // namespace
}  // namespace attn::test
