// Rows and columns taken out of a matrix, and matrices joined.
#include <algorithm>
#include <cassert>
#include <cstring>

#include "core/base/reused_matrices.h"
#include "core/ops/operation.h"
#include "core/ops/record.h"

namespace attn {

StepId slice(Trace& t, StepId from, int first, int count, Tag tag) {
    assert(first >= 0 && count >= 0 && first + count <= t[from].value.cols());
    Step& step = begin(t, Op::Slice, tag, {from}, t[from].rows, t[from].cols);
    step.cols.first += first;
    step.params = SliceParams{.first = first, .count = count};
    return record(t);
}

StepId slice_rows(Trace& t, StepId from, int first, int count, Tag tag) {
    assert(first >= 0 && count >= 0 && first + count <= t[from].value.rows());
    Step& step = begin(t, Op::SliceRows, tag, {from}, t[from].rows, t[from].cols);
    step.rows.first += first;
    step.params = SliceParams{.first = first, .count = count};
    return record(t);
}

StepId concat(Trace& t, const std::vector<StepId>& parts, Tag tag) {
    assert(!parts.empty());
    begin(t, Op::Concat, tag, {}, t[parts[0]].rows, {}).inputs = parts;
    return record(t);
}

StepId stack(Trace& t, const std::vector<StepId>& parts, Tag tag) {
    assert(!parts.empty());
    begin(t, Op::Stack, tag, {}, t[parts[0]].rows, t[parts[0]].cols).inputs = parts;
    return record(t);
}

namespace {

using buffers::Call;
using buffers::View;

/// Copies a few numbers, four at a time: for so few, a call to memcpy costs more than the copy.
void copy_few(const float* from, Eigen::Index count, float* to) {
    Eigen::Index i = 0;
    for (; i + 4 <= count; i += 4) std::memcpy(to + i, from + i, 4 * sizeof(float));
    for (; i < count; ++i) to[i] = from[i];
}

/// Copies columns of one matrix to columns of another, row by row.
void copy_columns(const Matrix& from, Eigen::Index first, Eigen::Index count, Matrix& to, Eigen::Index at) {
    constexpr Eigen::Index kFew = 64;
    const float* source = from.data() + first;
    float* target = to.data() + at;
    for (Eigen::Index r = 0; r < from.rows(); ++r, source += from.cols(), target += to.cols())
        if (count <= kFew)
            copy_few(source, count, target);
        else
            std::copy_n(source, count, target);
}

Shape slice_shape(const Trace& t, const Step& step) { return {t[step.inputs[0]].value.rows(), step.as<SliceParams>().count}; }

Matrix slice_value(const Reading& r) {
    Matrix out = unwritten(r.in(0).rows(), r.step.as<SliceParams>().count);
    copy_columns(r.in(0), r.step.as<SliceParams>().first, r.step.as<SliceParams>().count, out, 0);
    return out;
}

Node derive_slice(const Trace& t, const Step& step, Explanation& e) {
    return carried(t, e, {step.inputs[0], e.cell.row, e.cell.col + step.as<SliceParams>().first});
}

void slice_gradient(const Rule& r) { r.pass.put_in_columns(r.in(0), r.step.as<SliceParams>().first, r.g); }

void train_slice(const Call& c) {
    for (int r = 0; r < c.rows; ++r)
        std::memcpy(c.out + static_cast<std::ptrdiff_t>(r) * c.cols, c.inputs[0].row(r) + c.as<SliceParams>().first,
                    static_cast<std::size_t>(c.cols) * sizeof(float));
}

Shape slice_rows_shape(const Trace& t, const Step& step) { return {step.as<SliceParams>().count, t[step.inputs[0]].value.cols()}; }

Matrix slice_rows_value(const Reading& r) {
    return r.trace[r.step.inputs[0]].value.some_rows(r.step.as<SliceParams>().first, r.step.as<SliceParams>().count);
}

Node derive_slice_rows(const Trace& t, const Step& step, Explanation& e) {
    return carried(t, e, {step.inputs[0], e.cell.row + step.as<SliceParams>().first, e.cell.col});
}

void slice_rows_gradient(const Rule& r) { r.pass.put_in_rows(r.in(0), r.step.as<SliceParams>().first, r.g); }

void train_slice_rows(const Call& c) {
    const float* const from = c.inputs[0].row(c.as<SliceParams>().first);
    std::copy(from, from + static_cast<std::ptrdiff_t>(c.rows) * c.cols, c.out);
}

Shape concat_shape(const Trace& t, const Step& step) {
    Shape all{t[step.inputs[0]].value.rows(), 0};
    for (const StepId part : step.inputs) all.cols += t[part].value.cols();
    return all;
}

Matrix concat_value(const Reading& r) {
    const Shape shape = concat_shape(r.trace, r.step);
    Matrix out = unwritten(shape.rows, shape.cols);
    Eigen::Index at = 0;
    for (const StepId part : r.step.inputs) {
        copy_columns(r.trace[part].value, 0, r.trace[part].value.cols(), out, at);
        at += r.trace[part].value.cols();
    }
    return out;
}

Node derive_concat(const Trace& t, const Step& step, Explanation& e) {
    Cell from = e.cell;
    for (const StepId part : step.inputs) {
        from.step = part;
        const auto size = static_cast<int>(t[part].value.cols());
        if (from.col < size) break;
        from.col -= size;
    }
    return carried(t, e, from);
}

void concat_gradient(const Rule& r) {
    int at = 0;
    for (std::size_t slot = 0; slot < r.step.inputs.size(); ++slot) {
        const auto size = static_cast<int>(r.value(slot).cols());
        if (r.wants(slot)) r.put(slot, slice(r.t(), r.g, at, size, r.use(slot)));
        at += size;
    }
}

void train_concat(const Call& c) {
    int at = 0;
    for (const View& part : c.inputs) {
        for (int r = 0; r < c.rows; ++r) std::copy(part.row(r), part.row(r) + part.cols, c.out + static_cast<std::ptrdiff_t>(r) * c.cols + at);
        at += part.cols;
    }
}

Shape stack_shape(const Trace& t, const Step& step) {
    Shape all{0, t[step.inputs[0]].value.cols()};
    for (const StepId part : step.inputs) all.rows += t[part].value.rows();
    return all;
}

Node derive_stack(const Trace& t, const Step& step, Explanation& e) {
    Cell from = e.cell;
    for (const StepId part : step.inputs) {
        from.step = part;
        const auto size = static_cast<int>(t[part].value.rows());
        if (from.row < size) break;
        from.row -= size;
    }
    return carried(t, e, from);
}

void stack_gradient(const Rule& r) {
    int at = 0;
    for (std::size_t slot = 0; slot < r.step.inputs.size(); ++slot) {
        const auto size = static_cast<int>(r.value(slot).rows());
        if (r.wants(slot)) r.put(slot, slice_rows(r.t(), r.g, at, size, r.use(slot)));
        at += size;
    }
}

void train_stack(const Call& c) {
    float* to = c.out;
    for (const View& part : c.inputs) to = std::copy(part.data, part.data + static_cast<std::ptrdiff_t>(part.rows) * part.cols, to);
}

}  // namespace

constexpr Operation operations::kSlice = {
    .shape = slice_shape, .work = no_work, .value = slice_value, .derive = derive_slice,
    .has_slope = slopes_everywhere, .gradient = slice_gradient, .trained = train_slice,
    .noted = kCarriesNumbers, .remade = Remade{Evicted::Always},
};

constexpr Operation operations::kSliceRows = {
    .shape = slice_rows_shape, .work = no_work, .value = slice_rows_value, .derive = derive_slice_rows,
    .has_slope = slopes_everywhere, .gradient = slice_rows_gradient, .trained = train_slice_rows,
    .noted = kCarriesNumbers, .remade = kHeld,
};

constexpr Operation operations::kConcat = {
    .shape = concat_shape, .work = no_work, .value = concat_value, .derive = derive_concat,
    .has_slope = slopes_everywhere, .gradient = concat_gradient, .trained = Trained(train_concat, true),
    .noted = kCarriesNumbers, .remade = kRemadeByRows,
};

constexpr Operation operations::kStack = {
    .shape = stack_shape, .work = no_work, .value = value_as_trained<train_stack>, .derive = derive_stack,
    .has_slope = slopes_everywhere, .gradient = stack_gradient, .trained = Trained(train_stack, true),
    .noted = kCarriesNumbers, .remade = kHeld,
};

}  // namespace attn
