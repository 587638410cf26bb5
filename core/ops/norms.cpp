// Rows divided by their norm, their standard deviation or their root mean square.
#include <cassert>
#include <cmath>

#include "core/kernels/kernels.h"
#include "core/ops/operation.h"
#include "core/ops/record.h"

namespace attn {

StepId unit(Trace& t, StepId from, Tag tag) {
    return record(t, Op::Unit, tag, {from}, t[from].rows, t[from].cols);
}

StepId layer_norm(Trace& t, StepId from, StepId gain, StepId bias, Tag tag, float epsilon) {
    assert(t[from].value.cols() == t[gain].value.cols() && t[from].value.cols() == t[bias].value.cols());
    Step& step = begin(t, Op::LayerNorm, tag, {from, gain, bias}, t[from].rows, t[from].cols);
    step.params = NormParams{epsilon};
    return record(t);
}

StepId rms_norm(Trace& t, StepId from, StepId gain, Tag tag, float epsilon) {
    assert(t[from].value.cols() == t[gain].value.cols());
    Step& step = begin(t, Op::RmsNorm, tag, {from, gain}, t[from].rows, t[from].cols);
    step.params = NormParams{epsilon};
    return record(t);
}

StepId norm_gradient(Trace& t, StepId from, StepId gain, StepId gradient, bool centred, float epsilon, Tag tag) {
    assert(t[from].value.cols() == t[gain].value.cols() && t[from].value.cols() == t[gradient].value.cols());
    Step& step = begin(t, Op::NormGradient, tag, {from, gain, gradient}, t[from].rows, t[from].cols);
    step.params = NormGradientParams{.epsilon = epsilon, .centred = centred};
    return record(t);
}

namespace {

using buffers::Array;
using buffers::Call;
using buffers::ConstArray;

/// Makes every number of the row a term; returns the row.
Eigen::ArrayXd carry_row(const Trace& t, const Step& step, Explanation& e) {
    for (int j = 0; j < static_cast<int>(step.value.cols()); ++j) carry(t, e, {step.inputs[0], e.cell.row, j});
    return t[step.inputs[0]].value.row(e.cell.row).cast<double>().transpose().array();
}

Node own_number(const Trace& t, const Step& step, const Explanation& e) { return own(cell_node(t, {step.inputs[0], e.cell.row, e.cell.col}, Name::X)); }

Node mean_of(Node of_a_term, const Eigen::ArrayXd& row, Name name, double mean) {
    return named(total(std::move(of_a_term)) / number(static_cast<double>(row.size())), name, mean, Written::Value);
}

/// √(spread + ε)
Node norm_root(Node spread, const Step& step) {
    return of_one(Node::Kind::Root, std::move(spread) + number(static_cast<double>(step.as<NormParams>().epsilon), Name::Epsilon));
}

Matrix unit_value(const Reading& r) { return kernel::unit_rows(r.in(0)); }

Node derive_unit(const Trace& t, const Step& step, Explanation& e) {
    const double length = std::sqrt(carry_row(t, step, e).square().sum());
    return own_number(t, step, e) / named(of_one(Node::Kind::Root, total(square(left()))), Name::Length, length, Written::ThenValue);
}

/// y = x / |x|: (g − y (g·y)) / |x|, and |x| = x·y.
void unit_gradient(const Rule& r) {
    Trace& t = r.t();
    const StepId y = r.pass.untouched(r.id);
    const StepId along = row_sum(t, multiply(t, r.g, y, r.way(0)), r.way(0));
    const StepId less = scale(t, multiply(t, y, along, r.way(0)), -1, r.way(0));
    StepId across = add(t, r.g, less, r.way(0));
    const StepId length = row_sum(t, multiply(t, r.in(0), y, r.way(0)), r.way(0));
    if ((t[length].value.array() == 0).any()) {  // a row of length 0 stays 0
        const Matrix sound = (t[length].value.array() != 0).cast<float>();
        across = multiply(t, across, r.pass.decision(r.in(0), sound, t[length].rows, {}), r.way(0));
    }
    r.put(0, divide(t, across, length, r.use(0)));
}

void train_unit(const Call& c) {
    for (int r = 0; r < c.rows; ++r) {
        const ConstArray x = row_of(c.inputs[0], r);
        const float length = std::sqrt(x.square().sum());
        row_of(c, r) = x * (length == 0 ? 0.0f : 1.0f / length);
    }
}

Matrix layer_norm_value(const Reading& r) { return kernel::layer_norm(r.in(0), r.in(1), r.in(2), r.step.as<NormParams>().epsilon); }

/// γ (x − mean) / √(variance + ε) + β
Node derive_layer_norm(const Trace& t, const Step& step, Explanation& e) {
    const Eigen::ArrayXd row = carry_row(t, step, e);
    const Node mean = mean_of(left(), row, Name::Mean, row.mean());
    const Node variance = mean_of(square(left() - mean), row, Name::Variance, (row - row.mean()).square().mean());
    const Node gain = cell_node(t, {step.inputs[1], 0, e.cell.col}, Name::Gain), bias = cell_node(t, {step.inputs[2], 0, e.cell.col}, Name::Bias);
    return gain * ((own_number(t, step, e) - mean) / norm_root(variance, step)) + bias;
}

Matrix rms_norm_value(const Reading& r) { return kernel::rms_norm(r.in(0), r.in(1), r.step.as<NormParams>().epsilon); }

/// γ x / √(mean(x²) + ε)
Node derive_rms_norm(const Trace& t, const Step& step, Explanation& e) {
    const Eigen::ArrayXd row = carry_row(t, step, e);
    const Node mean_square = mean_of(square(left()), row, Name::Mean, row.square().mean());
    return cell_node(t, {step.inputs[1], 0, e.cell.col}, Name::Gain) * (own_number(t, step, e) / norm_root(mean_square, step));
}

/// The gradients of both norms; a layer norm's row is centred, an RMS norm's is not.
void norm_rule(const Rule& r, bool centred) {
    Trace& t = r.t();
    const float epsilon = r.step.as<NormParams>().epsilon;
    if (r.wants(0)) r.put(0, norm_gradient(t, r.in(0), r.in(1), r.g, centred, epsilon, r.use(0)));
    if (r.wants(1)) {
        const auto d = r.value(0).cols();
        const StepId one = r.ones(1, 1, d, {}, t[r.in(1)].cols);
        StepId plain;
        if (centred) {
            const StepId none = r.pass.constant(r.in(1), Matrix::Zero(1, d), {}, t[r.in(1)].cols);
            plain = layer_norm(t, r.in(0), one, none, r.way(1), epsilon);
        } else {
            plain = rms_norm(t, r.in(0), one, r.way(1), epsilon);
        }
        r.put(1, column_sum(t, multiply(t, r.g, plain, r.way(1)), r.use(1)));
    }
    if (centred && r.wants(2)) r.put(2, column_sum(t, r.g, r.use(2)));
}

void layer_norm_gradient(const Rule& r) { norm_rule(r, true); }
void rms_norm_gradient(const Rule& r) { norm_rule(r, false); }

void train_norm(const Call& c, bool centred) {
    const ConstArray gain = row_of(c.inputs[1], 0);
    for (int r = 0; r < c.rows; ++r) {
        const ConstArray x = row_of(c.inputs[0], r);
        Array y = row_of(c, r);
        const float mean = centred ? x.mean() : 0.0f;
        y = x - mean;
        const float by = 1.0f / std::sqrt(y.square().mean() + c.as<NormParams>().epsilon);
        y *= by * gain;
        if (centred) y += row_of(c.inputs[2], 0);
    }
}

void train_layer_norm(const Call& c) { train_norm(c, true); }
void train_rms_norm(const Call& c) { train_norm(c, false); }

/// Before the gain, no number of a normed row exceeds the square root of the row's length.
bool norm_stays_finite(const Trace& t, const Step& step, double bias) {
    if (!(step.as<NormParams>().epsilon > 0)) return false;
    const Columns all{0, step.value.cols()};
    const double gain = length_of(t[step.inputs[1]].value, all);
    return gain * std::sqrt(static_cast<double>(step.value.cols())) + bias < kSurelyFinite;
}

bool layer_norm_stays_finite(const Trace& t, const Step& step, bool finite_input) {
    return finite_input && norm_stays_finite(t, step, length_of(t[step.inputs[2]].value, {0, step.value.cols()}));
}

bool rms_norm_stays_finite(const Trace& t, const Step& step, bool finite_input) { return finite_input && norm_stays_finite(t, step, 0); }

Matrix norm_gradient_value(const Reading& r) {
    return kernel::norm_gradient(r.in(0), r.in(1), r.in(2), r.step.as<NormGradientParams>().centred, r.step.as<NormGradientParams>().epsilon);
}

/// (u − mean(u) − x̂ mean(u x̂)) / s with u = g γ; for an RMS norm without mean(u).
Node derive_norm_gradient(const Trace& t, const Step& step, Explanation& e) {
    const auto& own_params = step.as<NormGradientParams>();
    const auto x = t[step.inputs[0]].value.row(e.cell.row), g = t[step.inputs[2]].value.row(e.cell.row);
    const auto gain = t[step.inputs[1]].value.row(0);
    for (int j = 0; j < static_cast<int>(step.value.cols()); ++j)
        product(t, e, {step.inputs[2], e.cell.row, j}, {step.inputs[1], 0, j});
    const kernel::NormSlopes s = kernel::norm_slopes(x.data(), gain.data(), g.data(), x.cols(), own_params.centred, own_params.epsilon);
    const Term& term = e.terms[static_cast<std::size_t>(e.cell.col)];
    Node u = named(own(cell_node(t, term.left) * cell_node(t, *term.right)), Name::ScaledSlope, static_cast<double>(term.value));
    if (own_params.centred) u = std::move(u) - mean_of(left() * right(), x.cast<double>().array(), Name::Mean, s.shared);
    const double normed = (static_cast<double>(x[e.cell.col]) - s.mean) / s.spread;
    return (std::move(u) - number(normed, Name::Normed) * number(s.along, Name::Along)) / number(s.spread, Name::Spread);
}

void train_norm_gradient(const Call& c) {
    const bool centred = c.as<NormGradientParams>().centred;
    const ConstArray gain = row_of(c.inputs[1], 0);
    Array unit(c.room, c.cols);
    for (int r = 0; r < c.rows; ++r) {
        const ConstArray x = row_of(c.inputs[0], r), g = row_of(c.inputs[2], r);
        Array y = row_of(c, r);
        unit = x - (centred ? x.mean() : 0.0f);
        const float by = 1.0f / std::sqrt(unit.square().mean() + c.as<NormGradientParams>().epsilon);
        unit *= by;
        y = g * gain;
        const float along = (y * unit).mean();
        y = (y - (centred ? y.mean() : 0.0f) - unit * along) * by;
    }
}

}  // namespace

constexpr Operation operations::kUnit = {
    .shape = same_shape, .work = two_a_cell, .value = unit_value, .derive = derive_unit,
    .has_slope = slopes_everywhere, .gradient = unit_gradient, .trained = train_unit,
    .noted = kMakesOthers, .remade = kRemadeByRows,
};

constexpr Operation operations::kLayerNorm = {
    .shape = same_shape, .work = two_a_cell, .value = layer_norm_value, .derive = derive_layer_norm,
    .has_slope = slopes_everywhere, .gradient = layer_norm_gradient, .trained = train_layer_norm,
    .noted = Noted{.makes = Makes::Other, .surely_finite = layer_norm_stays_finite}, .remade = kRemadeByRows,
};

constexpr Operation operations::kRmsNorm = {
    .shape = same_shape, .work = two_a_cell, .value = rms_norm_value, .derive = derive_rms_norm,
    .has_slope = slopes_everywhere, .gradient = rms_norm_gradient, .trained = train_rms_norm,
    .noted = Noted{.makes = Makes::Other, .surely_finite = rms_norm_stays_finite}, .remade = kRemadeByRows,
};

constexpr Operation operations::kNormGradient = {
    .shape = same_shape, .work = two_a_cell, .value = norm_gradient_value, .derive = derive_norm_gradient,
    .has_slope = slopes_everywhere, .gradient = no_second_gradient, .trained = train_norm_gradient,
    .noted = kMakesOthers, .remade = kRemadeByRows,
};

}  // namespace attn
