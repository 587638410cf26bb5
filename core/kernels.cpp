#include "core/kernels.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "core/cancel.h"
#include "core/ops.h"
#include "core/parallel.h"
#include "core/random.h"
#include "core/vectors/paths.h"

namespace attn {

namespace {

constexpr double kLeakySlope = 0.2;

/// With e^-|x|, which cannot overflow.
double sigmoid(double x) {
    const double e = std::exp(-std::abs(x));
    return (x >= 0 ? 1 : e) / (1 + e);
}

constexpr double kTwiceRootOf2OverPi = 1.5957691216057308;  // 2 √(2/π)

/// 0.5 (1 + tanh u) is sigmoid(2u).
double gelu_by_tanh(double x) {
    return x * sigmoid(kTwiceRootOf2OverPi * (x + 0.044715 * x * x * x));
}

double gelu_by_tanh_slope(double x) {
    const double s = sigmoid(kTwiceRootOf2OverPi * (x + 0.044715 * x * x * x));
    return s + x * s * (1 - s) * kTwiceRootOf2OverPi * (1 + 3 * 0.044715 * x * x);
}

/// Calls `use` with the function, so that a whole matrix asks only once which it is.
template <class Use>
auto with_function(Activation activation, const Use& use) {
    constexpr double kRootOfHalf = 0.70710678118654752;
    switch (activation) {
        case Activation::Tanh:
            return use([](double x) { return std::tanh(x); });
        case Activation::Sigmoid:
            return use(sigmoid);
        case Activation::Relu:
            return use([](double x) { return x > 0 ? x : 0 * x; });  // NaN stays NaN
        case Activation::LeakyRelu:
            return use([](double x) { return x > 0 ? x : kLeakySlope * x; });
        case Activation::Gelu:
            return use([](double x) { return x * 0.5 * std::erfc(-x * kRootOfHalf); });
        case Activation::GeluTanh:
            return use(gelu_by_tanh);
        case Activation::Silu:
            return use([](double x) { return x * sigmoid(x); });
        case Activation::EluPlusOne:
            return use([](double x) { return x > 0 ? x + 1 : std::exp(x); });
        case Activation::LogEluPlusOne:
            return use([](double x) { return x > 0 ? std::log1p(x) : x; });
        case Activation::Log:
            return use([](double x) { return std::log(x); });
        case Activation::TanhSlope:
            return use([](double x) { return 1 - std::tanh(x) * std::tanh(x); });
        case Activation::SigmoidSlope:
            return use([](double x) { return sigmoid(x) * (1 - sigmoid(x)); });
        case Activation::ReluSlope:
            return use([](double x) { return x > 0 ? 1.0 : 0.0; });
        case Activation::LeakyReluSlope:
            return use([](double x) { return x > 0 ? 1.0 : kLeakySlope; });
        case Activation::GeluSlope:
            return use([](double x) {
                constexpr double kRootOf2Pi = 2.5066282746310002;
                return 0.5 * (1 + std::erf(x * kRootOfHalf)) + x * std::exp(-0.5 * x * x) / kRootOf2Pi;
            });
        case Activation::GeluTanhSlope:
            return use(gelu_by_tanh_slope);
        case Activation::SiluSlope:
            return use([](double x) { return sigmoid(x) * (1 + x * (1 - sigmoid(x))); });
        case Activation::EluPlusOneSlope:
            return use([](double x) { return x > 0 ? 1.0 : std::exp(x); });
        case Activation::LogEluPlusOneSlope:
            return use([](double x) { return x > 0 ? 1 / (1 + x) : 1.0; });
        case Activation::LogSlope:
            return use([](double x) { return 1 / x; });
        case Activation::MinusLog:
            return use([](double x) { return -std::log(x); });
    }
    return use([](double x) { return x; });
}

}  // namespace

double activated(Activation activation, double x) {
    return with_function(activation, [x](const auto& function) { return function(x); });
}

std::vector<int> draws_of(const Matrix& weights, int row, int draws, std::uint64_t seed, int first) {
    std::vector<int> out;
    const auto shares = weights.row(row);
    const double total = shares.cast<double>().sum();
    if (!(total > 0)) return out;
    // Where the share of each column with any weight ends; a draw is looked up among them.
    std::vector<double> ends;
    std::vector<int> columns;
    for (int j = 0; j < static_cast<int>(shares.size()); ++j) {
        if (!(shares[j] > 0)) continue;
        ends.push_back((ends.empty() ? 0 : ends.back()) + static_cast<double>(shares[j]));
        columns.push_back(j);
    }
    Random random(seed * 0x9E3779B97F4A7C15ull + static_cast<std::uint64_t>(row));
    out.reserve(static_cast<std::size_t>(draws));
    for (int s = 0; s < first; ++s) static_cast<void>(random.uniform());
    for (int s = 0; s < draws; ++s) {
        const auto end = std::upper_bound(ends.begin(), ends.end(), random.uniform() * total);
        // The last with any weight, should rounding leave something over.
        out.push_back(columns[std::min(static_cast<std::size_t>(end - ends.begin()), columns.size() - 1)]);
    }
    return out;
}

}  // namespace attn

namespace attn::kernel {
namespace {

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// (x − max) / temperature in float64, with its limits: 0 at the largest and −∞ elsewhere, or 0 wherever allowed.
double exponent(float x, float maximum, float temperature) {
    if (x == maximum) return 0;
    if (temperature == 0) return -std::numeric_limits<double>::infinity();
    return (static_cast<double>(x) - static_cast<double>(maximum)) / static_cast<double>(temperature);
}

float largest_of(const float* row, Eigen::Index count) {
    float most = kMinusInfinity;
    for (Eigen::Index j = 0; j < count; ++j) most = std::max(most, row[j]);
    return most;
}

std::vector<float> descending(const float* row, Eigen::Index count) {
    std::vector<float> sorted(row, row + count);
    std::sort(sorted.begin(), sorted.end(), std::greater<>());
    return sorted;
}

template <class Threshold>
Matrix kept(const Matrix& x, const Threshold& threshold) {
    Matrix out(x.rows(), x.cols());
    for (Eigen::Index r = 0; r < x.rows(); ++r) {
        if (!(x.row(r).array() == x.row(r).array()).all()) {  // NaN has no order
            out.row(r).setConstant(kNan);
            continue;
        }
        const float least = threshold(x.row(r).data(), x.cols());
        for (Eigen::Index j = 0; j < x.cols(); ++j) out(r, j) = x(r, j) >= least ? x(r, j) : kMinusInfinity;
    }
    return out;
}

/// The curve that the vector kernels have for it, if any: the others bend at 0, or serve gradients alone.
std::optional<vectors::Curve> curve_of(Activation activation) {
    using vectors::Curve;
    switch (activation) {
        case Activation::Tanh:
            return Curve::Tanh;
        case Activation::Sigmoid:
            return Curve::Sigmoid;
        case Activation::Gelu:
            return Curve::Gelu;
        case Activation::GeluTanh:
            return Curve::GeluTanh;
        case Activation::Silu:
            return Curve::Silu;
        case Activation::EluPlusOne:
            return Curve::EluPlusOne;
        case Activation::Relu:
        case Activation::LeakyRelu:
        case Activation::LogEluPlusOne:
        case Activation::Log:
        case Activation::TanhSlope:
        case Activation::SigmoidSlope:
        case Activation::ReluSlope:
        case Activation::LeakyReluSlope:
        case Activation::GeluSlope:
        case Activation::GeluTanhSlope:
        case Activation::SiluSlope:
        case Activation::EluPlusOneSlope:
        case Activation::LogEluPlusOneSlope:
        case Activation::LogSlope:
        case Activation::MinusLog:
            break;
    }
    return std::nullopt;
}

/// A matrix made row by row: make(kernels, row, out).
template <class Make>
Matrix by_rows(const Matrix& x, const Make& make) {
    constexpr double kCost = 4;  // of a number, in simple operations
    Matrix out(x.rows(), x.cols());
    const vectors::Kernels& k = vectors::kernels();
    share_rows(x.rows(), kCost * static_cast<double>(x.cols()), [&](Eigen::Index first, Eigen::Index past) {
        for (Eigen::Index r = first; r < past; ++r) make(k, x.row(r).data(), out.row(r).data());
    });
    return out;
}

float over(const Matrix& b, Eigen::Index r, Eigen::Index c) { return b(r, b.cols() == 1 ? 0 : c); }

}  // namespace

Matrix activated(const Matrix& x, Activation activation, const std::stop_token& stop) {
    constexpr double kCost = 20;               // of a number, in simple operations
    constexpr Eigen::Index kAtOnce = 1 << 20;  // numbers: between them it can be told to stop
    Matrix out(x.rows(), x.cols());
    const Eigen::Index step = std::max<Eigen::Index>(1, kAtOnce / std::max<Eigen::Index>(1, x.cols()));
    const auto fill = [&](Eigen::Index first, Eigen::Index past) {
        const Eigen::Index count = (past - first) * x.cols();
        const float* from = x.data() + first * x.cols();
        float* to = out.data() + first * x.cols();
        if (const std::optional<vectors::Curve> curve = curve_of(activation))
            return vectors::kernels().curve(*curve, from, count, to);
        with_function(activation, [&](const auto& function) {
            for (Eigen::Index i = 0; i < count; ++i) to[i] = static_cast<float>(function(static_cast<double>(from[i])));
        });
    };
    for (Eigen::Index begin = 0; begin < x.rows(); begin += step) {
        check(stop);
        share_rows(std::min(step, x.rows() - begin), kCost * static_cast<double>(x.cols()),
                   [&](Eigen::Index first, Eigen::Index past) { fill(begin + first, begin + past); });
    }
    return out;
}

Matrix multiplied(const Matrix& a, const Matrix& b) {
    if (b.cols() == a.cols()) return a.array() * b.array();
    return a.array().colwise() * b.col(0).array();
}

Matrix divided(const Matrix& a, const Matrix& b) {
    Matrix out(a.rows(), a.cols());
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
    Matrix out(weights.rows(), weights.cols());
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
    Matrix out(x.rows(), x.cols());
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

Pairing pairing(int column, int width, bool half_pairs) {
    if (!half_pairs) return {column ^ 1, column % 2 == 0, column / 2};
    const int half = width / 2;
    return {column < half ? column + half : column - half, column < half, column % half};
}

double rotation_angle(int position, int pair, int width, float base) {
    return position * std::pow(static_cast<double>(base), -2.0 * pair / width);
}

Matrix rotated(const Matrix& x, int first_position, bool half_pairs, float base, bool back) {
    Matrix out(x.rows(), x.cols());
    const auto width = static_cast<int>(x.cols());
    for (int r = 0; r < static_cast<int>(x.rows()); ++r)
        for (int c = 0; c < width; ++c) {
            const Pairing p = pairing(c, width, half_pairs);
            const double angle = (back ? -1 : 1) * rotation_angle(first_position + r, p.pair, width, base);
            const double own = static_cast<double>(x(r, c)), other = static_cast<double>(x(r, p.other));
            out(r, c) = static_cast<float>(own * std::cos(angle) + (p.first ? -other : other) * std::sin(angle));
        }
    return out;
}

Matrix pair_sums(const Matrix& a, const Matrix& b) {
    Matrix out(a.rows() * b.rows(), a.cols());
    for (Eigen::Index i = 0; i < a.rows(); ++i) out.middleRows(i * b.rows(), b.rows()) = b.rowwise() + a.row(i);
    return out;
}

Matrix pair_rows(const Matrix& a, const Matrix& b) {
    Matrix out(a.rows() * b.rows(), a.cols() + b.cols());
    for (Eigen::Index i = 0; i < a.rows(); ++i) {
        out.block(i * b.rows(), 0, b.rows(), a.cols()).rowwise() = a.row(i);
        out.block(i * b.rows(), a.cols(), b.rows(), b.cols()) = b;
    }
    return out;
}

int distance_column(int distance, int clip) { return std::clamp(distance, -clip, clip) + clip; }

Matrix spread(const Matrix& x, int clip, int first, Eigen::Index keys) {
    Matrix out(x.rows(), keys);
    for (Eigen::Index i = 0; i < out.rows(); ++i)
        for (Eigen::Index j = 0; j < keys; ++j) out(i, j) = x(i, distance_column(static_cast<int>(j - i) - first, clip));
    return out;
}

Matrix collected(const Matrix& x, int clip, int first) {
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> sums(x.rows(), 2 * clip + 1);
    sums.setZero();
    for (Eigen::Index i = 0; i < x.rows(); ++i)
        for (Eigen::Index j = 0; j < x.cols(); ++j)
            sums(i, distance_column(static_cast<int>(j - i) - first, clip)) += static_cast<double>(x(i, j));
    return sums.cast<float>();
}

Matrix window(const Matrix& centers, float reach, Eigen::Index keys) {
    Matrix out(centers.rows(), keys);
    for (Eigen::Index i = 0; i < out.rows(); ++i)
        for (Eigen::Index j = 0; j < keys; ++j)
            out(i, j) = std::abs(static_cast<float>(j) - centers(i, 0)) <= reach ? 1.0f : 0.0f;
    return out;
}

Matrix gaussian(const Matrix& centers, float sigma, Eigen::Index keys) {
    Matrix out(centers.rows(), keys);
    const double two = 2.0 * static_cast<double>(sigma) * static_cast<double>(sigma);
    for (Eigen::Index i = 0; i < out.rows(); ++i)
        for (Eigen::Index j = 0; j < keys; ++j) {
            const double off = static_cast<double>(j) - static_cast<double>(centers(i, 0));
            out(i, j) = static_cast<float>(std::exp(-off * off / two));
        }
    return out;
}

float kept_threshold(const float* row, Eigen::Index count, int k) {
    const std::vector<float> sorted = descending(row, count);
    return sorted[static_cast<std::size_t>(std::min<Eigen::Index>(k, count) - 1)];
}

float nucleus_threshold(const float* row, Eigen::Index count, float p, float temperature) {
    std::vector<float> sorted = descending(row, count);
    if (sorted.front() == kMinusInfinity) return kMinusInfinity;
    while (sorted.back() == kMinusInfinity) sorted.pop_back();
    if (std::isinf(temperature)) return sorted.back();  // all are alike: a tie, which is kept together
    double total = 0, sum = 0;
    for (const float v : sorted) total += std::exp(exponent(v, sorted.front(), temperature));
    for (const float v : sorted) {
        sum += std::exp(exponent(v, sorted.front(), temperature)) / total;
        if (sum >= static_cast<double>(p) - 1e-9) return v;
    }
    return sorted.back();
}

Matrix top_k(const Matrix& x, int k) {
    return kept(x, [&](const float* row, Eigen::Index count) { return kept_threshold(row, count, k); });
}

Matrix top_p(const Matrix& x, float p, float temperature) {
    return kept(x, [&](const float* row, Eigen::Index count) { return nucleus_threshold(row, count, p, temperature); });
}

double sparsemax_threshold(const float* row, Eigen::Index count, float temperature) {
    const float maximum = largest_of(row, count);
    std::vector<double> z;
    for (Eigen::Index j = 0; j < count; ++j)
        if (row[j] != kMinusInfinity) z.push_back(exponent(row[j], maximum, temperature));
    std::sort(z.begin(), z.end(), std::greater<>());
    double sum = 0, threshold = -1;
    for (std::size_t k = 0; k < z.size(); ++k) {
        if (std::isinf(z[k])) break;  // the limit of temperature 0: only the largest are left
        sum += z[k];
        const double size = static_cast<double>(k + 1);
        if (1 + size * z[k] > sum) threshold = (sum - 1) / size;
    }
    return threshold;
}

Matrix sparsemax(const Matrix& x, float temperature, const std::vector<bool>& overflowed) {
    Matrix out(x.rows(), x.cols());
    for (Eigen::Index r = 0; r < x.rows(); ++r) {
        const float* row = x.row(r).data();
        const float maximum = largest_of(row, x.cols());
        const bool bad = (!overflowed.empty() && overflowed[static_cast<std::size_t>(r)]) || maximum > std::numeric_limits<float>::max() ||
                         !(x.row(r).array() == x.row(r).array()).all();
        if (bad || maximum == kMinusInfinity) {
            out.row(r).setConstant(bad ? kNan : 0.0f);
            continue;
        }
        const double threshold = sparsemax_threshold(row, x.cols(), temperature);
        for (Eigen::Index j = 0; j < x.cols(); ++j)
            out(r, j) = row[j] == kMinusInfinity
                            ? 0.0f
                            : static_cast<float>(std::max(0.0, exponent(row[j], maximum, temperature) - threshold));
    }
    return out;
}

Matrix drawn(const Matrix& weights, int draws, std::uint64_t seed, const std::stop_token& stop, int first) {
    Matrix out = Matrix::Zero(weights.rows(), weights.cols());
    for (int r = 0; r < static_cast<int>(weights.rows()); ++r) {
        check(stop);
        if (!weights.row(r).allFinite()) {
            out.row(r).setConstant(kNan);
            continue;
        }
        for (const int column : draws_of(weights, r, draws, seed, first)) out(r, column) += 1;
        out.row(r) /= static_cast<float>(draws);
    }
    return out;
}

Matrix row_sums(const Matrix& x) {
    Matrix out(x.rows(), 1);
    for (Eigen::Index r = 0; r < x.rows(); ++r)
        out(r, 0) = static_cast<float>(vectors::kernels().sum(x.row(r).data(), x.cols()));
    return out;
}

Matrix row_maxima(const Matrix& x, const Matrix* before) {
    Matrix out(x.rows(), 1);
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
    Matrix out(x.rows(), x.cols());
    for (Eigen::Index r = 0; r < x.rows(); ++r)
        vectors::kernels().exponentials(x.row(r).data(), x.cols(), maximum(r, 0), 1, 0, out.row(r).data());
    return out;
}

Matrix recurred(const Matrix& x, const Matrix& weight, bool backward, const std::vector<Edit>& typed) {
    Matrix out(x.rows(), x.cols());
    Eigen::RowVectorXd before = Eigen::RowVectorXd::Zero(x.cols());
    const Eigen::MatrixXd u = weight.cast<double>();
    for (Eigen::Index step = 0; step < x.rows(); ++step) {
        const Eigen::Index r = backward ? x.rows() - 1 - step : step;
        const Eigen::RowVectorXd sum = x.row(r).cast<double>() + before * u;
        out.row(r) = sum.array().tanh().matrix().cast<float>();
        before = out.row(r).cast<double>();
        for (const Edit& edit : typed)
            if (edit.row == r && edit.col < out.cols()) before[edit.col] = static_cast<double>(edit.value);
    }
    return out;
}

}  // namespace attn::kernel
