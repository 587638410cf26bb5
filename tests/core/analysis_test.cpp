// The measurements of the experiments against theory.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/analysis/distance.h"
#include "core/analysis/draws.h"
#include "core/analysis/layer_cost.h"
#include "core/analysis/paths.h"
#include "core/analysis/scaling.h"
#include "core/kernels/softmax.h"
#include "tests/core/support.h"

namespace attn::test {
namespace {

/// q·k of independent entries with variance 1 has variance d; divided by √d it has variance 1.
TEST(ScalingRuns, TheVarianceOfTheScoresIsTheWidth) {
    constexpr std::array kWidths = {1, 4, 16, 64, 256};
    const ScalingRuns course = run_scaling(7, kWidths, 16, 400);
    for (const ScalingRow& row : course.rows) {
        EXPECT_NEAR(row.plain.variance / row.width, 1.0, row.width < 16 ? 0.35 : 0.15) << row.width;
        EXPECT_NEAR(row.scaled.variance, row.plain.variance / row.width, 1e-4) << row.width;
    }
}

TEST(ScalingRuns, WithoutTheFactorTheSoftmaxSaturates) {
    constexpr std::array kWidths = {4, 64, 512};
    const ScalingRuns course = run_scaling(3, kWidths, 16, 300);
    const ScalingRow &small = course.rows.front(), &large = course.rows.back();
    EXPECT_LT(large.plain.entropy, 0.35 * small.plain.entropy);
    EXPECT_LT(large.plain.gradient, 0.8 * large.scaled.gradient);
    EXPECT_GT(large.plain.largest, 0.8);
    EXPECT_NEAR(large.scaled.entropy, small.scaled.entropy, 0.15);
    EXPECT_LE(small.scaled.entropy, std::log(16.0));
}

TEST(ScalingRuns, TheGradientIsTheJacobians) {
    const Matrix scores = seeded_matrix(5, 3, 6);
    const Matrix p = softmax_rows(scores, 1, std::vector<bool>(3, false));
    double expected = 0;
    for (Eigen::Index r = 0; r < p.rows(); ++r) {
        const Eigen::VectorXd row = p.row(r).transpose().cast<double>();
        Eigen::MatrixXd jacobian = -row * row.transpose();
        jacobian.diagonal() += row;
        expected += jacobian.norm() / 3;
    }
    EXPECT_NEAR(spread_of(scores, 1).gradient, expected, 1e-6);
}

TEST(ScalingRuns, TheSameSeedGivesTheSameScores) {
    EXPECT_TRUE(same_bits(drawn_scores(1, 8, 4, 5), drawn_scores(1, 8, 4, 5)));
    EXPECT_FALSE(same_bits(drawn_scores(1, 8, 4, 5), drawn_scores(2, 8, 4, 5)));
}

TEST(Histogram, CountsSharesInsideItsRange) {
    Matrix values(1, 5);
    values << -3, -0.9f, 0.1f, 0.9f, 5;
    EXPECT_EQ(histogram(values, 1, -1, 1, 2), (std::vector<double>{0.2, 0.4}));
    EXPECT_EQ(histogram(values, 0.1f, -1, 1, 2), (std::vector<double>{0.4, 0.6000000000000001}));
}

TEST(LayerCost, IsTheTableOfThePaper) {
    const auto& kinds = layer_kinds();
    const LayerSize size{100, 8, 3, 5};
    const auto of = [&](std::string_view id) {
        return *std::find_if(kinds.begin(), kinds.end(), [&](const LayerKind& k) { return k.id == id; });
    };
    EXPECT_EQ(of("layer_attention").work(size), 80000);
    EXPECT_EQ(of("layer_recurrent").work(size), 6400);
    EXPECT_EQ(of("layer_recurrent").path(size), 99);
    EXPECT_EQ(of("layer_dilated").work(size), 19200);
    EXPECT_EQ(of("layer_dilated").path(size), 7);  // both directions: 2^6 = 64 < 100 <= 2^7
    EXPECT_EQ(of("layer_local").work(size), 4000);
    EXPECT_EQ(of("layer_local").path(size), 20);
    for (const LayerKind& kind : kinds) EXPECT_EQ(kind.path({1, 8, 3, 5}), 1) << kind.id;
}

/// The cost table and the page of paths give the same numbers for the same text.
TEST(LayerCost, HasThePathsOfTheExperiments) {
    const auto& kinds = layer_kinds();
    const auto path = [&](std::string_view id, const LayerSize& size) {
        return std::find_if(kinds.begin(), kinds.end(), [&](const LayerKind& k) { return k.id == id; })->path(size);
    };
    for (const int kernel : {3, 5, 9})
        for (int n = 2; n < 300; ++n) {
            const LayerSize size{static_cast<double>(n), 8, static_cast<double>(kernel), 5};
            PathChoice dilated;
            dilated.kernel = kernel;
            dilated.dilated = true;
            EXPECT_EQ(path("layer_dilated", size), path_length(PathKind::Convolution, dilated, n - 1)) << n;
            EXPECT_EQ(path("layer_attention", size), path_length(PathKind::Attention, {}, n - 1)) << n;
        }
}

TEST(DrawCourse, TheRunningMeanConvergesToTheSoftContext) {
    Document doc;
    doc.text = "the cat sat on the mat";
    doc.config.selection = "hard";
    doc.config.draws = 4000;
    const attn::Run run = run_valid(doc);
    const DrawCourse course = scaling_draws(run.trace, {}, 1, 4000);
    ASSERT_EQ(course.distances.size(), 4000u);
    EXPECT_LT(course.distances.back(), 0.05 * course.soft_length);
    EXPECT_GT(course.distances.front(), course.distances.back());
    // The last distance is that of the step itself.
    const Eigen::RowVectorXf off =
        find(run.trace, {Role::HeadOutput})->value.row(1) - find(run.trace, {Role::SoftContext})->value.row(1);
    EXPECT_NEAR(course.distances.back(), off.norm(), 1e-5);
    EXPECT_EQ(scaling_draws(run.trace, {}, 1, 10).columns.size(), 10u);
    EXPECT_TRUE(scaling_draws(run_valid(Document{}).trace, {}, 0, 10).columns.empty());
}

TEST(DistanceLines, DescribeEachPosition) {
    const auto slopes = distance_lines("alibi", 8, 2, 3);
    ASSERT_EQ(slopes.size(), 2u);
    EXPECT_EQ(slopes[0].values, (std::vector<double>{-0.1875, -0.125, -0.0625, 0, -0.0625, -0.125, -0.1875}));
    for (const char* turned : {"rope", "rope_half"}) {
        const auto lines = distance_lines(turned, 8, 1, 4);
        ASSERT_EQ(lines.size(), 1u);
        EXPECT_NEAR(lines[0].values[4], 1, 1e-6);
        EXPECT_NEAR(lines[0].values[0], lines[0].values[8], 1e-6);
        EXPECT_LT(lines[0].values[8], 0.9);
    }
    EXPECT_NEAR(distance_lines("sinusoidal", 8, 1, 4)[0].values[4], 4, 1e-5);  // four pairs of sin² + cos²
    EXPECT_TRUE(distance_lines("none", 8, 1, 4).empty());
    EXPECT_TRUE(distance_lines("learned", 8, 1, 4).empty());
    EXPECT_TRUE(distance_lines("rope", 7, 1, 4).empty());
}

}  // namespace
}  // namespace attn::test
