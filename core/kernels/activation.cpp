// Functions of one number: models' activations, and their derivatives.
#include <algorithm>
#include <cmath>
#include <optional>

#include "core/base/cancel.h"
#include "core/base/parallel.h"
#include "core/kernels/kernels.h"
#include "core/kernels/widths.h"

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

/// Calls `use` with the function, so that a whole matrix dispatches only once.
template <class Use>
auto with_function(Activation activation, const Use& use) {
    constexpr double kRootOfHalf = 0.70710678118654752;
    constexpr double kQuick = 1.702;  // [Hendrycks, Gimpel 2016, 2]
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
        case Activation::GeluQuick:
            return use([](double x) { return x * sigmoid(kQuick * x); });
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
        case Activation::GeluQuickSlope:
            return use([](double x) { return sigmoid(kQuick * x) * (1 + kQuick * x * (1 - sigmoid(kQuick * x))); });
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

namespace kernel {
namespace {

/// The vector kernels' version, if they have one. The other functions have a kink at 0, or serve only gradients.
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
        default:
            return std::nullopt;
    }
}

}  // namespace

void activate_some(const float* x, Eigen::Index count, Activation activation, float* out) {
    if (const std::optional<vectors::Curve> curve = curve_of(activation)) return vectors::kernels().curve(*curve, x, count, out);
    with_function(activation, [&](const auto& function) {
        for (Eigen::Index i = 0; i < count; ++i) out[i] = static_cast<float>(function(static_cast<double>(x[i])));
    });
}

void activate(const Matrix& x, Activation activation, const std::stop_token& stop, float* out) {
    constexpr double kCost = 20;               // per number, in simple operations
    constexpr Eigen::Index kAtOnce = 1 << 20;  // numbers between two checks for cancellation
    const Eigen::Index step = std::max<Eigen::Index>(1, kAtOnce / std::max<Eigen::Index>(1, x.cols()));
    for (Eigen::Index begin = 0; begin < x.rows(); begin += step) {
        check(stop);
        share_rows(std::min(step, x.rows() - begin), kCost * static_cast<double>(x.cols()),
                   [&](Eigen::Index first, Eigen::Index past) {
                       const Eigen::Index at = (begin + first) * x.cols();
                       activate_some(x.data() + at, (past - first) * x.cols(), activation, out + at);
                   });
    }
}

}  // namespace kernel
}  // namespace attn
