// Sums, products and quotients, number by number.
#include <cassert>
#include <cmath>
#include <limits>

#include "core/base/parallel.h"
#include "core/base/reused_matrices.h"
#include "core/kernels/kernels.h"
#include "core/kernels/widths.h"
#include "core/ops/operation.h"
#include "core/ops/record.h"

namespace attn {

StepId scale(Trace& t, StepId from, float factor, Tag tag) {
    Step& step = begin(t, Op::Scale, tag, {from}, t[from].rows, t[from].cols);
    step.params = ScaleParams{factor};
    return record(t);
}

StepId add(Trace& t, StepId left, StepId right, Tag tag) {
    assert(t[left].value.rows() == t[right].value.rows() && t[left].value.cols() == t[right].value.cols());
    return record(t, Op::Add, tag, {left, right}, t[left].rows, t[left].cols);
}

StepId add_row(Trace& t, StepId left, StepId bias, Tag tag) {
    assert(t[bias].value.rows() == 1 && t[left].value.cols() == t[bias].value.cols());
    return record(t, Op::AddRow, tag, {left, bias}, t[left].rows, t[left].cols);
}

StepId multiply(Trace& t, StepId left, StepId right, Tag tag) {
    assert(t[left].value.rows() == t[right].value.rows());
    assert(t[right].value.cols() == 1 || t[left].value.cols() == t[right].value.cols());
    return record(t, Op::Multiply, tag, {left, right}, t[left].rows, t[left].cols);
}

StepId divide(Trace& t, StepId left, StepId right, Tag tag) {
    assert(t[left].value.rows() == t[right].value.rows());
    assert(t[right].value.cols() == 1 || t[left].value.cols() == t[right].value.cols());
    return record(t, Op::Divide, tag, {left, right}, t[left].rows, t[left].cols);
}

StepId exp_shift(Trace& t, StepId from, StepId maximum, Tag tag) {
    assert(t[maximum].value.cols() == 1 && t[maximum].value.rows() == t[from].value.rows());
    return record(t, Op::ExpShift, tag, {from, maximum}, t[from].rows, t[from].cols);
}

namespace {

using buffers::Call;

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

/// Split between threads if it is large.
Matrix shared_value(const Reading& r) {
    const Matrix& x = r.in(0);
    Matrix out = unwritten(x.rows(), x.cols());
    share_rows(x.rows(), static_cast<double>(x.cols()), [&](Eigen::Index first, Eigen::Index past) {
        compute_rows(r.trace, r.step, first, past, {0, x.cols()}, out.data());
    });
    return out;
}

void scale_rows(const Trace& t, const Step& step, Eigen::Index first, Eigen::Index past, Columns of, float* out) {
    const Matrix& x = t[step.inputs[0]].value;
    for_runs(x, first, past, of, [&](Eigen::Index at, Eigen::Index count) {
        vectors::kernels().scale(x.data() + at, count, step.as<ScaleParams>().factor, out + at);
    });
}

void add_rows(const Trace& t, const Step& step, Eigen::Index first, Eigen::Index past, Columns of, float* out) {
    const Matrix &x = t[step.inputs[0]].value, &other = t[step.inputs[1]].value;
    for_runs(x, first, past, of, [&](Eigen::Index at, Eigen::Index count) {
        vectors::kernels().add(x.data() + at, other.data() + at, count, out + at);
    });
}

void add_row_to_rows(const Trace& t, const Step& step, Eigen::Index first, Eigen::Index past, Columns of, float* out) {
    const Matrix &x = t[step.inputs[0]].value, &bias = t[step.inputs[1]].value;
    const vectors::Kernels& k = vectors::kernels();
    for (Eigen::Index row = first; row < past; ++row) {
        const Eigen::Index at = row * x.cols() + of.first;
        k.add(x.data() + at, bias.data() + of.first, of.count, out + at);
    }
}

Node derive_scale(const Trace& t, const Step& step, Explanation& e) {
    const float factor = step.as<ScaleParams>().factor;
    const Node x = own(carried(t, e, {step.inputs[0], e.cell.row, e.cell.col}));
    e.terms[0].value *= factor;
    return x * number(static_cast<double>(factor), Name::Factor);
}

void scale_gradient(const Rule& r) { r.put(0, scale(r.t(), r.g, r.step.as<ScaleParams>().factor, r.use(0))); }

void train_scale(const Call& c) { whole(c) = whole(c.inputs[0]) * c.as<ScaleParams>().factor; }

bool scale_stays_finite(const Trace&, const Step& step, bool finite_input) { return finite_input && std::abs(step.as<ScaleParams>().factor) <= 1; }

double scale_bound(const Step& step, std::span<const double> inputs) { return inputs[0] * std::abs(static_cast<double>(step.as<ScaleParams>().factor)); }

Node derive_add(const Trace& t, const Step& step, Explanation& e) {
    const Node x = own(carried(t, e, {step.inputs[0], e.cell.row, e.cell.col}));
    return x + carried(t, e, {step.inputs[1], e.cell.row, e.cell.col});
}

void add_gradient(const Rule& r) {
    for (std::size_t slot = 0; slot < 2; ++slot)
        if (r.wants(slot)) r.put(slot, r.g);
}

void train_add(const Call& c) {
    number_by_number(c, [](auto y, auto x, auto z) { y = x + z; });
}

double add_bound(const Step&, std::span<const double> inputs) { return inputs[0] + inputs[1]; }

Node derive_add_row(const Trace& t, const Step& step, Explanation& e) {
    carry(t, e, {step.inputs[0], e.cell.row, e.cell.col});
    carry(t, e, {step.inputs[1], 0, e.cell.col});
    return total(left());
}

void add_row_gradient(const Rule& r) {
    if (r.wants(0)) r.put(0, r.g);
    if (r.wants(1)) r.put(1, column_sum(r.t(), r.g, r.use(1)));
}

void train_add_row(const Call& c) {
    for (int r = 0; r < c.rows; ++r) row_of(c, r) = row_of(c.inputs[0], r) + row_of(c.inputs[1], 0);
}

/// The right operand's cell; a single column is broadcast to all columns.
Cell right_cell(const Trace& t, const Step& step, Cell cell) {
    return {step.inputs[1], cell.row, t[step.inputs[1]].value.cols() == 1 ? 0 : cell.col};
}

Matrix multiply_value(const Reading& r) { return kernel::multiplied(r.in(0), r.in(1)); }

Node derive_multiply(const Trace& t, const Step& step, Explanation& e) {
    const Cell right = right_cell(t, step, e.cell);
    product(t, e, {step.inputs[0], e.cell.row, e.cell.col}, right);
    return own(cell_node(t, e.terms[0].left)) * cell_node(t, right);
}

/// If the operand was one column that was broadcast, its gradient is summed over each row.
void put_right(const Rule& r, const auto& make) {
    const bool column = r.value(1).cols() == 1 && r.value(0).cols() != 1;
    const StepId whole = make(column ? r.way(1) : r.use(1));
    r.put(1, column ? row_sum(r.t(), whole, r.use(1)) : whole);
}

void multiply_gradient(const Rule& r) {
    if (r.wants(0)) r.put(0, multiply(r.t(), r.g, r.in(1), r.use(0)));
    if (r.wants(1)) put_right(r, [&](Tag tag) { return multiply(r.t(), r.g, r.in(0), tag); });
}

void train_multiply(const Call& c) {
    if (c.inputs[1].cols == 1 && c.inputs[0].cols != 1)
        for (int r = 0; r < c.rows; ++r) row_of(c, r) = row_of(c.inputs[0], r) * c.inputs[1](r, 0);
    else
        number_by_number(c, [](auto y, auto x, auto z) { y = x * z; });
}

Matrix divide_value(const Reading& r) { return kernel::divided(r.in(0), r.in(1)); }

Node derive_divide(const Trace& t, const Step& step, Explanation& e) {
    const Node top = own(cell_node(t, {step.inputs[0], e.cell.row, e.cell.col})), bottom = cell_node(t, right_cell(t, step, e.cell));
    const bool none = *top.value == 0 && *bottom.value == 0;
    e.terms.push_back({top.cell, bottom.cell, none ? 0.0f : static_cast<float>(*top.value) / static_cast<float>(*bottom.value)});
    return top / bottom;
}

/// a / b: g / b, and −g y / b. Where b is 0 the quotient is constant 0.
void divide_gradient(const Rule& r) {
    StepId g = r.g;
    if ((r.value(1).array() == 0).any()) {
        const Matrix sound = (r.value(1).array() != 0).cast<float>();
        const StepId pattern = r.pass.decision(r.in(0), sound, r.t()[r.in(1)].rows, r.t()[r.in(1)].cols);
        g = multiply(r.t(), g, pattern, r.way(0));
    }
    if (r.wants(0)) r.put(0, divide(r.t(), g, r.in(1), r.use(0)));
    if (!r.wants(1)) return;
    const StepId quotient = r.pass.untouched(r.id);
    const StepId above = multiply(r.t(), g, quotient, r.way(1));
    const StepId whole = divide(r.t(), above, r.in(1), r.way(1));
    put_right(r, [&](Tag tag) { return scale(r.t(), whole, -1, tag); });
}

void train_divide(const Call& c) {
    number_by_number(c, [](auto y, auto x, auto z) { y = (z == 0.0f).select(0.0f, x / z); });
}

/// A quotient by the sum of a row's weights: where that is 0, the row is fully masked.
bool divided_by_nothing(const Trace& t, const Step& step, Eigen::Index row) {
    const Matrix& sums = t[step.inputs[1]].value;
    return sums.cols() == 1 && sums(row, 0) == 0 && step.value.row(row).allFinite();
}

Matrix exp_shift_value(const Reading& r) { return kernel::exp_shifted(r.in(0), r.in(1)); }

Node derive_exp_shift(const Trace& t, const Step& step, Explanation& e) {
    const Node score = own(cell_node(t, {step.inputs[0], e.cell.row, e.cell.col})), maximum = cell_node(t, {step.inputs[1], e.cell.row, 0});
    const bool hidden = *score.value == static_cast<double>(kMinusInfinity);
    e.terms.push_back({score.cell, maximum.cell, hidden ? 0.0f : static_cast<float>(std::exp(*score.value - *maximum.value)), hidden});
    return of_one(Node::Kind::Exp, hidden ? score : score - maximum);
}

void exp_shift_gradient(const Rule& r) {
    const StepId own = r.pass.untouched(r.id);
    StepId put_in = kNoStep;
    if (r.wants(0)) r.put(0, put_in = multiply(r.t(), r.g, own, r.use(0)));
    if (!r.wants(1)) return;
    if (put_in == kNoStep) put_in = multiply(r.t(), r.g, own, r.way(1));
    r.put(1, scale(r.t(), row_sum(r.t(), put_in, r.way(1)), -1, r.use(1)));
}

void train_exp_shift(const Call& c) {
    number_by_number(c, [](auto y, auto x, auto z) { y = (x == kMinusInfinity).select(0.0f, (x - z).exp()); });
}

}  // namespace

constexpr Operation operations::kScale = {
    .shape = same_shape, .work = one_a_cell, .value = shared_value, .derive = derive_scale,
    .has_slope = slopes_everywhere, .gradient = scale_gradient, .trained = Trained(train_scale, true),
    .noted = Noted{.makes = Makes::Numbers, .surely_finite = scale_stays_finite}, .remade = kRemadeByRows,
    .number_by_number = [](const Step&) -> NumberByNumber { return scale_rows; }, .bound = scale_bound,
};

constexpr Operation operations::kAdd = {
    .shape = same_shape, .work = one_a_cell, .value = shared_value, .derive = derive_add,
    .has_slope = slopes_everywhere, .gradient = add_gradient, .trained = Trained(train_add, true),
    .noted = kMakesNumbers, .remade = kRemadeByRows,
    .number_by_number = [](const Step&) -> NumberByNumber { return add_rows; }, .bound = add_bound,
};

constexpr Operation operations::kAddRow = {
    .shape = same_shape, .work = one_a_cell, .value = shared_value, .derive = derive_add_row,
    .has_slope = slopes_everywhere, .gradient = add_row_gradient, .trained = train_add_row,
    .noted = kMakesNumbers, .remade = kRemadeByRows,
    .number_by_number = [](const Step&) -> NumberByNumber { return add_row_to_rows; },
};

constexpr Operation operations::kMultiply = {
    .shape = same_shape, .work = one_a_cell, .value = multiply_value, .derive = derive_multiply,
    .has_slope = slopes_everywhere, .gradient = multiply_gradient, .trained = train_multiply,
    .noted = kMakesOthers, .remade = kRemadeByRows,
};

constexpr Operation operations::kDivide = {
    .shape = same_shape, .work = one_a_cell, .value = divide_value, .derive = derive_divide,
    .has_slope = slopes_everywhere, .gradient = divide_gradient, .trained = train_divide,
    .noted = Noted{.makes = Makes::Other, .saw_nothing = divided_by_nothing}, .remade = kRemadeByRows,
};

constexpr Operation operations::kExpShift = {
    .shape = same_shape, .work = one_a_cell, .value = exp_shift_value, .derive = derive_exp_shift,
    .has_slope = slopes_everywhere, .gradient = exp_shift_gradient, .trained = train_exp_shift,
    .noted = kMakesOthers, .remade = kRemadeByRows,
};

}  // namespace attn
