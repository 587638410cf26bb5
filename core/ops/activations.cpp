// A function of every number.
#include <cmath>

#include "core/base/reused_matrices.h"
#include "core/kernels/kernels.h"
#include "core/ops/operation.h"
#include "core/ops/record.h"

namespace attn {

StepId activate(Trace& t, StepId from, Activation activation, Tag tag) {
    Step& step = begin(t, Op::Activate, tag, {from}, t[from].rows, t[from].cols);
    step.params = ActivateParams{activation};
    return record(t);
}

namespace {

Matrix activate_value(const Reading& r) {
    const Matrix& x = r.in(0);
    Matrix out = unwritten(x.rows(), x.cols());
    kernel::activate(x, r.step.as<ActivateParams>().activation, r.trace.stop, out.data());
    return out;
}

void activate_rows(const Trace& t, const Step& step, Eigen::Index first, Eigen::Index past, Columns of, float* out) {
    const Matrix& x = t[step.inputs[0]].value;
    for_runs(x, first, past, of, [&](Eigen::Index at, Eigen::Index count) {
        kernel::activate_some(x.data() + at, count, step.as<ActivateParams>().activation, out + at);
    });
}

/// A logarithm's input tells why it is −∞, so it must not be overwritten.
NumberByNumber activate_in_place(const Step& step) { return step.as<ActivateParams>().activation == Activation::Log ? nullptr : activate_rows; }

Node derive_activate(const Trace& t, const Step& step, Explanation& e) {
    const Activation function = step.as<ActivateParams>().activation;
    const Node x = own(carried(t, e, {step.inputs[0], e.cell.row, e.cell.col}));
    e.terms[0].value = static_cast<float>(activated(function, *x.value));
    return call(function, x);
}

void activate_gradient(const Rule& r) {
    const StepId slope = activate(r.t(), r.in(0), slope_of(r.step.as<ActivateParams>().activation), r.way(0));
    r.put(0, multiply(r.t(), r.g, slope, r.use(0)));
}

using buffers::Array;
using buffers::Call;
using buffers::ConstArray;

void train_activate(const Call& c) {
    const ConstArray x = whole(c.inputs[0]);
    Array y = whole(c);
    switch (c.as<ActivateParams>().activation) {
        case Activation::Relu:
            y = x.max(0.0f);
            return;
        case Activation::ReluSlope:
            y = (x > 0.0f).cast<float>();
            return;
        case Activation::LeakyRelu:
            y = x.max(0.2f * x);
            return;
        case Activation::LeakyReluSlope:
            y = (x > 0.0f).select(Eigen::ArrayXf::Ones(x.size()), 0.2f);
            return;
        case Activation::Tanh:
            y = x.tanh();
            return;
        case Activation::TanhSlope:
            y = 1 - x.tanh().square();
            return;
        case Activation::Sigmoid:
            y = 1 / (1 + (-x).exp());
            return;
        case Activation::SigmoidSlope:
            y = 1 / (1 + (-x).exp());
            y *= 1 - y;
            return;
        case Activation::Silu:
            y = x / (1 + (-x).exp());
            return;
        case Activation::GeluQuick:
            y = x / (1 + (-1.702f * x).exp());
            return;
        case Activation::GeluQuickSlope:
            y = 1 / (1 + (-1.702f * x).exp());
            y = y * (1 + 1.702f * x * (1 - y));
            return;
        case Activation::SiluSlope:
            y = 1 / (1 + (-x).exp());
            y = y * (1 + x * (1 - y));
            return;
        case Activation::GeluTanh:
            y = 0.5f * x * (1 + (0.7978845608f * (x + 0.044715f * x.cube())).tanh());
            return;
        case Activation::GeluTanhSlope:
            y = (0.7978845608f * (x + 0.044715f * x.cube())).tanh();
            y = 0.5f * (1 + y) + 0.5f * x * (1 - y.square()) * 0.7978845608f * (1 + 3 * 0.044715f * x.square());
            return;
        default:
            for (Eigen::Index i = 0; i < x.size(); ++i)
                y[i] = static_cast<float>(activated(c.as<ActivateParams>().activation, static_cast<double>(x[i])));
    }
}

/// Whether it makes finite numbers from any finite inputs.
bool stays_finite(Activation activation) {
    switch (activation) {
        case Activation::Tanh:
        case Activation::Sigmoid:
        case Activation::Relu:
        case Activation::LeakyRelu:
        case Activation::Gelu:
        case Activation::GeluTanh:
        case Activation::GeluQuick:
        case Activation::Silu:
            return true;
        default:
            return false;
    }
}

bool activate_stays_finite(const Trace&, const Step& step, bool finite_input) {
    return finite_input && stays_finite(step.as<ActivateParams>().activation);
}

/// ln 0 of a whole row's likelihood: the row is fully masked.
bool log_of_nothing(const Trace& t, const Step& step, Eigen::Index row) {
    return step.as<ActivateParams>().activation == Activation::Log && step.value.cols() == 1 && t[step.inputs[0]].value(row, 0) == 0 &&
           !std::isfinite(step.value(row, 0));
}

double activate_bound(const Step& step, std::span<const double>) { return step.as<ActivateParams>().activation == Activation::Tanh ? 1 : -1; }

}  // namespace

constexpr Operation operations::kActivate = {
    .shape = same_shape, .work = one_a_cell, .value = activate_value, .derive = derive_activate,
    .has_slope = slopes_everywhere, .gradient = activate_gradient, .trained = train_activate,
    .noted = Noted{.makes = Makes::Numbers, .surely_finite = activate_stays_finite, .saw_nothing = log_of_nothing},
    .remade = kRemadeByRows, .number_by_number = activate_in_place, .bound = activate_bound,
};

}  // namespace attn
