#pragma once
// Vectors of many features projected onto a plane: that of two features, or the plane through the origin that preserves
// most of them; and the effect of a weight matrix on such a plane. float64 throughout.

#include <array>
#include <span>

#include "core/base/matrix.h"

namespace attn {

/// Two orthonormal directions in d features (the second is 0 if d is 1).
struct Plane {
    Eigen::Matrix<double, 2, Eigen::Dynamic> axes;  ///< 2×d
    double share = 1;  ///< Σ|part in the plane|² / Σ|v|² over the vectors it was computed from

    int width() const { return static_cast<int>(axes.cols()); }
};

using PlanePoint = std::array<double, 2>;

/// The plane of two features, from 0.
Plane feature_plane(const Matrix& vectors, int first, int second);
/// The plane through the origin that preserves most of the rows: their first two right singular vectors (PCA without
/// centring, since vectors are drawn from 0). The sign of each axis is fixed: its largest entry is positive.
Plane best_plane(const Matrix& vectors);

/// The projection of a vector of d features onto the plane.
PlanePoint in_plane(const Plane& plane, const RowVector& vector);
/// The vector with its part in the plane moved to `to`; its orthogonal part is unchanged.
RowVector moved_in_plane(const Plane& plane, const RowVector& vector, PlanePoint to);

/// Two vectors compared in all features, not in their projection.
struct PairMeasure {
    double dot = 0, left_length = 0, right_length = 0;
    double cosine = 0;      ///< 0 if a length is 0
    double degrees = 90;    ///< of the angle, 0 … 180
    double projection = 0;  ///< left · right / |right|: the length of left along right
};
PairMeasure measure_pair(const RowVector& left, const RowVector& right);

/// The map x ↦ x·W + b from the plane `from`, seen in the plane `to`: a point p goes to p·m + offset. Components
/// outside `to` are not shown.
struct PlaneMap {
    std::array<PlanePoint, 2> m{};
    PlanePoint offset{};
    double area() const { return m[0][0] * m[1][1] - m[0][1] * m[1][0]; }  ///< negative: mirrored
    PlanePoint operator()(PlanePoint p) const {
        return {p[0] * m[0][0] + p[1] * m[1][0] + offset[0], p[0] * m[0][1] + p[1] * m[1][1] + offset[1]};
    }
};
/// `weight`: d×d'; `bias`: of d' columns, or none.
PlaneMap map_of_plane(const Plane& from, const Matrix& weight, const RowVector& bias, const Plane& to);

}  // namespace attn
