// Operations on the distance of a column from the row's position, or from its centre.
#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/kernels/kernels.h"
#include "core/ops/operation.h"
#include "core/ops/record.h"

namespace attn {

StepId spread(Trace& t, StepId from, int clip, int first, int keys, Axis cols, Tag tag) {
    assert(t[from].value.cols() == 2 * clip + 1);
    Step& step = begin(t, Op::Spread, tag, {from}, t[from].rows, cols);
    step.params = SpreadParams{.clip = clip, .first = first, .keys = keys};
    return record(t);
}

StepId collect(Trace& t, StepId from, int clip, int first, Tag tag) {
    Step& step = begin(t, Op::Collect, tag, {from}, t[from].rows, {Axis::Kind::Distances, -clip});
    step.params = CollectParams{.clip = clip, .first = first};
    return record(t);
}

StepId window(Trace& t, StepId centers, float reach, int keys, Axis cols, Tag tag) {
    Step& step = begin(t, Op::Window, tag, {centers}, t[centers].rows, cols);
    step.params = WindowParams{.reach = reach, .keys = keys};
    return record(t);
}

StepId gaussian(Trace& t, StepId centers, float sigma, int keys, Axis cols, Tag tag) {
    assert(sigma > 0);
    Step& step = begin(t, Op::Gaussian, tag, {centers}, t[centers].rows, cols);
    step.params = GaussianParams{.sigma = sigma, .keys = keys};
    return record(t);
}

namespace {

using buffers::Call;
using buffers::View;

template <class Own>
Shape a_column_a_key(const Trace& t, const Step& step) {
    return {t[step.inputs[0]].value.rows(), step.as<Own>().keys};
}

int distance_at(const auto& own, int i, int j) { return kernel::distance_column(j - i - own.first, own.clip); }

Node derive_spread(const Trace& t, const Step& step, Explanation& e) {
    const int column = kernel::distance_column(e.cell.col - e.cell.row - step.as<SpreadParams>().first, step.as<SpreadParams>().clip);
    return carried(t, e, {step.inputs[0], e.cell.row, column});
}

void spread_gradient(const Rule& r) { r.put(0, collect(r.t(), r.g, r.step.as<SpreadParams>().clip, r.step.as<SpreadParams>().first, r.use(0))); }

void train_spread(const Call& c) {
    const auto& own = c.as<SpreadParams>();
    for (int i = 0; i < c.rows; ++i)
        for (int j = 0; j < c.cols; ++j) c.out[i * c.cols + j] = c.inputs[0](i, distance_at(own, i, j));
}

void spread_from_row(Params& params, Eigen::Index first) { std::get<SpreadParams>(params).first += static_cast<int>(first); }

Shape collect_shape(const Trace& t, const Step& step) { return {t[step.inputs[0]].value.rows(), 2 * step.as<CollectParams>().clip + 1}; }

Matrix collect_value(const Reading& r) { return kernel::collected(r.in(0), r.step.as<CollectParams>().clip, r.step.as<CollectParams>().first); }

Node derive_collect(const Trace& t, const Step& step, Explanation& e) {
    const auto keys = static_cast<int>(t[step.inputs[0]].value.cols());
    for (int j = 0; j < keys; ++j)
        if (kernel::distance_column(j - e.cell.row - step.as<CollectParams>().first, step.as<CollectParams>().clip) == e.cell.col)
            carry(t, e, {step.inputs[0], e.cell.row, j});
    return total(left());
}

void collect_gradient(const Rule& r) {
    const auto keys = static_cast<int>(r.value(0).cols());
    r.put(0, spread(r.t(), r.g, r.step.as<CollectParams>().clip, r.step.as<CollectParams>().first, keys, r.t()[r.in(0)].cols, r.use(0)));
}

void train_collect(const Call& c) {
    const View& x = c.inputs[0];
    const auto& own = c.as<CollectParams>();
    std::fill(c.out, c.out + c.rows * c.cols, 0.0f);
    for (int i = 0; i < c.rows; ++i)
        for (int j = 0; j < x.cols; ++j) c.out[i * c.cols + distance_at(own, i, j)] += x(i, j);
}

/// The distance of the column from the row's centre. `weights`: the result for this centre at every column.
Node off_center(const Trace& t, const Step& step, Explanation& e, const Matrix& weights) {
    const Cell center{step.inputs[0], e.cell.row, 0};
    e.terms.push_back({center, std::nullopt, weights(0, e.cell.col)});
    return number(e.cell.col, Name::Position) - cell_node(t, center);
}

Matrix window_value(const Reading& r) { return kernel::window(r.in(0), r.step.as<WindowParams>().reach, r.step.as<WindowParams>().keys); }

Node derive_window(const Trace& t, const Step& step, Explanation& e) {
    const float reach = step.as<WindowParams>().reach;
    const Matrix center = t[step.inputs[0]].value.row(e.cell.row);
    Node off = off_center(t, step, e, kernel::window(center, reach, step.value.cols()));
    return of_two(Node::Kind::Within, of_one(Node::Kind::Size, std::move(off)), number(static_cast<double>(reach)));
}

Matrix gaussian_value(const Reading& r) { return kernel::gaussian(r.in(0), r.step.as<GaussianParams>().sigma, r.step.as<GaussianParams>().keys); }

/// exp(−(j − p)² / (2 σ²))
Node derive_gaussian(const Trace& t, const Step& step, Explanation& e) {
    const float sigma = step.as<GaussianParams>().sigma;
    const Matrix center = t[step.inputs[0]].value.row(e.cell.row);
    Node off = off_center(t, step, e, kernel::gaussian(center, sigma, step.value.cols()));
    Node power = square(std::move(off)) / (number(2) * square(number(static_cast<double>(sigma))));
    return of_one(Node::Kind::Exp, of_one(Node::Kind::Negative, std::move(power)));
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
    r.put(0, scale(t, off, 1.0f / (r.step.as<GaussianParams>().sigma * r.step.as<GaussianParams>().sigma), r.use(0)));
}

}  // namespace

constexpr Operation operations::kSpread = {
    .shape = a_column_a_key<SpreadParams>, .work = no_work, .value = value_as_trained<train_spread>, .derive = derive_spread,
    .has_slope = slopes_everywhere, .gradient = spread_gradient, .trained = train_spread,
    .noted = kCarriesNumbers, .remade = Remade{Evicted::Between, spread_from_row},
};

constexpr Operation operations::kCollect = {
    .shape = collect_shape, .work = one_a_cell_read, .value = collect_value, .derive = derive_collect,
    .has_slope = slopes_everywhere, .gradient = collect_gradient, .trained = train_collect,
    .noted = kMakesOthers, .remade = kHeld,
};

constexpr Operation operations::kWindow = {
    .shape = a_column_a_key<WindowParams>, .work = no_work, .value = window_value, .derive = derive_window,
    .has_slope = no_slope, .gradient = no_gradient, .trained = kNotTrained,
    .noted = kMakesOthers, .remade = kHeld,
};

constexpr Operation operations::kGaussian = {
    .shape = a_column_a_key<GaussianParams>, .work = one_a_cell, .value = gaussian_value, .derive = derive_gaussian,
    .has_slope = slopes_everywhere, .gradient = gaussian_gradient, .trained = kNotTrained,
    .noted = kMakesOthers, .remade = kHeld,
};

}  // namespace attn
