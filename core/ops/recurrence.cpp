// Recurrent states, each computed from the previous one.
#include <cassert>
#include <cmath>

#include "core/kernels/kernels.h"
#include "core/ops/operation.h"
#include "core/ops/record.h"

namespace attn {

StepId recur(Trace& t, StepId from, StepId weight, bool backward, Tag tag) {
    assert(t[weight].value.rows() == t[weight].value.cols() && t[weight].value.rows() == t[from].value.cols());
    Step& step = begin(t, Op::Recur, tag, {from, weight}, t[from].rows, t[from].cols);
    step.params = RecurParams{backward};
    return record(t);
}

namespace {

Work recur_work(const Trace&, const Step& step) {
    return {static_cast<double>(step.value.size()) * static_cast<double>(step.value.cols())};
}

std::vector<PlacedNumber> edits_of(const Trace& t, Tag tag) {
    std::vector<PlacedNumber> edits;
    for (const Edit& edit : t.edits)
        if (edit.tag == tag) edits.push_back({edit.row, edit.col, edit.value});
    return edits;
}

Matrix recur_value(const Reading& r) { return kernel::recurred(r.in(0), r.in(1), r.step.as<RecurParams>().backward, edits_of(r.trace, r.step.tag)); }

/// tanh(z_t + h_{t−1} U)
Node derive_recur(const Trace& t, const Step& step, Explanation& e) {
    Node sum = carried(t, e, {step.inputs[0], e.cell.row, e.cell.col});
    double value = *sum.value, before_value = 0;
    const int before = step.as<RecurParams>().backward ? e.cell.row + 1 : e.cell.row - 1;
    if (before >= 0 && before < step.value.rows()) {
        for (int f = 0; f < static_cast<int>(step.value.cols()); ++f) {
            product(t, e, {e.cell.step, before, f}, {step.inputs[1], f, e.cell.col});
            before_value += static_cast<double>(e.terms.back().value);
        }
        Node carried_over = named(total(left() * right()), Name::Carried, before_value);
        carried_over.first_term = 1;
        sum.name = Name::Before;
        sum = std::move(sum) + std::move(carried_over);
    }
    value = static_cast<double>(static_cast<float>(value + before_value));
    return call(Activation::Tanh, named(std::move(sum), Name::Sum, value, Written::ThenValue));
}

/// h_t = tanh(z_t + h_{t−1} U), backward through time: d_t = (g_t + d_{t+1} Uᵀ) ⊙ (1 − h_t²); dU is the sum of h_{t−1}ᵀ
/// d_t. [Werbos 1990]
void recur_gradient(const Rule& r) {
    Trace& t = r.t();
    const auto rows = static_cast<int>(r.step.value.rows());
    const auto width = r.step.value.cols();
    const bool backward = r.step.as<RecurParams>().backward;
    const StepId square = multiply(t, r.id, r.id, r.way(0));
    const StepId one = r.ones(0, rows, width, r.step.rows, r.step.cols);
    StepId slope = add(t, one, scale(t, square, -1, r.way(0)), r.way(0));
    if (!r.step.replaced.empty()) {
        Matrix free = Matrix::Ones(rows, width);
        for (const Step::Replaced& cell : r.step.replaced) free(cell.row, cell.col) = 0;
        slope = multiply(t, slope, r.pass.constant(r.in(0), std::move(free), r.step.rows, r.step.cols), r.way(0));
    }
    const StepId transposed = r.pass.transposed(r.in(1));
    std::vector<StepId> parts(static_cast<std::size_t>(rows));
    StepId carried = kNoStep;
    for (int i = 0; i < rows; ++i) {
        const int row = backward ? i : rows - 1 - i;
        StepId all = slice_rows(t, r.g, row, 1, r.way(0));
        if (carried != kNoStep) all = add(t, all, carried, r.way(0));
        const StepId slopes = slice_rows(t, slope, row, 1, r.way(0));
        const StepId made = multiply(t, all, slopes, r.way(0));
        parts[static_cast<std::size_t>(row)] = made;
        if (i + 1 < rows) carried = matmul(t, made, transposed, r.way(0));
    }
    const bool is_gradient = r.wants(0);
    const StepId states = stack(t, parts, is_gradient ? r.use(0) : r.way(1));
    t.steps.back().rows = r.step.rows;
    if (is_gradient) r.put(0, states);
    if (!r.wants(1)) return;
    std::vector<StepId> before = {r.pass.constant(r.in(1), Matrix::Zero(1, width), {}, r.step.cols)};
    if (rows > 1) {
        const StepId others = slice_rows(t, r.id, backward ? 1 : 0, rows - 1, r.way(1));
        before.insert(backward ? before.begin() : before.end(), others);
    }
    const StepId read = stack(t, before, r.way(1));
    t.steps.back().rows = r.step.rows;  // row t holds the state that row t read
    const StepId read_turned = transpose(t, read, r.way(1));
    r.put(1, matmul(t, read_turned, states, r.use(1)));
}

using buffers::Array;
using buffers::Call;
using buffers::View;

void train_recur(const Call& c) {
    const View &z = c.inputs[0], &u = c.inputs[1];
    for (int step = 0; step < c.rows; ++step) {
        const int r = c.as<RecurParams>().backward ? c.rows - 1 - step : step;
        Array y = row_of(c, r);
        y = row_of(z, r);
        if (step > 0) {
            const float* before = c.out + static_cast<std::ptrdiff_t>(c.as<RecurParams>().backward ? r + 1 : r - 1) * c.cols;
            for (int f = 0; f < c.cols; ++f) y += before[f] * row_of(u, f);
        }
        y = y.tanh();
    }
}

}  // namespace

constexpr Operation operations::kRecur = {
    .shape = same_shape, .work = recur_work, .value = recur_value, .derive = derive_recur,
    .has_slope = slopes_everywhere, .gradient = recur_gradient, .trained = train_recur,
    .noted = kMakesOthers, .remade = kHeld,
};

}  // namespace attn
