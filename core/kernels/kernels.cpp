#include "core/kernels/kernels.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/parallel.h"
#include "core/base/reused_matrices.h"
#include "core/kernels/widths.h"

namespace attn::kernel {
namespace {

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// A matrix computed row by row: make(kernels, row, out).
template <class Make>
Matrix by_rows(const Matrix& x, const Make& make) {
    constexpr double kCost = 4;  // per number, in simple operations
    Matrix out = unwritten(x.rows(), x.cols());
    const vectors::Kernels& k = vectors::kernels();
    share_rows(x.rows(), kCost * static_cast<double>(x.cols()), [&](Eigen::Index first, Eigen::Index past) {
        for (Eigen::Index r = first; r < past; ++r) make(k, x.row(r).data(), out.row(r).data());
    });
    return out;
}

float over(const Matrix& b, Eigen::Index r, Eigen::Index c) { return b(r, b.cols() == 1 ? 0 : c); }

}  // namespace

Matrix multiplied(const Matrix& a, const Matrix& b) {
    Matrix out = unwritten(a.rows(), a.cols());
    share_rows(a.rows(), static_cast<double>(a.cols()), [&](Eigen::Index first, Eigen::Index past) {
        auto rows = out.middleRows(first, past - first).array();
        const auto left = a.middleRows(first, past - first).array();
        if (b.cols() == a.cols())
            rows = left * b.middleRows(first, past - first).array();
        else
            rows = left.colwise() * b.col(0).segment(first, past - first).array();
    });
    return out;
}

Matrix divided(const Matrix& a, const Matrix& b) {
    Matrix out = unwritten(a.rows(), a.cols());
    for (Eigen::Index r = 0; r < a.rows(); ++r)
        for (Eigen::Index c = 0; c < a.cols(); ++c)
            out(r, c) = a(r, c) == 0 && over(b, r, c) == 0 ? 0.0f : a(r, c) / over(b, r, c);
    return out;
}

Matrix unit_rows(const Matrix& x) {
    return by_rows(x, [&](const vectors::Kernels& k, const float* row, float* out) {
        const double length = std::sqrt(k.sum_of_squares(row, x.cols(), 0));
        if (length == 0)
            std::fill(out, out + x.cols(), 0.0f);
        else
            k.normalise(row, x.cols(), 0, length, nullptr, nullptr, out);
    });
}

Matrix layer_norm(const Matrix& x, const Matrix& gain, const Matrix& bias, float epsilon) {
    const auto count = static_cast<double>(x.cols());
    return by_rows(x, [&](const vectors::Kernels& k, const float* row, float* out) {
        const double mean = k.sum(row, x.cols()) / count;
        const double spread = std::sqrt(k.sum_of_squares(row, x.cols(), mean) / count + static_cast<double>(epsilon));
        k.normalise(row, x.cols(), mean, spread, gain.data(), bias.data(), out);
    });
}

Matrix rms_norm(const Matrix& x, const Matrix& gain, float epsilon) {
    const auto count = static_cast<double>(x.cols());
    return by_rows(x, [&](const vectors::Kernels& k, const float* row, float* out) {
        const double size = std::sqrt(k.sum_of_squares(row, x.cols(), 0) / count + static_cast<double>(epsilon));
        k.normalise(row, x.cols(), 0, size, gain.data(), nullptr, out);
    });
}

Matrix softmax_gradient(const Matrix& weights, const Matrix& gradient, float temperature) {
    Matrix out = unwritten(weights.rows(), weights.cols());
    for (Eigen::Index r = 0; r < weights.rows(); ++r) {
        const auto p = weights.row(r).cast<double>().array(), g = gradient.row(r).cast<double>().array();
        const double mean = (p * g).sum();
        out.row(r) = (p * (g - mean) / static_cast<double>(temperature)).cast<float>();
    }
    return out;
}

NormSlopes norm_slopes(const float* x, const float* gain, const float* gradient, Eigen::Index count, bool centred, float epsilon) {
    NormSlopes out;
    const auto n = static_cast<double>(count);
    for (Eigen::Index j = 0; centred && j < count; ++j) out.mean += static_cast<double>(x[j]) / n;
    double squares = 0;
    for (Eigen::Index j = 0; j < count; ++j) {
        const double off = static_cast<double>(x[j]) - out.mean, u = static_cast<double>(gradient[j]) * static_cast<double>(gain[j]);
        squares += off * off;
        out.shared += centred ? u / n : 0;
        out.along += u * off;
    }
    out.spread = std::sqrt(squares / n + static_cast<double>(epsilon));
    out.along /= out.spread * n;
    return out;
}

Matrix norm_gradient(const Matrix& x, const Matrix& gain, const Matrix& gradient, bool centred, float epsilon) {
    Matrix out = unwritten(x.rows(), x.cols());
    for (Eigen::Index r = 0; r < x.rows(); ++r) {
        const NormSlopes s = norm_slopes(x.row(r).data(), gain.data(), gradient.row(r).data(), x.cols(), centred, epsilon);
        for (Eigen::Index j = 0; j < x.cols(); ++j) {
            const double u = static_cast<double>(gradient(r, j)) * static_cast<double>(gain(0, j));
            const double unit = (static_cast<double>(x(r, j)) - s.mean) / s.spread;
            out(r, j) = static_cast<float>((u - s.shared - unit * s.along) / s.spread);
        }
    }
    return out;
}

int distance_column(int distance, int clip) { return std::clamp(distance, -clip, clip) + clip; }

Matrix collected(const Matrix& x, int clip, int first) {
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> sums(x.rows(), 2 * clip + 1);
    sums.setZero();
    for (Eigen::Index i = 0; i < x.rows(); ++i)
        for (Eigen::Index j = 0; j < x.cols(); ++j)
            sums(i, distance_column(static_cast<int>(j - i) - first, clip)) += static_cast<double>(x(i, j));
    return sums.cast<float>();
}

Matrix window(const Matrix& centers, float reach, Eigen::Index keys) {
    Matrix out = unwritten(centers.rows(), keys);
    for (Eigen::Index i = 0; i < out.rows(); ++i)
        for (Eigen::Index j = 0; j < keys; ++j)
            out(i, j) = std::abs(static_cast<float>(j) - centers(i, 0)) <= reach ? 1.0f : 0.0f;
    return out;
}

Matrix gaussian(const Matrix& centers, float sigma, Eigen::Index keys) {
    Matrix out = unwritten(centers.rows(), keys);
    const double two = 2.0 * static_cast<double>(sigma) * static_cast<double>(sigma);
    for (Eigen::Index i = 0; i < out.rows(); ++i)
        for (Eigen::Index j = 0; j < keys; ++j) {
            const double off = static_cast<double>(j) - static_cast<double>(centers(i, 0));
            out(i, j) = static_cast<float>(std::exp(-off * off / two));
        }
    return out;
}

Matrix row_sums(const Matrix& x) {
    Matrix out = unwritten(x.rows(), 1);
    for (Eigen::Index r = 0; r < x.rows(); ++r)
        out(r, 0) = static_cast<float>(vectors::kernels().sum(x.row(r).data(), x.cols()));
    return out;
}

Matrix row_maxima(const Matrix& x, const Matrix* before) {
    Matrix out = unwritten(x.rows(), 1);
    for (Eigen::Index r = 0; r < x.rows(); ++r) {
        float most = before ? (*before)(r, 0) : kMinusInfinity;
        for (Eigen::Index j = 0; j < x.cols(); ++j)
            most = std::isnan(x(r, j)) || std::isnan(most) ? kNan : std::max(most, x(r, j));
        out(r, 0) = most;
    }
    return out;
}

Matrix column_sums(const Matrix& x) { return x.cast<double>().colwise().sum().cast<float>(); }

Matrix exp_shifted(const Matrix& x, const Matrix& maximum) {
    Matrix out = unwritten(x.rows(), x.cols());
    for (Eigen::Index r = 0; r < x.rows(); ++r)
        vectors::kernels().exponentials(x.row(r).data(), x.cols(), maximum(r, 0), 1, 0, out.row(r).data());
    return out;
}

Matrix recurred(const Matrix& x, const Matrix& weight, bool backward, const std::vector<PlacedNumber>& typed) {
    Matrix out = unwritten(x.rows(), x.cols());
    Eigen::RowVectorXd before = Eigen::RowVectorXd::Zero(x.cols());
    const Eigen::MatrixXd u = weight.cast<double>();
    for (Eigen::Index step = 0; step < x.rows(); ++step) {
        const Eigen::Index r = backward ? x.rows() - 1 - step : step;
        const Eigen::RowVectorXd sum = x.row(r).cast<double>() + before * u;
        out.row(r) = sum.array().tanh().matrix().cast<float>();
        before = out.row(r).cast<double>();
        for (const PlacedNumber& edit : typed)
            if (edit.row == r && edit.col < out.cols()) before[edit.col] = static_cast<double>(edit.value);
    }
    return out;
}

}  // namespace attn::kernel
