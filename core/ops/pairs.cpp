// Every query paired with every key: a row of the value is a pair.
#include <cassert>

#include "core/ops/operation.h"
#include "core/ops/record.h"

namespace attn {
namespace {

/// Rows that are pairs: query i with key j at i·m + j. A block of queries from `first` on keeps their labels.
Axis pair_axis(const Trace& t, StepId queries, StepId keys) {
    const auto m = static_cast<int>(t[keys].value.rows());
    return {Axis::Kind::Pairs, t[queries].rows.first * m, m, t[queries].rows.kind, t[keys].rows.kind};
}

}  // namespace

StepId pair_sum(Trace& t, StepId queries, StepId keys, Tag tag) {
    assert(t[queries].value.cols() == t[keys].value.cols());
    return record(t, Op::PairSum, tag, {queries, keys}, pair_axis(t, queries, keys), t[queries].cols);
}

StepId pair_concat(Trace& t, StepId queries, StepId keys, Tag tag) {
    return record(t, Op::PairConcat, tag, {queries, keys}, pair_axis(t, queries, keys), {});
}

StepId fold(Trace& t, StepId pairs, int keys, Axis rows, Axis cols, Tag tag) {
    assert(t[pairs].value.cols() == 1 && keys > 0 && t[pairs].value.rows() % keys == 0);
    Step& step = begin(t, Op::Fold, tag, {pairs}, rows, cols);
    step.params = FoldParams{keys};
    return record(t);
}

StepId unfold(Trace& t, StepId from, Axis rows, Tag tag) {
    Step& step = begin(t, Op::Fold, tag, {from}, rows, {});
    step.params = FoldParams{1};
    return record(t);
}

namespace {

using buffers::Call;
using buffers::View;

Eigen::Index pairs_of(const Trace& t, const Step& step) { return t[step.inputs[0]].value.rows() * t[step.inputs[1]].value.rows(); }

/// The query and the key of row i·m + j.
struct Pair {
    int query, key;
};
Pair pair_at(const Trace& t, const Step& step, int row) {
    const auto keys = static_cast<int>(t[step.inputs[1]].value.rows());
    return {row / keys, row % keys};
}

/// Σ over all pairs with query i, or with key j, of the pairs' rows: a product with a 0/1 matrix.
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

void for_pairs(const Call& c, const auto& make) {
    const View &a = c.inputs[0], &b = c.inputs[1];
    for (int i = 0; i < a.rows; ++i)
        for (int j = 0; j < b.rows; ++j) make(row_of(c, i * b.rows + j), row_of(a, i), row_of(b, j));
}

Shape pair_sum_shape(const Trace& t, const Step& step) { return {pairs_of(t, step), t[step.inputs[0]].value.cols()}; }

Node derive_pair_sum(const Trace& t, const Step& step, Explanation& e) {
    const Pair pair = pair_at(t, step, e.cell.row);
    carry(t, e, {step.inputs[0], pair.query, e.cell.col});
    carry(t, e, {step.inputs[1], pair.key, e.cell.col});
    return total(left());
}

void pair_sum_gradient(const Rule& r) {
    const Eigen::Index queries = r.value(0).rows(), keys = r.value(1).rows();
    for (std::size_t slot = 0; slot < 2; ++slot)
        if (r.wants(slot)) r.put(slot, of_pairs(r, slot, r.g, queries, keys));
}

void train_pair_sum(const Call& c) {
    for_pairs(c, [](auto y, auto a, auto b) { y = a + b; });
}

Shape pair_concat_shape(const Trace& t, const Step& step) {
    return {pairs_of(t, step), t[step.inputs[0]].value.cols() + t[step.inputs[1]].value.cols()};
}

Node derive_pair_concat(const Trace& t, const Step& step, Explanation& e) {
    const Pair pair = pair_at(t, step, e.cell.row);
    const auto width = static_cast<int>(t[step.inputs[0]].value.cols());
    return carried(t, e, e.cell.col < width ? Cell{step.inputs[0], pair.query, e.cell.col} : Cell{step.inputs[1], pair.key, e.cell.col - width});
}

void pair_concat_gradient(const Rule& r) {
    const Eigen::Index queries = r.value(0).rows(), keys = r.value(1).rows();
    const auto left = static_cast<int>(r.value(0).cols()), right = static_cast<int>(r.value(1).cols());
    for (std::size_t slot = 0; slot < 2; ++slot) {
        if (!r.wants(slot)) continue;
        const StepId own = slice(r.t(), r.g, slot == 0 ? 0 : left, slot == 0 ? left : right, r.way(slot));
        r.put(slot, of_pairs(r, slot, own, queries, keys));
    }
}

void train_pair_concat(const Call& c) {
    for_pairs(c, [](auto y, auto a, auto b) {
        y.head(a.size()) = a;
        y.tail(b.size()) = b;
    });
}

Shape fold_shape(const Trace& t, const Step& step) { return {t[step.inputs[0]].value.size() / step.as<FoldParams>().width, step.as<FoldParams>().width}; }

/// The same numbers in the same order, in rows of another length.
Node derive_fold(const Trace& t, const Step& step, Explanation& e) {
    const int place = e.cell.row * static_cast<int>(step.value.cols()) + e.cell.col;
    const auto width = static_cast<int>(t[step.inputs[0]].value.cols());
    return carried(t, e, {step.inputs[0], place / width, place % width});
}

void fold_gradient(const Rule& r) { r.put(0, unfold(r.t(), r.g, r.t()[r.in(0)].rows, r.use(0))); }

void train_fold(const Call& c) { whole(c) = buffers::ConstArray(c.inputs[0].data, static_cast<Eigen::Index>(c.rows) * c.cols); }

}  // namespace

constexpr Operation operations::kPairSum = {
    .shape = pair_sum_shape, .work = one_a_cell, .value = value_as_trained<train_pair_sum>, .derive = derive_pair_sum,
    .has_slope = slopes_everywhere, .gradient = pair_sum_gradient, .trained = train_pair_sum,
    .noted = kMakesOthers, .remade = kHeld,
};

constexpr Operation operations::kPairConcat = {
    .shape = pair_concat_shape, .work = no_work, .value = value_as_trained<train_pair_concat>, .derive = derive_pair_concat,
    .has_slope = slopes_everywhere, .gradient = pair_concat_gradient, .trained = train_pair_concat,
    .noted = kCarriesNumbers, .remade = kHeld,
};

constexpr Operation operations::kFold = {
    .shape = fold_shape, .work = no_work, .value = value_as_trained<train_fold>, .derive = derive_fold,
    .has_slope = slopes_everywhere, .gradient = fold_gradient, .trained = train_fold,
    .noted = kCarriesNumbers, .remade = kHeld,
};

}  // namespace attn
