// Many numbers reduced to one.
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "core/kernels/kernels.h"
#include "core/ops/operation.h"
#include "core/ops/record.h"

namespace attn {

StepId row_sum(Trace& t, StepId from, Tag tag) { return record(t, Op::RowSum, tag, {from}, t[from].rows, {}); }

StepId row_max(Trace& t, StepId from, StepId before, Tag tag) {
    Step& step = begin(t, Op::RowMax, tag, {from}, t[from].rows, {});
    if (before != kNoStep) step.inputs.push_back(before);
    return record(t);
}

StepId column_sum(Trace& t, StepId from, Tag tag) {
    return record(t, Op::ColumnSum, tag, {from}, {}, t[from].cols);
}

StepId penalty(Trace& t, StepId coverage, float lambda, Tag tag) {
    assert(t[coverage].value.rows() == 1);
    Step& step = begin(t, Op::Penalty, tag, {coverage}, {}, {});
    step.params = PenaltyParams{lambda};
    return record(t);
}

namespace {

using buffers::Call;

Shape one_a_row(const Trace& t, const Step& step) { return {t[step.inputs[0]].value.rows(), 1}; }

Node derive_row_sum(const Trace& t, const Step& step, Explanation& e) {
    for (int j = 0; j < static_cast<int>(t[step.inputs[0]].value.cols()); ++j) carry(t, e, {step.inputs[0], e.cell.row, j});
    return total(left());
}

Matrix row_sum_value(const Reading& r) { return kernel::row_sums(r.in(0)); }

/// Every column gets its row's gradient.
void row_sum_gradient(const Rule& r) {
    const StepId one = r.ones(0, r.value(0).rows(), r.value(0).cols(), r.t()[r.in(0)].rows, r.t()[r.in(0)].cols);
    r.put(0, multiply(r.t(), one, r.g, r.use(0)));
}

void train_row_sum(const Call& c) {
    for (int r = 0; r < c.rows; ++r) c.out[r] = row_of(c.inputs[0], r).sum();
}

Matrix row_max_value(const Reading& r) { return kernel::row_maxima(r.in(0), r.step.inputs.size() > 1 ? &r.in(1) : nullptr); }

Node derive_row_max(const Trace& t, const Step& step, Explanation& e) {
    derive_row_sum(t, step, e);
    if (step.inputs.size() > 1) carry(t, e, {step.inputs[1], e.cell.row, 0});
    return largest();
}

/// The gradient goes to the largest number; several that tie share it.
void row_max_gradient(const Rule& r) {
    Trace& t = r.t();
    const bool running = r.step.inputs.size() > 1;
    Matrix here = Matrix::Zero(r.value(0).rows(), r.value(0).cols());
    Matrix before = Matrix::Zero(r.value(0).rows(), 1);
    for (Eigen::Index i = 0; i < here.rows(); ++i) {
        const float most = r.step.value(i, 0);
        if (!std::isfinite(most)) continue;
        const bool carried = running && r.value(1)(i, 0) == most;
        const auto count = static_cast<float>((r.value(0).row(i).array() == most).count() + (carried ? 1 : 0));
        if (count == 0) continue;
        here.row(i) = (r.value(0).row(i).array() == most).cast<float>() / count;
        before(i, 0) = carried ? 1.0f / count : 0.0f;
    }
    if (r.wants(0)) {
        const StepId share = r.pass.decision(r.in(0), std::move(here), t[r.in(0)].rows, t[r.in(0)].cols);
        r.put(0, multiply(t, share, r.g, r.use(0)));
    }
    if (r.wants(1)) {
        const StepId share = r.pass.decision(r.in(1), std::move(before), t[r.in(1)].rows, t[r.in(1)].cols);
        r.put(1, multiply(t, share, r.g, r.use(1)));
    }
}

/// A −∞ is intended: the maximum of no visible number.
bool of_nothing(const Trace&, const Step&, Eigen::Index, Eigen::Index) { return true; }

Shape one_a_column(const Trace& t, const Step& step) { return {1, t[step.inputs[0]].value.cols()}; }

Matrix column_sum_value(const Reading& r) { return kernel::column_sums(r.in(0)); }

Node derive_column_sum(const Trace& t, const Step& step, Explanation& e) {
    for (int i = 0; i < static_cast<int>(t[step.inputs[0]].value.rows()); ++i) carry(t, e, {step.inputs[0], i, e.cell.col});
    return total(left());
}

/// Every row gets its column's gradient.
void column_sum_gradient(const Rule& r) {
    const StepId one = r.ones(0, r.value(0).rows(), 1, r.t()[r.in(0)].rows, {});
    r.put(0, matmul(r.t(), one, r.g, r.use(0)));
}

void train_column_sum(const Call& c) { buffers::sum_of_rows(c.inputs[0].data, c.inputs[0].rows, c.inputs[0].cols, c.out); }

Shape one_number(const Trace&, const Step&) { return {1, 1}; }

Matrix penalty_value(const Reading& r) {
    const double sum = (1.0 - r.in(0).cast<double>().array()).square().sum();
    return Matrix::Constant(1, 1, static_cast<float>(static_cast<double>(r.step.as<PenaltyParams>().lambda) * sum));
}

/// λ Σ (1 − c)²
Node derive_penalty(const Trace& t, const Step& step, Explanation& e) {
    const auto lambda = static_cast<double>(step.as<PenaltyParams>().lambda);
    for (int j = 0; j < static_cast<int>(t[step.inputs[0]].value.cols()); ++j) {
        const Cell from{step.inputs[0], 0, j};
        const double off = 1 - static_cast<double>(number_in(t, from));
        e.terms.push_back({from, std::nullopt, static_cast<float>(lambda * off * off)});
    }
    return number(lambda) * total(square(number(1) - left()));
}

/// λ Σ (1 − c)²: −2λ (1 − c).
void penalty_gradient(const Rule& r) {
    Trace& t = r.t();
    const StepId one = r.pass.constant(r.in(0), Matrix::Constant(1, r.value(0).cols(), -1), {}, t[r.in(0)].cols);
    const StepId off = add(t, r.in(0), one, r.way(0));
    const StepId slope = scale(t, off, 2 * r.step.as<PenaltyParams>().lambda, r.way(0));
    r.put(0, multiply(t, slope, r.g, r.use(0)));
}

}  // namespace

constexpr Operation operations::kRowSum = {
    .shape = one_a_row, .work = one_a_cell_read, .value = row_sum_value, .derive = derive_row_sum,
    .has_slope = slopes_everywhere, .gradient = row_sum_gradient, .trained = train_row_sum,
    .noted = kMakesOthers, .remade = kRemadeByRows,
};

constexpr Operation operations::kRowMax = {
    .shape = one_a_row, .work = one_a_cell_read, .value = row_max_value, .derive = derive_row_max,
    .has_slope = slopes_everywhere, .gradient = row_max_gradient, .trained = kNotTrained,
    .noted = Noted{.makes = Makes::Other, .means_infinity = of_nothing}, .remade = kRemadeByRows,
};

constexpr Operation operations::kColumnSum = {
    .shape = one_a_column, .work = one_a_cell_read, .value = column_sum_value, .derive = derive_column_sum,
    .has_slope = slopes_everywhere, .gradient = column_sum_gradient, .trained = train_column_sum,
    .noted = kMakesOthers, .remade = kHeld,
};

constexpr Operation operations::kPenalty = {
    .shape = one_number, .work = one_a_cell_read, .value = penalty_value, .derive = derive_penalty,
    .has_slope = slopes_everywhere, .gradient = penalty_gradient, .trained = kNotTrained,
    .noted = kMakesOthers, .remade = kHeld,
};

}  // namespace attn
