// Pyramids against brute force.

#include "app/draw/pyramid.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <thread>

#include "app/state/pyramids.h"

namespace {

using namespace app;
using attn::Matrix;

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// Numbers of both signs, about a third of them masked.
Matrix numbers(int rows, int cols, bool masked = true) {
    return Matrix::NullaryExpr(rows, cols, [&](Eigen::Index r, Eigen::Index c) {
        const auto hash = static_cast<unsigned>(r * 7919 + c * 104729 + 13) * 2654435761u >> 8;
        if (masked && (hash % 3 == 0 || c > r + rows / 2)) return -kInf;
        return static_cast<float>(hash % 2001) / 1000.0f - 1.0f;
    });
}

struct Block {
    double sum = 0;
    float largest = 0;
    int count = 0;
    bool broken = false;
};
Block block_of(const Matrix& m, Eigen::Index row, Eigen::Index col, Eigen::Index side) {
    Block b;
    for (Eigen::Index r = row * side; r < std::min((row + 1) * side, m.rows()); ++r)
        for (Eigen::Index c = col * side; c < std::min((col + 1) * side, m.cols()); ++c) {
            const float v = m(r, c);
            if (v == -kInf) continue;
            if (!std::isfinite(v)) {
                b.broken = true;
                continue;
            }
            b.sum += static_cast<double>(v);
            ++b.count;
            if (std::abs(v) > std::abs(b.largest)) b.largest = v;
        }
    return b;
}

void expect_right(const Matrix& m) {
    const auto pyramid = build_pyramid(m);
    ASSERT_TRUE(pyramid);
    Eigen::Index side = 1;
    for (const PyramidLevel& level : pyramid->levels) {
        side *= 2;
        ASSERT_EQ(level.mean.rows(), (m.rows() + side - 1) / side);
        ASSERT_EQ(level.mean.cols(), (m.cols() + side - 1) / side);
        for (Eigen::Index r = 0; r < level.mean.rows(); ++r)
            for (Eigen::Index c = 0; c < level.mean.cols(); ++c) {
                const Block b = block_of(m, r, c, side);
                const float mean = level.mean(r, c), largest = level.largest(r, c);
                if (b.broken) {
                    ASSERT_TRUE(std::isnan(mean) && std::isnan(largest)) << side << ": " << r << ", " << c;
                } else if (b.count == 0) {
                    ASSERT_TRUE(mean == -kInf && largest == -kInf) << side << ": " << r << ", " << c;
                } else {
                    ASSERT_NEAR(mean, b.sum / b.count, 1e-5) << side << ": " << r << ", " << c;
                    ASSERT_EQ(std::abs(largest), std::abs(b.largest)) << side << ": " << r << ", " << c;
                }
            }
    }
    const auto sides = std::max(m.rows(), m.cols());
    EXPECT_EQ(pyramid->levels.empty(), sides <= kSmallestLevel);
    if (pyramid->levels.empty()) return;
    EXPECT_LE(std::max(pyramid->levels.back().mean.rows(), pyramid->levels.back().mean.cols()), kSmallestLevel);
}

TEST(Pyramid, EveryLevelIsTheMeanAndTheLargestOfItsBlocks) {
    for (const auto& [rows, cols] :
         {std::pair(512, 512), {513, 700}, {1000, 257}, {1021, 1023}, {257, 3}, {200, 100}}) {
        SCOPED_TRACE(std::to_string(rows) + " × " + std::to_string(cols));
        expect_right(numbers(rows, cols));
    }
}

TEST(Pyramid, ANonFiniteNumberIsVisibleAtEveryLevel) {
    Matrix m = numbers(600, 600, false);
    m(431, 77) = kNan;
    m(12, 500) = kInf;
    expect_right(m);
}

TEST(Pyramid, WhollyMaskedBlocksStayMasked) {
    const Matrix m = Matrix::Constant(600, 600, -kInf);
    expect_right(m);
    EXPECT_EQ(build_pyramid(m)->bulk, 0);
}

TEST(Pyramid, TheLargestKeepsItsSign) {
    Matrix m = Matrix::Constant(300, 300, 0.5f);
    m(10, 10) = -3;
    const auto pyramid = build_pyramid(m);
    EXPECT_EQ(pyramid->levels.front().largest(5, 5), -3);
    EXPECT_EQ(pyramid->levels.front().largest(6, 5), 0.5f);
}

TEST(Pyramid, TheBulkExcludesOutliers) {
    Matrix m = Matrix::Constant(1000, 1000, 0.001f);
    m.row(0).setOnes();
    EXPECT_FLOAT_EQ(build_pyramid(m)->bulk, 0.001f);
}

TEST(Pyramid, CanBeCancelled) {
    std::stop_source stop;
    stop.request_stop();
    EXPECT_FALSE(build_pyramid(numbers(600, 600), stop.get_token()));
}

/// The rows of `m` in blocks of so many rows.
template <class Take>
void in_blocks(const Matrix& m, Eigen::Index rows, const Take& take) {
    for (Eigen::Index first = 0; first < m.rows(); first += rows)
        take(Matrix(m.middleRows(first, std::min(rows, m.rows() - first))));
}

/// Also where the first masked cell is in a late block, and where there is none.
TEST(Pyramid, IsTheSameForRowsInBlocks) {
    Matrix late = numbers(901, 700, false);
    late(899, 3) = -kInf;
    for (const Matrix& m : {numbers(901, 700), numbers(901, 700, false), late}) {
        const auto whole = build_pyramid(m);
        for (const Eigen::Index rows : {2, 6, 512}) {
            PyramidBuilder builder(m.rows(), m.cols());
            in_blocks(m, rows, [&](const Matrix& block) { EXPECT_TRUE(builder.add(block)); });
            const auto made = builder.finish();
            ASSERT_EQ(made->levels.size(), whole->levels.size());
            for (std::size_t i = 0; i < made->levels.size(); ++i) {
                EXPECT_EQ(made->levels[i].mean, whole->levels[i].mean) << rows << " level " << i;
                EXPECT_EQ(made->levels[i].largest, whole->levels[i].largest) << rows << " level " << i;
            }
            EXPECT_EQ(made->bulk, whole->bulk);
        }
    }
}

TEST(Pyramid, TakesHalfForOneKindOfPooling) {
    const Matrix m = numbers(901, 700);
    const auto both = build_pyramid(m);
    for (const Pooling pooling : {Pooling::Mean, Pooling::Largest}) {
        PyramidBuilder builder(m.rows(), m.cols(), pooling);
        ASSERT_TRUE(builder.add(m));
        const auto made = builder.finish();
        ASSERT_EQ(made->levels.size(), both->levels.size());
        for (std::size_t i = 0; i < made->levels.size(); ++i) EXPECT_EQ(made->levels[i].of(pooling), both->levels[i].of(pooling));
        EXPECT_EQ(2 * made->bytes(), both->bytes());
    }
}

TEST(Pyramid, RangeIsTheSameForRowsInBlocks) {
    const Matrix m = 1000 * numbers(901, 700).cwiseAbs().cwiseMax(-3).array().pow(9).matrix();
    RangeGathering whole(m.rows(), m.cols()), blocks(m.rows(), m.cols());
    whole.add(m);
    in_blocks(m, 7, [&](const Matrix& block) { blocks.add(block); });
    const StepRange a = whole.range(), b = blocks.range();
    EXPECT_EQ(a.low, b.low);
    EXPECT_EQ(a.high, b.high);
    EXPECT_EQ(a.bulk, b.bulk);
    EXPECT_GT(a.high, 0);
}

/// For a value in memory, the survey agrees with the pyramid and the range.
TEST(Pyramids, SurveyGivesPyramidAndRange) {
    Pyramids pyramids;
    const Matrix m = numbers(901, 700);
    pyramids.begin({1});
    const PyramidKey key{5, 1, Pooling::Largest};
    std::optional<StepRange> range_seen;
    const auto tell = [&](const StepRange& range) { range_seen = range; };
    EXPECT_EQ(pyramids.survey(key, attn::StepValue(m), tell), nullptr);
    pyramids.wait();
    const Pyramid* made = pyramids.peek(key);
    ASSERT_NE(made, nullptr);
    EXPECT_EQ(made->levels.front().largest, build_pyramid(m)->levels.front().largest);
    EXPECT_EQ(made->levels.front().mean.size(), 0);
    ASSERT_TRUE(range_seen);
    EXPECT_EQ(range_seen->high, 1);
    EXPECT_EQ(pyramids.survey(key, attn::StepValue(m), tell), made) << "once";
}

/// For small pictures only the last level is stored, in its place.
TEST(Pyramids, FromAfarHaveOnlyTheirLastLevel) {
    Pyramids pyramids;
    const Matrix m = numbers(1500, 1301);
    pyramids.begin({1});
    const PyramidKey key{5, 1, Pooling::Mean, true};
    pyramids.survey(key, attn::StepValue(m), [](const StepRange&) {});
    pyramids.wait();
    const Pyramid *made = pyramids.peek(key), whole = *build_pyramid(m);
    ASSERT_NE(made, nullptr);
    ASSERT_EQ(made->levels.size(), whole.levels.size());
    ASSERT_GT(whole.levels.size(), 1u);
    EXPECT_EQ(made->levels.back().mean, whole.levels.back().mean);
    for (std::size_t i = 0; i + 1 < made->levels.size(); ++i) EXPECT_EQ(made->levels[i].mean.size(), 0);
    EXPECT_EQ(made->bulk, whole.bulk);
    EXPECT_EQ(made->bytes(), static_cast<std::size_t>(whole.levels.back().mean.size()) * sizeof(float));
}

TEST(Pyramids, AreBuiltOnceAndDroppedWithTheirRun) {
    Pyramids pyramids;
    const Matrix m = numbers(600, 600);
    const auto owner = std::make_shared<int>(1);
    pyramids.begin({1});
    EXPECT_EQ(pyramids.get({3, 1}, m, owner), nullptr);
    pyramids.wait();
    EXPECT_TRUE(pyramids.ready());
    EXPECT_EQ(pyramids.progress(), 1);
    pyramids.begin({1});
    EXPECT_FALSE(pyramids.ready());
    const Pyramid* made = pyramids.get({3, 1}, m, owner);
    ASSERT_NE(made, nullptr);
    EXPECT_EQ(pyramids.get({3, 1}, m, owner), made);
    EXPECT_EQ(pyramids.bytes(), made->bytes());
    pyramids.begin({2});
    EXPECT_EQ(pyramids.bytes(), 0u);
}

TEST(Pyramids, CopyNumbersThatMayBeEvicted) {
    Pyramids pyramids;
    auto m = std::make_unique<Matrix>(Matrix::Constant(600, 600, 2));
    pyramids.begin({1});
    EXPECT_EQ(pyramids.get({1, 1}, *m, nullptr), nullptr);
    m.reset();
    pyramids.wait();
    ASSERT_NE(pyramids.peek({1, 1}), nullptr);
    EXPECT_EQ(pyramids.peek({1, 1})->levels.front().mean(7, 9), 2);
}

TEST(Pyramids, StayWithinTheirBudget) {
    Pyramids pyramids;
    const Matrix m = Matrix::Zero(2048, 2048);  // its pyramid is 2/3 of 16 MiB
    const auto owner = std::make_shared<int>(1);
    for (int i = 0; i < 40; ++i) {
        pyramids.begin({1});
        pyramids.get({i, 1}, m, owner);
        pyramids.wait();
        ASSERT_LE(pyramids.bytes(), Pyramids::kBudget);
    }
    EXPECT_EQ(pyramids.peek({0, 1}), nullptr);
    EXPECT_NE(pyramids.peek({39, 1}), nullptr);
}

}  // namespace
