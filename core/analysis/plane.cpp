#include "core/analysis/plane.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

#include "core/analysis/symmetric_eigen.h"

namespace attn {
namespace {

using Vector = Eigen::RowVectorXd;
using Square = Eigen::MatrixXd;

/// Singular values below this share of the largest are rounding errors.
constexpr double kTiny = 1e-9;

/// The directions of the largest spread, as rows; fewer than two if the vectors span fewer.
Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic> main_directions(const Square& v) {
    const bool few = v.rows() < v.cols();
    // Products of columns, which are contiguous: Eigen's blocked product would be compiled here for this alone.
    const Square transposed = few ? v.transpose() : v;
    const Square gram = transposed.transpose().lazyProduct(transposed);
    const SymmetricEigen own = symmetric_eigen(gram);
    const auto last = gram.rows() - 1;
    const double largest = last >= 0 ? own.values[last] : 0;
    Square out(0, v.cols());
    for (Eigen::Index i = 0; i < 2 && i <= last; ++i) {
        if (!(own.values[last - i] > largest * kTiny * kTiny) || !(largest > 0)) break;
        const Eigen::VectorXd axis = own.vectors.col(last - i);
        Vector direction = few ? Vector(axis.transpose().lazyProduct(v)) : Vector(axis.transpose());
        const double length = direction.norm();
        if (!(length > std::sqrt(largest) * kTiny)) break;
        out.conservativeResize(out.rows() + 1, Eigen::NoChange);
        out.row(out.rows() - 1) = direction / length;
    }
    return out;
}

/// A direction orthogonal to `first`: the feature that is least along it, minus its part there.
Vector square_to(const Vector& first) {
    Eigen::Index least = 0;
    first.cwiseAbs().minCoeff(&least);
    Vector out = Vector::Zero(first.size());
    if (first.size() < 2) return out;
    out[least] = 1;
    out -= first * first[least];
    return out.normalized();
}

void point_forwards(Eigen::Ref<Vector, 0, Eigen::InnerStride<>> axis) {
    Eigen::Index at = 0;
    axis.cwiseAbs().maxCoeff(&at);
    if (axis[at] < 0) axis = -axis;
}

double share_in_plane(const Plane& plane, const Square& vectors) {
    const double all = vectors.squaredNorm();
    return all > 0 ? std::min(1.0, vectors.lazyProduct(plane.axes.transpose()).squaredNorm() / all) : 1;
}

}  // namespace

Plane feature_plane(const Matrix& vectors, int first, int second) {
    assert(first >= 0 && first < vectors.cols() && second >= 0 && second < vectors.cols());
    Plane plane;
    plane.axes.setZero(2, vectors.cols());
    plane.axes(0, first) = 1;
    if (second != first) plane.axes(1, second) = 1;
    plane.share = share_in_plane(plane, vectors.cast<double>());
    return plane;
}

Plane best_plane(const Matrix& vectors) {
    const Square v =
        vectors.allFinite() ? Square(vectors.cast<double>()) : Square::Zero(vectors.rows(), vectors.cols());
    Plane plane;
    plane.axes.setZero(2, v.cols());
    if (v.cols() == 0) return plane;
    const auto found = main_directions(v);
    Vector first = Vector::Zero(v.cols());
    first[0] = 1;
    if (found.rows() > 0) first = found.row(0);
    const Vector second = found.rows() > 1 ? Vector(found.row(1)) : square_to(first);
    plane.axes.row(0) = first;
    plane.axes.row(1) = second;
    for (int i = 0; i < 2; ++i) {
        Vector axis = plane.axes.row(i);
        point_forwards(axis);
        plane.axes.row(i) = axis;
    }
    plane.share = share_in_plane(plane, v);
    return plane;
}

PlanePoint in_plane(const Plane& plane, const RowVector& vector) {
    const Eigen::Vector2d p = plane.axes * vector.cast<double>().transpose();
    return {p[0], p[1]};
}

RowVector moved_in_plane(const Plane& plane, const RowVector& vector, PlanePoint to) {
    const PlanePoint at = in_plane(plane, vector);
    const Vector moved =
        vector.cast<double>() + (to[0] - at[0]) * plane.axes.row(0) + (to[1] - at[1]) * plane.axes.row(1);
    return moved.cast<float>();
}

PairMeasure measure_pair(const RowVector& left, const RowVector& right) {
    const Vector a = left.cast<double>(), b = right.cast<double>();
    PairMeasure m;
    m.dot = a.dot(b);
    m.left_length = a.norm();
    m.right_length = b.norm();
    if (m.right_length > 0) m.projection = m.dot / m.right_length;
    if (!(m.left_length > 0) || !(m.right_length > 0)) return m;
    // More accurate than acos near 0 and 180 degrees [Kahan, "How Futile are Mindless Assessments of Roundoff …", 2006,
    // 12].
    const Vector u = a / m.left_length, w = b / m.right_length;
    m.cosine = std::clamp(u.dot(w), -1.0, 1.0);
    m.degrees = 2 * std::atan2((u - w).norm(), (u + w).norm()) * 180 / std::numbers::pi;
    return m;
}

PlaneMap map_of_plane(const Plane& from, const Matrix& weight, const RowVector& bias, const Plane& to) {
    assert(from.width() == weight.rows() && to.width() == weight.cols());
    const Square through = from.axes.lazyProduct(weight.cast<double>());
    const Eigen::Matrix2d m = through.lazyProduct(to.axes.transpose());
    PlaneMap out;
    out.m = {PlanePoint{m(0, 0), m(0, 1)}, PlanePoint{m(1, 0), m(1, 1)}};
    if (bias.size() > 0) out.offset = in_plane(to, bias);
    return out;
}

}  // namespace attn
