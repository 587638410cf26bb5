// Best-fitting planes through vectors, against the properties that define them and a singular value decomposition.
#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <cmath>
#include <numbers>

#include "core/analysis/plane.h"
#include "tests/core/support.h"

namespace attn::test {
namespace {

void expect_orthonormal(const Plane& plane) {
    EXPECT_NEAR(plane.axes.row(0).norm(), 1, 1e-9);
    EXPECT_NEAR(plane.axes.row(1).norm(), 1, 1e-9);
    EXPECT_NEAR(plane.axes.row(0).dot(plane.axes.row(1)), 0, 1e-9);
}

TEST(BestPlane, HasTheTwoLargestSingularValues) {
    for (const auto& [rows, cols] : {std::pair{12, 5}, {3, 40}, {40, 3}, {7, 7}, {2, 2}}) {
        const Matrix vectors = seeded_matrix(static_cast<std::uint64_t>(rows), rows, cols);
        const Plane plane = best_plane(vectors);
        expect_orthonormal(plane);
        const Eigen::JacobiSVD<Eigen::MatrixXd> svd(vectors.cast<double>());
        const Eigen::VectorXd s = svd.singularValues();
        EXPECT_NEAR(plane.share, (s[0] * s[0] + s[1] * s[1]) / s.squaredNorm(), 1e-9) << rows << "x" << cols;
        double kept = 0;
        for (int r = 0; r < rows; ++r) {
            const PlanePoint p = in_plane(plane, vectors.row(r));
            kept += p[0] * p[0] + p[1] * p[1];
        }
        EXPECT_NEAR(kept / static_cast<double>(vectors.cast<double>().squaredNorm()), plane.share, 1e-6);
    }
}

/// Two vectors lie entirely in their plane: lengths and angle are preserved.
TEST(BestPlane, OfTwoVectorsLosesNothing) {
    const Matrix pair = seeded_matrix(3, 2, 9);
    const Plane plane = best_plane(pair);
    EXPECT_NEAR(plane.share, 1, 1e-9);
    const PlanePoint a = in_plane(plane, pair.row(0)), b = in_plane(plane, pair.row(1));
    const PairMeasure m = measure_pair(pair.row(0), pair.row(1));
    EXPECT_NEAR(std::hypot(a[0], a[1]), m.left_length, 1e-6);
    EXPECT_NEAR(a[0] * b[0] + a[1] * b[1], m.dot, 1e-6);
}

TEST(BestPlane, ExistsForDegenerateVectors) {
    Matrix equal(2, 3);
    equal << 1, 2, 2, 1, 2, 2;
    expect_orthonormal(best_plane(equal));
    EXPECT_NEAR(best_plane(equal).share, 1, 1e-9);
    expect_orthonormal(best_plane(Matrix::Zero(4, 3)));
    EXPECT_EQ(best_plane(Matrix::Zero(4, 3)).share, 1);
    const Plane line = best_plane(Matrix::Constant(2, 1, -3));
    EXPECT_EQ(line.axes(0, 0), 1);
    EXPECT_EQ(line.axes(1, 0), 0);
    Matrix broken = seeded_matrix(1, 3, 4);
    broken(1, 1) = kInfinity;
    expect_orthonormal(best_plane(broken));
}

TEST(BestPlane, HasAConsistentOrientation) {
    const Matrix vectors = seeded_matrix(5, 6, 8);
    EXPECT_TRUE(best_plane(vectors).axes.isApprox(best_plane(-vectors).axes, 1e-9));
}

TEST(FeaturePlane, IsTwoFeatures) {
    const Matrix vectors = seeded_matrix(2, 4, 6);
    const Plane plane = feature_plane(vectors, 1, 4);
    const PlanePoint p = in_plane(plane, vectors.row(3));
    EXPECT_EQ(p[0], static_cast<double>(vectors(3, 1)));
    EXPECT_EQ(p[1], static_cast<double>(vectors(3, 4)));
    double kept = 0, all = 0;
    for (int r = 0; r < 4; ++r)
        for (int c = 0; c < 6; ++c) {
            const double square = static_cast<double>(vectors(r, c)) * static_cast<double>(vectors(r, c));
            all += square;
            if (c == 1 || c == 4) kept += square;
        }
    EXPECT_NEAR(plane.share, kept / all, 1e-12);
}

TEST(MovedInPlane, ReachesTheTargetAndKeepsTheRest) {
    const Matrix vectors = seeded_matrix(9, 3, 6);
    for (const Plane& plane : {best_plane(vectors), feature_plane(vectors, 0, 5)}) {
        const RowVector before = vectors.row(1), after = moved_in_plane(plane, before, {0.5, -2});
        const PlanePoint at = in_plane(plane, after);
        EXPECT_NEAR(at[0], 0.5, 1e-6);
        EXPECT_NEAR(at[1], -2, 1e-6);
        const Eigen::RowVectorXd change = (after - before).cast<double>();
        const Eigen::RowVectorXd square = change - change * plane.axes.transpose() * plane.axes;
        EXPECT_NEAR(square.norm(), 0, 1e-6);
    }
}

TEST(PairMeasured, AngleLengthsAndProjection) {
    RowVector a(3), b(3);
    a << 3, 0, 4;
    b << 2, 0, 0;
    const PairMeasure m = measure_pair(a, b);
    EXPECT_DOUBLE_EQ(m.dot, 6);
    EXPECT_DOUBLE_EQ(m.left_length, 5);
    EXPECT_DOUBLE_EQ(m.projection, 3);
    EXPECT_NEAR(m.cosine, 0.6, 1e-12);
    EXPECT_NEAR(m.degrees, std::acos(0.6) * 180 / std::numbers::pi, 1e-9);
    EXPECT_NEAR(measure_pair(a, -a).degrees, 180, 1e-9);
    EXPECT_NEAR(measure_pair(a, a).degrees, 0, 1e-9);
    const PairMeasure none = measure_pair(a, RowVector::Zero(3));
    EXPECT_EQ(none.cosine, 0);
    EXPECT_EQ(none.degrees, 90);
    EXPECT_EQ(none.projection, 0);
}

/// A vector that lies in the first plane is mapped to where its image falls in the second.
TEST(PlaneMapped, IsTheMatrixRestrictedToThePlanes) {
    const Matrix weight = seeded_matrix(4, 6, 5);
    const RowVector bias = seeded_matrix(5, 1, 5).row(0);
    const Plane from = best_plane(seeded_matrix(6, 4, 6)), to = best_plane(seeded_matrix(7, 4, 5));
    const PlaneMap map = map_of_plane(from, weight, bias, to);
    for (const PlanePoint p : {PlanePoint{0, 0}, {1, 0}, {0.25, -3}}) {
        const Eigen::RowVectorXd x = p[0] * from.axes.row(0) + p[1] * from.axes.row(1);
        const Eigen::RowVectorXd y = x * weight.cast<double>() + bias.cast<double>();
        EXPECT_NEAR(map(p)[0], y.dot(to.axes.row(0)), 1e-9);
        EXPECT_NEAR(map(p)[1], y.dot(to.axes.row(1)), 1e-9);
    }
    const PlaneMap same = map_of_plane(from, Matrix::Identity(6, 6), {}, from);
    EXPECT_NEAR(same.area(), 1, 1e-9);
    EXPECT_EQ(same.offset, (PlanePoint{0, 0}));
}

}  // namespace
}  // namespace attn::test
