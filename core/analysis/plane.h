#pragma once
// Vectors of many features drawn in a plane: two of their features, or the plane through the origin that keeps most of
// them; and what a weight matrix does to such a plane. float64 throughout.

#include <array>
#include <span>

#include "core/base/matrix.h"

namespace attn {

/// Two directions of d features at right angles to each other, each of length 1 (the second is 0 where d is 1).
struct Plane {
    Eigen::Matrix<double, 2, Eigen::Dynamic> axes;  ///< 2×d
    double kept = 1;  ///< Σ|part in the plane|² / Σ|v|² over the vectors that it was made for

    int width() const { return static_cast<int>(axes.cols()); }
};

using PlanePoint = std::array<double, 2>;

/// The plane of two features, from 0.
Plane feature_plane(const Matrix& vectors, int first, int second);
/// The plane through the origin that keeps most of the rows: their first two right singular vectors (PCA without
/// centring, as arrows start at 0). Each axis points where its largest entry is positive, so that it is one plane and
/// not four.
Plane best_plane(const Matrix& vectors);

/// Where a vector of d features falls in the plane.
PlanePoint in_plane(const Plane& plane, const RowVector& vector);
/// The vector with its part in the plane moved to `to`; what is square to the plane stays.
RowVector moved_in_plane(const Plane& plane, const RowVector& vector, PlanePoint to);

/// Two vectors measured whole, not as they fall in a plane.
struct PairMeasure {
    double dot = 0, left_length = 0, right_length = 0;
    double cosine = 0;      ///< 0 where a length is
    double degrees = 90;    ///< of the angle, 0 … 180
    double projection = 0;  ///< left · right / |right|: how far left reaches along right
};
PairMeasure measure_pair(const RowVector& left, const RowVector& right);

/// What x ↦ x·W + b does to the plane `from`, as seen in `to`: a point p goes to p·m + offset. What leaves `to` is not
/// seen.
struct PlaneMap {
    std::array<PlanePoint, 2> m{};
    PlanePoint offset{};
    double area() const { return m[0][0] * m[1][1] - m[0][1] * m[1][0]; }  ///< negative: turned over
    PlanePoint operator()(PlanePoint p) const {
        return {p[0] * m[0][0] + p[1] * m[1][0] + offset[0], p[0] * m[0][1] + p[1] * m[1][1] + offset[1]};
    }
};
/// `weight`: d×d'; `bias`: of d' columns, or none.
PlaneMap map_of_plane(const Plane& from, const Matrix& weight, const RowVector& bias, const Plane& to);

}  // namespace attn
