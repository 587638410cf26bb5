#include "tests/core/double_engine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn::test::in_double {
namespace {

constexpr double kNone = -std::numeric_limits<double>::infinity();

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

double activated(Activation activation, double x) {
    switch (activation) {
        case Activation::Tanh:
            return std::tanh(x);
        case Activation::Sigmoid:
            return sigmoid(x);
        case Activation::Relu:
            return std::max(x, 0.0);
        case Activation::LeakyRelu:
            return x > 0 ? x : 0.2 * x;
        case Activation::Gelu:
            return x * 0.5 * std::erfc(-x / std::sqrt(2.0));
        case Activation::GeluTanh:
            return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
        case Activation::GeluQuick:
            return x / (1 + std::exp(-1.702 * x));
        case Activation::Silu:
            return x * sigmoid(x);
        case Activation::EluPlusOne:
            return x > 0 ? x + 1 : std::exp(x);
        case Activation::LogEluPlusOne:
            return std::log(activated(Activation::EluPlusOne, x));
        case Activation::Log:
            return std::log(x);
        case Activation::MinusLog:
            return -std::log(x);
        default:
            ADD_FAILURE() << "a slope is no forward operation";
            return 0;
    }
}

MatrixD softmax(const MatrixD& x, double temperature) {
    MatrixD out = MatrixD::Zero(x.rows(), x.cols());
    for (Eigen::Index r = 0; r < x.rows(); ++r) {
        const double most = x.row(r).maxCoeff();
        if (most == kNone) continue;
        for (Eigen::Index c = 0; c < x.cols(); ++c) {
            if (temperature == 0)
                out(r, c) = x(r, c) == most ? 1 : 0;
            else
                out(r, c) = x(r, c) == kNone ? 0 : std::exp((x(r, c) - most) / temperature);
        }
        out.row(r) /= out.row(r).sum();
    }
    return out;
}

/// Finds τ by bisection, not by sorting.
MatrixD sparsemax(const MatrixD& x, double temperature) {
    MatrixD out = MatrixD::Zero(x.rows(), x.cols());
    for (Eigen::Index r = 0; r < x.rows(); ++r) {
        const double most = x.row(r).maxCoeff();
        if (most == kNone) continue;
        if (temperature == 0 || std::isinf(temperature)) {
            out.row(r) = softmax(x.row(r), temperature);
            continue;
        }
        const auto at = [&](Eigen::Index c, double tau) { return std::max(0.0, (x(r, c) - most) / temperature - tau); };
        double low = -1, high = 0;
        for (int i = 0; i < 200; ++i) {
            const double tau = (low + high) / 2;
            double sum = 0;
            for (Eigen::Index c = 0; c < x.cols(); ++c) sum += at(c, tau);
            (sum > 1 ? low : high) = tau;
        }
        for (Eigen::Index c = 0; c < x.cols(); ++c) out(r, c) = at(c, (low + high) / 2);
    }
    return out;
}

MatrixD normed(const MatrixD& x, bool centred, double epsilon) {
    MatrixD out = x;
    for (Eigen::Index r = 0; r < x.rows(); ++r) {
        if (centred) out.row(r).array() -= x.row(r).mean();
        out.row(r) /= std::sqrt(out.row(r).squaredNorm() / static_cast<double>(x.cols()) + epsilon);
    }
    return out;
}

class Engine {
public:
    Engine(const Trace& t, StepId count, const Shifts& shifts) : t_(t) {
        for (StepId id = 0; id < count; ++id) {
            MatrixD value = of(t[id]);
            for (const Step::Replaced& cell : t[id].replaced)
                value(cell.row, cell.col) = static_cast<double>(t[id].value(cell.row, cell.col));
            if (const auto shift = shifts.find(id); shift != shifts.end()) value += shift->second;
            values_.push_back(std::move(value));
        }
    }
    std::vector<MatrixD> take() { return std::move(values_); }

private:
    const MatrixD& in(const Step& s, std::size_t i) const { return values_[static_cast<std::size_t>(s.inputs[i])]; }
    static double over(const MatrixD& b, Eigen::Index r, Eigen::Index c) { return b(r, b.cols() == 1 ? 0 : c); }

    template <class Make>
    MatrixD made(Eigen::Index rows, Eigen::Index cols, const Make& make) const {
        MatrixD out(rows, cols);
        for (Eigen::Index r = 0; r < rows; ++r)
            for (Eigen::Index c = 0; c < cols; ++c) out(r, c) = make(r, c);
        return out;
    }

    MatrixD rotated(const Step& s) const {
        const MatrixD& x = in(s, 0);
        const Eigen::Index d = x.cols(), half = d / 2;
        MatrixD out = x;
        for (Eigen::Index r = 0; r < x.rows(); ++r)
            for (Eigen::Index p = 0; p < half; ++p) {
                const Eigen::Index a = s.as<RotateParams>().half_pairs ? p : 2 * p, b = s.as<RotateParams>().half_pairs ? p + half : 2 * p + 1;
                const double angle = static_cast<double>(s.as<RotateParams>().first + r) *
                                     std::pow(static_cast<double>(s.as<RotateParams>().base), -2.0 * static_cast<double>(p) / static_cast<double>(d));
                out(r, a) = x(r, a) * std::cos(angle) - x(r, b) * std::sin(angle);
                out(r, b) = x(r, a) * std::sin(angle) + x(r, b) * std::cos(angle);
            }
        return out;
    }
    MatrixD recurred(const Step& s) const {
        const MatrixD &z = in(s, 0), &u = in(s, 1);
        MatrixD h = MatrixD::Zero(z.rows(), z.cols());
        Eigen::RowVectorXd before = Eigen::RowVectorXd::Zero(z.cols());
        for (Eigen::Index i = 0; i < z.rows(); ++i) {
            const Eigen::Index r = s.as<RecurParams>().backward ? z.rows() - 1 - i : i;
            h.row(r) = (z.row(r) + before * u).array().tanh();
            for (const Step::Replaced& cell : s.replaced)
                if (cell.row == r) h(r, cell.col) = static_cast<double>(s.value(cell.row, cell.col));
            before = h.row(r);
        }
        return h;
    }
    MatrixD joined(const Step& s, bool above) const {
        MatrixD out(s.value.rows(), s.value.cols());
        Eigen::Index at = 0;
        for (std::size_t i = 0; i < s.inputs.size(); ++i) {
            const MatrixD& part = in(s, i);
            out.block(above ? at : 0, above ? 0 : at, part.rows(), part.cols()) = part;
            at += above ? part.rows() : part.cols();
        }
        return out;
    }

    MatrixD of(const Step& s) const {
        const auto rows = s.value.rows(), cols = s.value.cols();
        const auto given = [&] { return MatrixD(s.value.template cast<double>()); };
        const auto distance = [](const auto& p, Eigen::Index i, Eigen::Index j) {
            return std::clamp<Eigen::Index>(j - i - p.first, -p.clip, p.clip) + p.clip;
        };
        switch (s.op) {
            case Op::Input:
            case Op::Window:
            case Op::Draw:
                return given();
            case Op::MatMul:
                return in(s, 0) * in(s, 1);
            case Op::Transpose:
                return in(s, 0).transpose();
            case Op::Scale:
                return in(s, 0) * static_cast<double>(s.as<ScaleParams>().factor);
            case Op::Add:
                return in(s, 0) + in(s, 1);
            case Op::AddRow:
                return made(rows, cols, [&](auto r, auto c) { return in(s, 0)(r, c) + in(s, 1)(0, c); });
            case Op::Multiply:
                return made(rows, cols, [&](auto r, auto c) { return in(s, 0)(r, c) * over(in(s, 1), r, c); });
            case Op::Divide:
                return made(rows, cols, [&](auto r, auto c) {
                    const double a = in(s, 0)(r, c), b = over(in(s, 1), r, c);
                    return b == 0 ? 0 : a / b;
                });
            case Op::Activate:
                return made(rows, cols, [&](auto r, auto c) { return activated(s.as<ActivateParams>().activation, in(s, 0)(r, c)); });
            case Op::Unit:
                return made(rows, cols, [&](auto r, auto c) {
                    const double length = in(s, 0).row(r).norm();
                    return length == 0 ? 0 : in(s, 0)(r, c) / length;
                });
            case Op::LayerNorm:
            case Op::RmsNorm: {
                const MatrixD unit = normed(in(s, 0), s.op == Op::LayerNorm, static_cast<double>(s.as<NormParams>().epsilon));
                return made(rows, cols, [&](auto r, auto c) {
                    return unit(r, c) * in(s, 1)(0, c) + (s.op == Op::LayerNorm ? in(s, 2)(0, c) : 0);
                });
            }
            case Op::Rotate:
                return rotated(s);
            case Op::PairSum:
            case Op::PairConcat: {
                const MatrixD &a = in(s, 0), &b = in(s, 1);
                return made(rows, cols, [&](auto r, auto c) {
                    const auto i = r / b.rows(), j = r % b.rows();
                    if (s.op == Op::PairSum) return a(i, c) + b(j, c);
                    return c < a.cols() ? a(i, c) : b(j, c - a.cols());
                });
            }
            case Op::Fold:
                return Eigen::Map<const MatrixD>(in(s, 0).data(), rows, cols);
            case Op::Spread:
                return made(rows, cols, [&](auto r, auto c) { return in(s, 0)(r, distance(s.as<SpreadParams>(), r, c)); });
            case Op::Collect: {
                MatrixD out = MatrixD::Zero(rows, cols);
                for (Eigen::Index r = 0; r < rows; ++r)
                    for (Eigen::Index c = 0; c < in(s, 0).cols(); ++c) out(r, distance(s.as<CollectParams>(), r, c)) += in(s, 0)(r, c);
                return out;
            }
            case Op::Gaussian:
                return made(rows, cols, [&](auto r, auto c) {
                    const double off = static_cast<double>(c) - in(s, 0)(r, 0), sigma = static_cast<double>(s.as<GaussianParams>().sigma);
                    return std::exp(-off * off / (2 * sigma * sigma));
                });
            case Op::Mask:
                return made(rows, cols, [&](auto r, auto c) { return in(s, 1)(r, c) != 0 ? in(s, 0)(r, c) : kNone; });
            case Op::TopK:
            case Op::TopP:
                return made(rows, cols, [&](auto r, auto c) { return std::isinf(s.value(r, c)) ? kNone : in(s, 0)(r, c); });
            case Op::Softmax:
                return softmax(in(s, 0), static_cast<double>(s.as<SoftmaxParams>().temperature));
            case Op::Sparsemax:
                return sparsemax(in(s, 0), static_cast<double>(s.as<SoftmaxParams>().temperature));
            case Op::RowSum:
                return in(s, 0).rowwise().sum();
            case Op::RowMax:
                return made(rows, 1, [&](auto r, auto) {
                    const double most = in(s, 0).row(r).maxCoeff();
                    return s.inputs.size() > 1 ? std::max(most, in(s, 1)(r, 0)) : most;
                });
            case Op::ColumnSum:
                return in(s, 0).colwise().sum();
            case Op::ExpShift:
                return made(rows, cols, [&](auto r, auto c) {
                    return in(s, 0)(r, c) == kNone ? 0 : std::exp(in(s, 0)(r, c) - in(s, 1)(r, 0));
                });
            case Op::Penalty:
                return MatrixD::Constant(1, 1, static_cast<double>(s.as<PenaltyParams>().lambda) * (1 - in(s, 0).array()).square().sum());
            case Op::Recur:
                return recurred(s);
            case Op::Slice:
                return in(s, 0).middleCols(s.as<SliceParams>().first, cols);
            case Op::SliceRows:
                return in(s, 0).middleRows(s.as<SliceParams>().first, rows);
            case Op::Concat:
            case Op::Stack:
                return joined(s, s.op == Op::Stack);
            case Op::SoftmaxGradient:
            case Op::NormGradient:
                ADD_FAILURE() << "no forward operation";
        }
        return given();
    }

    const Trace& t_;
    std::vector<MatrixD> values_;
};

}  // namespace

std::vector<MatrixD> evaluate(const Trace& t, StepId count, const Shifts& shifts) { return Engine(t, count, shifts).take(); }

}  // namespace attn::test::in_double

namespace attn::test {

std::vector<MatrixD> evaluate_in_double(const Trace& t, StepId count, const Shifts& shifts) {
    return in_double::evaluate(t, count, shifts);
}

}  // namespace attn::test
