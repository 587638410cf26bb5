// Rotary positions: a row's rotation depends neither on the rows next to it nor on earlier rotations.
#include <gtest/gtest.h>

#include <cmath>
#include <thread>
#include <vector>

#include "core/kernels/kernels.h"
#include "tests/core/support.h"

namespace attn::test {
namespace {

RotateParams rotation(int first, bool half_pairs, bool backward, float base = 10000, const RotarySlowing& slowing = {}) {
    return {.base = base, .first = first, .half_pairs = half_pairs, .backward = backward, .slowing = slowing};
}

/// The definition, one number at a time [Su et al. 2021, eq. 34].
Matrix turned(const Matrix& x, const RotateParams& params) {
    Matrix out(x.rows(), x.cols());
    const auto width = static_cast<int>(x.cols());
    for (int r = 0; r < x.rows(); ++r)
        for (int c = 0; c < width; ++c) {
            const kernel::Pairing pair = kernel::pairing(c, width, params.half_pairs);
            const double angle = kernel::rotation_angle(params, params.first + r, pair.pair, width) * (params.backward ? -1 : 1);
            const double other = static_cast<double>(x(r, pair.other)) * (pair.first ? -1 : 1);
            out(r, c) = static_cast<float>(static_cast<double>(x(r, c)) * std::cos(angle) + other * std::sin(angle));
        }
    return out;
}

TEST(Rotation, DoesNotDependOnEarlierRotations) {
    const Matrix x = seeded_matrix(3, 40, 12);
    const RotarySlowing slow{.factor = 8, .original = 16}, pairs{.factor = 4, .pair_low = 1, .pair_high = 4};
    // Longer and shorter texts, parts of them, other bases and scalings in turn: cached angles must not mix.
    for (const auto& [first, rows] : {std::pair{0, 40}, {0, 8}, {5, 20}, {39, 1}, {30, 40}, {-3, 10}, {1000, 3}})
        for (const int width : {12, 6, 2})
            for (int i = 0; i < 24; ++i) {
                const RotarySlowing slowing = i % 3 == 0 ? RotarySlowing{} : i % 3 == 1 ? slow : pairs;
                const RotateParams params = rotation(first, i / 3 % 2 == 0, i / 6 % 2 == 0, i / 12 % 2 == 0 ? 10000.0f : 500.0f, slowing);
                const Matrix part = x.block(0, 0, rows, width);
                EXPECT_TRUE(same_bits(kernel::rotated(part, params), turned(part, params)))
                    << "rows from " << first << ", " << rows << " of width " << width << ", " << i;
            }
}

TEST(Rotation, SeveralThreadsAtOnce) {
    const Matrix x = seeded_matrix(4, 30, 8);
    std::vector<int> right(4);
    std::vector<std::thread> callers;
    for (std::size_t caller = 0; caller < right.size(); ++caller)
        callers.emplace_back([&, caller] {
            for (int i = 0; i < 60; ++i) {
                const RotateParams params = rotation(2000 + i, i % 2 == 0, false);
                right[caller] += same_bits(kernel::rotated(x, params), turned(x, params));
            }
        });
    for (std::thread& caller : callers) caller.join();
    for (const int count : right) EXPECT_EQ(count, 60);
}

}  // namespace
}  // namespace attn::test
