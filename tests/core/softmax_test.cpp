// The limits of the softmax: ties, temperatures from 0 to infinity, scores at the end of float32's range, and beyond.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <limits>

#include "core/kernels/softmax.h"
#include "core/ops/explain.h"
#include "core/ops/ops.h"
#include "tests/core/support.h"

namespace attn::test {
namespace {

constexpr float kLargest = std::numeric_limits<float>::max();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

RowVector weights_of(const std::vector<float>& scores, float temperature = 1) {
    RowVector out(static_cast<Eigen::Index>(scores.size()));
    softmax_row(scores.data(), static_cast<int>(scores.size()), temperature, out.data());
    return out;
}

std::optional<RowState> state_of(const std::vector<float>& scores) {
    RowVector out(static_cast<Eigen::Index>(scores.size()));
    return softmax_row(scores.data(), static_cast<int>(scores.size()), 1, out.data());
}

RowVector row(std::initializer_list<float> values) {
    RowVector out(static_cast<Eigen::Index>(values.size()));
    std::copy(values.begin(), values.end(), out.data());
    return out;
}

/// The definition, in float64.
std::vector<double> exact(const std::vector<float>& scores, double temperature) {
    const double top = static_cast<double>(*std::max_element(scores.begin(), scores.end()));
    std::vector<double> out;
    double sum = 0;
    for (const float score : scores) {
        out.push_back(std::exp((static_cast<double>(score) - top) / temperature));
        sum += out.back();
    }
    for (double& share : out) share /= sum;
    return out;
}

TEST(Softmax, TemperatureZeroIsTheLargestAndTiesShare) {
    EXPECT_EQ(weights_of({1, 3, 3, 2}, 0), row({0, 0.5f, 0.5f, 0}));
    EXPECT_EQ(weights_of({-5, -9, -7}, 0), row({1, 0, 0}));
    EXPECT_EQ(weights_of({2, -kInfinity, 2, 2}, 0), row({1.0f / 3, 0, 1.0f / 3, 1.0f / 3}));
    EXPECT_EQ(weights_of({1, std::nextafter(1.0f, 2.0f)}, 0), row({0, 1}));
}

TEST(Softmax, WorksInPlace) {
    const std::vector<float> scores = {0.5f, 2, -1, 2};
    for (const float temperature : {0.0f, 0.5f, 1.0f, std::numeric_limits<float>::infinity()}) {
        std::vector<float> apart(4), in_place = scores;
        EXPECT_FALSE(softmax_row(scores.data(), 4, temperature, apart.data()));
        EXPECT_FALSE(softmax_row(in_place.data(), 4, temperature, in_place.data()));
        EXPECT_EQ(in_place, apart) << temperature;
    }
}

TEST(Softmax, TinyTemperaturesTendToTheLargest) {
    for (const float tiny : {1e-38f, std::numeric_limits<float>::denorm_min(), 1e-6f}) {
        EXPECT_EQ(weights_of({1, 3, 3, 2}, tiny), row({0, 0.5f, 0.5f, 0})) << tiny;
        EXPECT_EQ(weights_of({1e30f, -1e30f, 0}, tiny), row({1, 0, 0})) << tiny;
    }
}

TEST(Softmax, HugeTemperaturesAreUniform) {
    for (const float huge : {1e38f, kLargest, kInfinity}) {
        EXPECT_EQ(weights_of({1, 300, -40, 2}, huge), row({0.25f, 0.25f, 0.25f, 0.25f})) << huge;
        EXPECT_EQ(weights_of({1e4f, -kInfinity, -1e4f}, huge), row({0.5f, 0, 0.5f})) << huge;
    }
    EXPECT_EQ(weights_of({kLargest, -kLargest, 0}, kInfinity), row({1.0f / 3, 1.0f / 3, 1.0f / 3}));
}

TEST(Softmax, ScoresFurtherApartThanFloat32Holds) {
    const std::vector<float> scores = {3e38f, -3e38f, 0};  // the difference of the first two is 6e38
    const RowVector weights = weights_of(scores, 1e38f);
    const std::vector<double> expected = exact(scores, static_cast<double>(1e38f));
    for (Eigen::Index i = 0; i < 3; ++i) {
        EXPECT_NEAR(static_cast<double>(weights[i]), expected[static_cast<std::size_t>(i)], 1e-7);
    }
    EXPECT_EQ(weights_of(scores), row({1, 0, 0}));
}

TEST(Softmax, LargeScoresAreExactAndFinite) {
    EXPECT_EQ(weights_of({1e4f, -1e4f}), row({1, 0}));
    EXPECT_EQ(weights_of({1e30f, -1e30f, 1e30f}), row({0.5f, 0, 0.5f}));
    EXPECT_EQ(weights_of({-1e30f, -1e30f}), row({0.5f, 0.5f}));
    EXPECT_EQ(weights_of({-1e4f, -1e4f, -1e4f, -1e4f}), row({0.25f, 0.25f, 0.25f, 0.25f}));
    const RowVector near = weights_of({10000, 9999});
    EXPECT_NEAR(static_cast<double>(near[0]), 1 / (1 + std::exp(-1.0)), 1e-7);
}

TEST(Softmax, ExponentsThatUnderflowAreExactlyZero) {
    for (const float below : {88.0f, 100.0f, 104.0f, 1e3f, 1e38f}) EXPECT_EQ(weights_of({0, -below}), row({1, 0}));
}

TEST(Softmax, TiesAreEqualAtAnyColumn) {
    for (int count = 1; count <= 40; ++count)
        for (const float temperature : {0.0f, 0.3f, 1.0f, 5.0f}) {
            std::vector<float> scores(static_cast<std::size_t>(count), 0.7f);
            if (count > 3) scores[static_cast<std::size_t>(count) / 2] = 0.1f;
            const RowVector weights = weights_of(scores, temperature);
            for (int j = 1; j < count; ++j)
                if (scores[static_cast<std::size_t>(j)] == 0.7f) {
                    ASSERT_EQ(weights[j], weights[0]) << count << " " << j;
                }
        }
}

TEST(Softmax, WhollyMaskedRowIsZero) {
    EXPECT_EQ(weights_of({-kInfinity, -kInfinity, -kInfinity}), row({0, 0, 0}));
    EXPECT_EQ(state_of({-kInfinity, -kInfinity}), RowState::AllMasked);
    EXPECT_EQ(state_of({-kInfinity, -1e30f}), std::nullopt);
}

TEST(Softmax, OverflowNeverGivesANumber) {
    for (const std::vector<float>& scores :
         {std::vector<float>{kInfinity, 1}, {1, kNan}, {kNan, 1}, {kNan, kInfinity}}) {
        EXPECT_EQ(state_of(scores), RowState::Overflow);
        EXPECT_TRUE(weights_of(scores).array().isNaN().all());
    }
}

TEST(Softmax, LongRowsSumToOne) {
    for (const int count : {63, 512, 2048, 5000}) {
        const Matrix scores = seeded_matrix(static_cast<std::uint64_t>(count), 1, count, 3);
        const RowVector weights = weights_of({scores.data(), scores.data() + count});
        EXPECT_NEAR(weights.cast<double>().sum(), 1.0, 1e-6) << count;
    }
}

TEST(Softmax, AgreesWithFloat64) {
    EXPECT_TRUE(rc::check("any finite row, any temperature", [] {
        const auto hundredths = *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(-3000, 3001)));
        const float temperature = static_cast<float>(*rc::gen::inRange(1, 1000)) / 100.0f;
        std::vector<float> scores;
        for (const int h : hundredths) scores.push_back(static_cast<float>(h) / 100.0f);
        const RowVector weights = weights_of(scores, temperature);
        const std::vector<double> expected = exact(scores, static_cast<double>(temperature));
        for (std::size_t i = 0; i < scores.size(); ++i) {
            RC_ASSERT(std::abs(static_cast<double>(weights[static_cast<Eigen::Index>(i)]) - expected[i]) < 1e-6);
            for (std::size_t j = 0; j < i; ++j)
                if (scores[i] > scores[j])
                    RC_ASSERT(weights[static_cast<Eigen::Index>(i)] >= weights[static_cast<Eigen::Index>(j)]);
        }
    }));
}

TEST(Softmax, TheTraceSaysWhichRowsAreWhollyMasked) {
    // −∞ means "masked" only where there is a mask.
    Matrix pattern(2, 2);
    pattern << 1, 1, 0, 0;
    Matrix seen(2, 2);
    seen << 1, 2, 3, 4;
    Trace t = trace_of(seen);
    const StepId by = input(t, pattern, {Role::MaskPattern}, {}, {}, {Source::Drawn});
    const StepId weights = softmax(t, mask(t, 0, by, {Role::Masked}), 1, {Role::Weights});
    EXPECT_EQ(row_state(t, weights, 0), std::nullopt);
    EXPECT_EQ(row_state(t, weights, 1), RowState::AllMasked);
    EXPECT_EQ(t[weights].value.row(1), RowVector::Zero(2));
    EXPECT_EQ(explain_text(t, explain(t, {weights, 1, 0})),
              "weights[2, 1] = 0 (every position of this row is masked) = 0");
}

}  // namespace
}  // namespace attn::test
