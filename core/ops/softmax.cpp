// Scores normalised to shares of 1, row by row.
#include "core/kernels/softmax.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "core/kernels/kernels.h"
#include "core/ops/operation.h"
#include "core/ops/record.h"

namespace attn {

StepId softmax(Trace& t, StepId from, float temperature, Tag tag) {
    Step& step = begin(t, Op::Softmax, tag, {from}, t[from].rows, t[from].cols);
    step.params = SoftmaxParams{temperature};
    return record(t);
}

StepId sparsemax(Trace& t, StepId from, float temperature, Tag tag) {
    Step& step = begin(t, Op::Sparsemax, tag, {from}, t[from].rows, t[from].cols);
    step.params = SoftmaxParams{temperature};
    return record(t);
}

StepId softmax_gradient(Trace& t, StepId weights, StepId gradient, float temperature, Tag tag) {
    assert(temperature > 0 && t[weights].value.rows() == t[gradient].value.rows());
    Step& step = begin(t, Op::SoftmaxGradient, tag, {weights, gradient}, t[weights].rows, t[weights].cols);
    step.params = SoftmaxParams{temperature};
    return record(t);
}

namespace {

using buffers::Array;
using buffers::Call;
using buffers::ConstArray;

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// Which rows of the input were noted as overflowed; empty if none.
std::vector<bool> overflowed_rows(const Reading& r) {
    std::vector<bool> rows;
    for (const Note& note : r.notes)
        if (note.step == r.step.inputs[0] && note.state == RowState::Overflow) {
            rows.resize(static_cast<std::size_t>(r.in(0).rows()), false);
            rows[static_cast<std::size_t>(note.row)] = true;
        }
    return rows;
}

/// At temperatures 0 and ∞ the shares jump, or do not change at all, as scores change.
bool slopes_between_limits(const Step& step, std::size_t) {
    return step.as<SoftmaxParams>().temperature != 0 && std::isfinite(step.as<SoftmaxParams>().temperature);
}

/// Whether the row is fully masked: its scores are all −∞, or there are none. Its shares are then 0 throughout, which
/// no other row has unless cells were typed over; so with replaced cells the scores are checked instead.
bool all_hidden(const Trace& t, const Step& step, Eigen::Index row) {
    const bool by_scores = !step.replaced.empty();
    const Matrix& read = by_scores ? t[step.inputs[0]].value : step.value;
    const float* const first = read.data() + row * read.cols();
    return std::all_of(first, first + read.cols(), [&](float x) { return x == (by_scores ? kMinusInfinity : 0.0f); });
}

Matrix softmax_value(const Reading& r) { return softmax_rows(r.in(0), r.step.as<SoftmaxParams>().temperature, overflowed_rows(r)); }

/// exp((x − max) / τ) with its limits at τ = 0 (1 at the maximum, 0 elsewhere) and τ = ∞ (1 wherever allowed).
float share(float score, float maximum, float temperature) {
    if (score == kMinusInfinity) return 0;
    const double below = static_cast<double>(score) - static_cast<double>(maximum);
    if (below == 0) return 1;
    return temperature == 0 ? 0.0f : static_cast<float>(std::exp(below / static_cast<double>(temperature)));
}

bool is_limit(float temperature) { return !(temperature > 0) || std::isinf(temperature); }

/// (x − max) / τ.
Node below_largest(Node score, double maximum, float temperature) {
    Node most = std::isnan(maximum) ? number(maximum, Name::Maximum) : named(largest(), Name::Maximum, maximum, Written::Value);
    return over_temperature(std::move(score) - std::move(most), temperature);
}

Node derive_softmax(const Trace& t, const Step& step, Explanation& e) {
    const RowVector row = t[step.inputs[0]].value.one_row(e.cell.row);  // may be as wide as the vocabulary
    const float temperature = step.as<SoftmaxParams>().temperature;
    const bool overflow = row_state(t, step.inputs[0], e.cell.row) == RowState::Overflow;
    const float maximum = overflow ? kNan : row.maxCoeff<Eigen::PropagateNaN>();
    double sum = 0;
    for (int j = 0; j < static_cast<int>(row.cols()); ++j) {
        const float exponential = overflow                    ? kNan
                                  : maximum == kMinusInfinity ? 0.0f
                                                              : share(row[j], maximum, temperature);
        e.terms.push_back({{step.inputs[0], e.cell.row, j}, std::nullopt, exponential, row[j] == kMinusInfinity});
        sum += exponential;
    }
    const Term& term = e.terms[static_cast<std::size_t>(e.cell.col)];
    const auto exponential = [&](Node score) { return of_one(Node::Kind::Exp, std::move(score)); };
    const Node score = own(cell_node(t, term.left));
    const auto most = static_cast<double>(maximum);
    Node above = exponential(term.masked && !overflow ? score : below_largest(score, most, temperature)),
         each = exponential(below_largest(left(), most, temperature));
    // At the limits each exponential is 0 or 1; evaluating the quotient inside would give 0/0.
    above = named(std::move(above), Name::None, static_cast<double>(term.value), is_limit(temperature) ? Written::Value : Written::ThenValue);
    if (is_limit(temperature)) each.written = Written::Value;
    return std::move(above) / named(total(std::move(each)), Name::Sum, static_cast<double>(static_cast<float>(sum)), Written::ThenValue);
}

void softmax_rule(const Rule& r) {
    const StepId weights = r.pass.untouched(r.id);
    r.put(0, softmax_gradient(r.t(), weights, r.g, r.step.as<SoftmaxParams>().temperature, r.use(0)));
}

void train_softmax(const Call& c) {
    const float by = 1.0f / c.as<SoftmaxParams>().temperature;
    for (int r = 0; r < c.rows; ++r) {
        const ConstArray x = row_of(c.inputs[0], r);
        Array y = row_of(c, r);
        const float most = x.maxCoeff();
        if (most == kMinusInfinity) {
            y.setZero();
            continue;
        }
        // Below −87 the vectorised exp is inexact; masked positions are set to exactly 0.
        y = ((x - most) * by).max(-87.0f).exp();
        y = (x == kMinusInfinity).select(0.0f, y);
        y *= 1.0f / y.sum();
    }
}

/// A row holds shares, or NaN throughout, so its first number decides.
bool softmax_is_finite(const Trace&, const Step& step, bool) {
    return step.as<SoftmaxParams>().temperature >= 0 && step.value.cols() > 0 && step.value.matrix().col(0).allFinite();
}

Matrix sparsemax_value(const Reading& r) { return kernel::sparsemax(r.in(0), r.step.as<SoftmaxParams>().temperature, overflowed_rows(r)); }

/// max((x − max) / τ − threshold, 0)
Node derive_sparsemax(const Trace& t, const Step& step, Explanation& e) {
    const RowVector row = t[step.inputs[0]].value.one_row(e.cell.row);  // may be as wide as the vocabulary
    const float temperature = step.as<SoftmaxParams>().temperature;
    const bool overflow = e.state == RowState::Overflow;
    const double maximum = static_cast<double>(overflow ? kNan : row.maxCoeff<Eigen::PropagateNaN>());
    const bool hidden = maximum == static_cast<double>(kMinusInfinity);
    const double threshold = overflow ? maximum : hidden ? 0 : kernel::sparsemax_threshold(row.data(), row.size(), temperature);
    const auto z_of = [&](float score) {
        const double below = static_cast<double>(score) - maximum;
        return below == 0 ? 0 : below / static_cast<double>(temperature);  // −∞ at temperature 0
    };
    for (int j = 0; j < static_cast<int>(row.size()); ++j) {
        const float value = overflow                   ? kNan
                            : row[j] == kMinusInfinity ? 0.0f
                                                       : static_cast<float>(std::max(0.0, z_of(row[j]) - threshold));
        e.terms.push_back({{step.inputs[0], e.cell.row, j}, std::nullopt, value, row[j] == kMinusInfinity});
    }
    const Cell from{step.inputs[0], e.cell.row, e.cell.col};
    Node z = below_largest(own(cell_node(t, from)), maximum, temperature);
    if (!(temperature > 0)) z = named(std::move(z), Name::None, z_of(row[e.cell.col]), Written::Value);
    return of_one(Node::Kind::Positive, std::move(z) - number(threshold, Name::Threshold));
}

/// Over the positions with a positive share: g minus its mean there. [Martins, Astudillo 2016, eq. 14]
void sparsemax_rule(const Rule& r) {
    Trace& t = r.t();
    const StepId own = r.pass.untouched(r.id);
    const Matrix support = (t[own].value.array() > 0).cast<float>();
    const StepId pattern = r.pass.decision(r.in(0), support, r.step.rows, r.step.cols);
    const StepId among = multiply(t, r.g, pattern, r.way(0));
    const StepId sum = row_sum(t, among, r.way(0)), count = row_sum(t, pattern, r.way(0));
    const StepId mean = divide(t, sum, count, r.way(0));
    const StepId common = scale(t, multiply(t, pattern, mean, r.way(0)), -1, r.way(0));
    const float temperature = r.step.as<SoftmaxParams>().temperature;
    const bool plain = temperature == 1;
    const StepId off = add(t, among, common, plain ? r.use(0) : r.way(0));
    r.put(0, plain ? off : scale(t, off, 1.0f / temperature, r.use(0)));
}

Matrix softmax_gradient_value(const Reading& r) { return kernel::softmax_gradient(r.in(0), r.in(1), r.step.as<SoftmaxParams>().temperature); }

/// p (g − Σ g p) / τ: positive where g is above the row's weighted mean, negative below it.
Node derive_softmax_gradient(const Trace& t, const Step& step, Explanation& e) {
    double sum = 0;
    for (int j = 0; j < static_cast<int>(step.value.cols()); ++j) {
        product(t, e, {step.inputs[1], e.cell.row, j}, {step.inputs[0], e.cell.row, j});
        sum += static_cast<double>(e.terms.back().value);
    }
    const Node slope = own(cell_node(t, {step.inputs[1], e.cell.row, e.cell.col}, Name::Slope));
    const Node mean = named(total(left() * right()), Name::SlopeSum, static_cast<double>(static_cast<float>(sum)));
    return cell_node(t, {step.inputs[0], e.cell.row, e.cell.col}, Name::Weight) * over_temperature(slope - mean, step.as<SoftmaxParams>().temperature);
}

void train_softmax_gradient(const Call& c) {
    const float by = 1.0f / c.as<SoftmaxParams>().temperature;
    for (int r = 0; r < c.rows; ++r) {
        const ConstArray p = row_of(c.inputs[0], r), g = row_of(c.inputs[1], r);
        const float mean = (p * g).sum();
        row_of(c, r) = p * (g - mean) * by;
    }
}

}  // namespace

constexpr Operation operations::kSoftmax = {
    .shape = same_shape, .work = one_a_cell, .value = softmax_value, .derive = derive_softmax,
    .has_slope = slopes_between_limits, .gradient = softmax_rule, .trained = train_softmax,
    .noted = Noted{.makes = Makes::Shares, .surely_finite = softmax_is_finite, .saw_nothing = all_hidden}, .remade = kRemadeByRows,
};

constexpr Operation operations::kSparsemax = {
    .shape = same_shape, .work = one_a_cell, .value = sparsemax_value, .derive = derive_sparsemax,
    .has_slope = slopes_between_limits, .gradient = sparsemax_rule, .trained = kNotTrained,
    .noted = Noted{.makes = Makes::Shares, .saw_nothing = all_hidden}, .remade = kRemadeByRows,
};

constexpr Operation operations::kSoftmaxGradient = {
    .shape = same_shape, .work = two_a_cell, .value = softmax_gradient_value, .derive = derive_softmax_gradient,
    .has_slope = slopes_everywhere, .gradient = no_second_gradient, .trained = train_softmax_gradient,
    .noted = kMakesOthers, .remade = kRemadeByRows,
};

}  // namespace attn
