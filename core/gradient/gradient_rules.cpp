// What the gradient of each operation's result puts into the gradients of its inputs: the chain rule, one operation at
// a time, in the same operations.
#include <cassert>
#include <cmath>
#include <limits>

#include "core/gradient/gradient_pass.h"
#include "core/ops/ops.h"

/// Names such as product or norm are those of other files as well.
namespace attn::gradient_rule {
void apply(ReversePass& pass, StepId id, StepId g);

namespace {

/// One step of the pass: its inputs, whether they want a gradient, and where steps go.
struct Rule {
    ReversePass& pass;
    StepId id, g;
    Step step;  ///< a copy: recording moves the trace's steps

    Trace& t() const { return pass.trace(); }
    StepId in(std::size_t slot) const { return step.inputs[slot]; }
    const Matrix& value(std::size_t slot) const { return t()[in(slot)].value; }
    bool wants(std::size_t slot) const { return pass.wants(step, slot); }
    Tag use(std::size_t slot) const { return pass.of_use(in(slot)); }
    Tag way(std::size_t slot) const { return pass.on_the_way(in(slot)); }
    void put(std::size_t slot, StepId gradient) const { pass.put_in(in(slot), gradient); }
    StepId ones(std::size_t slot, Eigen::Index rows, Eigen::Index cols, Axis row_axis, Axis col_axis) const {
        return pass.constant(in(slot), Matrix::Ones(rows, cols), row_axis, col_axis);
    }
};

void product(const Rule& r) {
    if (r.wants(0)) {
        const StepId right = r.pass.transposed(r.in(1));
        r.put(0, matmul(r.t(), r.g, right, r.use(0)));
    }
    if (r.wants(1)) {
        const StepId left = r.pass.transposed(r.in(0));
        r.put(1, matmul(r.t(), left, r.g, r.use(1)));
    }
}

void bias(const Rule& r) {
    if (r.wants(0)) r.put(0, r.g);
    if (r.wants(1)) r.put(1, column_sum(r.t(), r.g, r.use(1)));
}

/// For an operand of one column that served every column: the row's sum.
void put_right(const Rule& r, const auto& make) {
    const bool column = r.value(1).cols() == 1 && r.value(0).cols() != 1;
    const StepId whole = make(column ? r.way(1) : r.use(1));
    r.put(1, column ? row_sum(r.t(), whole, r.use(1)) : whole);
}

void multiplied(const Rule& r) {
    if (r.wants(0)) r.put(0, multiply(r.t(), r.g, r.in(1), r.use(0)));
    if (r.wants(1)) put_right(r, [&](Tag tag) { return multiply(r.t(), r.g, r.in(0), tag); });
}

/// a / b: g / b, and −g y / b. Where b is 0 the quotient is 0 whatever stands around it.
void divided(const Rule& r) {
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

void activated_by(const Rule& r) {
    const StepId slope = activate(r.t(), r.in(0), slope_of(r.step.params.activation), r.way(0));
    r.put(0, multiply(r.t(), r.g, slope, r.use(0)));
}

/// y = x / |x|: (g − y (g·y)) / |x|, and |x| = x·y.
void unit_row(const Rule& r) {
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

void norm(const Rule& r) {
    Trace& t = r.t();
    const bool centred = r.step.op == Op::LayerNorm;
    const float epsilon = r.step.params.factor;
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

/// Σ over all pairs with query i, or with key j, of rows of pairs: a product with a table of 0 and 1.
StepId of_pairs(const Rule& r, std::size_t slot, StepId pairs, Eigen::Index queries, Eigen::Index keys) {
    Trace& t = r.t();
    const bool query = slot == 0;
    if (query && queries == 1) return column_sum(t, pairs, r.use(slot));
    if (!query && queries == 1) return pairs;
    Matrix belongs = Matrix::Zero(query ? queries : keys, queries * keys);
    for (Eigen::Index i = 0; i < queries; ++i)
        for (Eigen::Index j = 0; j < keys; ++j) belongs(query ? i : j, i * keys + j) = 1;
    const StepId table = r.pass.constant(r.in(slot), std::move(belongs), t[r.in(slot)].rows, t[pairs].rows);
    return matmul(t, table, pairs, r.use(slot));
}

void pairs(const Rule& r) {
    const Eigen::Index queries = r.value(0).rows(), keys = r.value(1).rows();
    const auto left = static_cast<int>(r.value(0).cols()), right = static_cast<int>(r.value(1).cols());
    const bool joined = r.step.op == Op::PairConcat;
    for (std::size_t slot = 0; slot < 2; ++slot) {
        if (!r.wants(slot)) continue;
        StepId own = r.g;
        if (joined) own = slice(r.t(), r.g, slot == 0 ? 0 : left, slot == 0 ? left : right, r.way(slot));
        r.put(slot, of_pairs(r, slot, own, queries, keys));
    }
}

/// exp(−(j − p)² / 2σ²): Σ_j g y (j − p) / σ² = (Σ_j g y j − p Σ_j g y) / σ².
void gaussian_gradient(const Rule& r) {
    Trace& t = r.t();
    const auto keys = r.step.value.cols();
    Matrix places(keys, 1);
    for (Eigen::Index j = 0; j < keys; ++j) places(j, 0) = static_cast<float>(j);
    const StepId put_in = multiply(t, r.g, r.pass.untouched(r.id), r.way(0));
    const StepId column = r.pass.constant(r.in(0), std::move(places), t[r.id].cols, {});
    const StepId at_places = matmul(t, put_in, column, r.way(0));
    const StepId at_center = multiply(t, row_sum(t, put_in, r.way(0)), r.in(0), r.way(0));
    const StepId off = add(t, at_places, scale(t, at_center, -1, r.way(0)), r.way(0));
    r.put(0, scale(t, off, 1.0f / (r.step.params.factor * r.step.params.factor), r.use(0)));
}

void kept(const Rule& r) {
    Matrix seen = Matrix::Ones(r.step.value.rows(), r.step.value.cols());
    for (Eigen::Index i = 0; i < seen.size(); ++i)
        if (r.step.value.data()[i] == -std::numeric_limits<float>::infinity()) seen.data()[i] = 0;
    const StepId pattern = r.pass.decision(r.in(0), std::move(seen), r.step.rows, r.step.cols);
    r.put(0, multiply(r.t(), r.g, pattern, r.use(0)));
}

/// Among the positions that have a share: g less its mean there. [Martins, Astudillo 2016, eq. 14]
void sparse(const Rule& r) {
    Trace& t = r.t();
    const StepId own = r.pass.untouched(r.id);
    const Matrix support = (t[own].value.array() > 0).cast<float>();
    const StepId pattern = r.pass.decision(r.in(0), support, r.step.rows, r.step.cols);
    const StepId among = multiply(t, r.g, pattern, r.way(0));
    const StepId sum = row_sum(t, among, r.way(0)), count = row_sum(t, pattern, r.way(0));
    const StepId mean = divide(t, sum, count, r.way(0));
    const StepId common = scale(t, multiply(t, pattern, mean, r.way(0)), -1, r.way(0));
    const float temperature = r.step.params.temperature;
    const bool plain = temperature == 1;
    const StepId off = add(t, among, common, plain ? r.use(0) : r.way(0));
    r.put(0, plain ? off : scale(t, off, 1.0f / temperature, r.use(0)));
}

/// To where the largest stood; several share it.
void largest(const Rule& r) {
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

void shifted(const Rule& r) {
    const StepId own = r.pass.untouched(r.id);
    StepId put_in = kNoStep;
    if (r.wants(0)) r.put(0, put_in = multiply(r.t(), r.g, own, r.use(0)));
    if (!r.wants(1)) return;
    if (put_in == kNoStep) put_in = multiply(r.t(), r.g, own, r.way(1));
    r.put(1, scale(r.t(), row_sum(r.t(), put_in, r.way(1)), -1, r.use(1)));
}

/// λ Σ (1 − c)²: −2λ (1 − c).
void penalised(const Rule& r) {
    Trace& t = r.t();
    const StepId one = r.pass.constant(r.in(0), Matrix::Constant(1, r.value(0).cols(), -1), {}, t[r.in(0)].cols);
    const StepId off = add(t, r.in(0), one, r.way(0));
    const StepId slope = scale(t, off, 2 * r.step.params.factor, r.way(0));
    r.put(0, multiply(t, slope, r.g, r.use(0)));
}

/// h_t = tanh(z_t + h_{t−1} U), from the last time back to the first: d_t = (g_t + d_{t+1} Uᵀ) ⊙ (1 − h_t²); dU is the
/// sum of h_{t−1}ᵀ d_t. [Werbos 1990]
void recurrent(const Rule& r) {
    Trace& t = r.t();
    const auto rows = static_cast<int>(r.step.value.rows());
    const auto width = r.step.value.cols();
    const bool backward = r.step.params.backward;
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
    const bool kept_as_gradient = r.wants(0);
    const StepId states = stack(t, parts, kept_as_gradient ? r.use(0) : r.way(1));
    t.steps.back().rows = r.step.rows;
    if (kept_as_gradient) r.put(0, states);
    if (!r.wants(1)) return;
    std::vector<StepId> before = {r.pass.constant(r.in(1), Matrix::Zero(1, width), {}, r.step.cols)};
    if (rows > 1) {
        const StepId others = slice_rows(t, r.id, backward ? 1 : 0, rows - 1, r.way(1));
        before.insert(backward ? before.begin() : before.end(), others);
    }
    const StepId read = stack(t, before, r.way(1));
    t.steps.back().rows = r.step.rows;  // what each of these rows read
    const StepId read_turned = transpose(t, read, r.way(1));
    r.put(1, matmul(t, read_turned, states, r.use(1)));
}

void joined(const Rule& r) {
    const bool above = r.step.op == Op::Stack;
    int at = 0;
    for (std::size_t slot = 0; slot < r.step.inputs.size(); ++slot) {
        const auto size = static_cast<int>(above ? r.value(slot).rows() : r.value(slot).cols());
        if (r.wants(slot))
            r.put(slot, above ? slice_rows(r.t(), r.g, at, size, r.use(slot)) : slice(r.t(), r.g, at, size, r.use(slot)));
        at += size;
    }
}

/// Every column, or every row, gets the one number of its row, or its column.
void summed(const Rule& r) {
    Trace& t = r.t();
    const StepId from = r.in(0);
    if (r.step.op == Op::RowSum) {
        const StepId one = r.ones(0, r.value(0).rows(), r.value(0).cols(), t[from].rows, t[from].cols);
        return r.put(0, multiply(t, one, r.g, r.use(0)));
    }
    const StepId one = r.ones(0, r.value(0).rows(), 1, t[from].rows, {});
    r.put(0, matmul(t, one, r.g, r.use(0)));
}

}  // namespace

void apply(ReversePass& pass, StepId id, StepId g) {
    Trace& t = pass.trace();
    const Rule r{pass, id, g, t[id]};
    const Params& params = r.step.params;
    switch (r.step.op) {
        case Op::Input:
        case Op::Window:
        case Op::Draw:
            return;
        case Op::MatMul:
            return product(r);
        case Op::Transpose:
            return r.put(0, transpose(t, g, r.use(0)));
        case Op::Scale:
            return r.put(0, scale(t, g, params.factor, r.use(0)));
        case Op::Add:
            for (std::size_t slot = 0; slot < 2; ++slot)
                if (r.wants(slot)) r.put(slot, g);
            return;
        case Op::AddRow:
            return bias(r);
        case Op::Multiply:
            return multiplied(r);
        case Op::Divide:
            return divided(r);
        case Op::Activate:
            return activated_by(r);
        case Op::Unit:
            return unit_row(r);
        case Op::LayerNorm:
        case Op::RmsNorm:
            return norm(r);
        case Op::Rotate:
            return r.put(0, rotate(t, g, params.first, params.half_pairs, r.use(0), params.factor, !params.backward, params.slowing));
        case Op::PairSum:
        case Op::PairConcat:
            return pairs(r);
        case Op::Fold:
            return r.put(0, unfold(t, g, t[r.in(0)].rows, r.use(0)));
        case Op::Spread:
            return r.put(0, collect(t, g, params.count, params.first, r.use(0)));
        case Op::Collect: {
            const auto keys = static_cast<int>(r.value(0).cols());
            return r.put(0, spread(t, g, params.count, params.first, keys, t[r.in(0)].cols, r.use(0)));
        }
        case Op::Gaussian:
            return gaussian_gradient(r);
        case Op::Mask:
            return r.put(0, multiply(t, g, r.in(1), r.use(0)));
        case Op::TopK:
        case Op::TopP:
            return kept(r);
        case Op::Softmax: {
            const StepId weights = pass.untouched(id);
            return r.put(0, softmax_gradient(t, weights, g, params.temperature, r.use(0)));
        }
        case Op::Sparsemax:
            return sparse(r);
        case Op::RowSum:
        case Op::ColumnSum:
            return summed(r);
        case Op::RowMax:
            return largest(r);
        case Op::ExpShift:
            return shifted(r);
        case Op::Penalty:
            return penalised(r);
        case Op::Recur:
            return recurrent(r);
        case Op::Slice:
            return pass.put_in_columns(r.in(0), params.first, g);
        case Op::SliceRows:
            return pass.put_in_rows(r.in(0), params.first, g);
        case Op::Concat:
        case Op::Stack:
            return joined(r);
        case Op::SoftmaxGradient:
        case Op::NormGradient:
            assert(false && "the reverse pass of a reverse pass is not recorded");
            return;
    }
}

}  // namespace attn::gradient_rule

namespace attn {

void pass_back(ReversePass& pass, StepId step, StepId g) { gradient_rule::apply(pass, step, g); }

}  // namespace attn
