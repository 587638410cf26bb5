// Scores made shares of 1, row by row.
#include "core/kernels/softmax.h"

#include <fmt/format.h>

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

/// Rows of what a step reads that were noted as beyond float32; empty where there is none.
std::vector<bool> overflowed_rows(const Reading& r) {
    std::vector<bool> rows;
    for (const Note& note : r.notes)
        if (note.step == r.step.inputs[0] && note.state == RowState::Overflow) {
            rows.resize(static_cast<std::size_t>(r.in(0).rows()), false);
            rows[static_cast<std::size_t>(note.row)] = true;
        }
    return rows;
}

/// At the temperatures 0 and ∞ shares jump where scores change, or do not change at all.
bool slopes_between_limits(const Step& step, std::size_t) {
    return step.as<SoftmaxParams>().temperature != 0 && std::isfinite(step.as<SoftmaxParams>().temperature);
}

/// Nothing was looked at: the row's scores are −∞ throughout, or there are none. Then its shares are 0, which else none
/// but those typed over are.
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

void explain_softmax(const Trace& t, const Step& step, Explanation& e) {
    const RowVector row = t[step.inputs[0]].value.one_row(e.cell.row);  // there may be a word a column
    const float maximum = row.maxCoeff<Eigen::PropagateNaN>();
    const bool overflow = row_state(t, step.inputs[0], e.cell.row) == RowState::Overflow;
    double sum = 0;
    for (int j = 0; j < static_cast<int>(row.cols()); ++j) {
        const float exponential = overflow                      ? kNan
                                  : maximum == kMinusInfinity ? 0.0f
                                                                : share(row[j], maximum, step.as<SoftmaxParams>().temperature);
        e.terms.push_back({{step.inputs[0], e.cell.row, j}, std::nullopt, exponential, row[j] == kMinusInfinity});
        sum += exponential;
    }
    e.measures = SoftmaxMeasures{maximum, static_cast<float>(sum)};
}

std::string softmax_text(const Trace& t, const Explanation& e, Convention shown) {
    const auto& m = e.measured<SoftmaxMeasures>();
    const Term& own = own_term(e);
    if (e.state) return state_text(*e.state, shown);
    if (own.masked) return "0 (masked)";
    const float temperature = e.as<SoftmaxParams>().temperature;
    // At its limits there is no quotient to write out, which at 0 would be 0/0: each exponential is 0 or 1.
    const bool limit = temperature == 0 || std::isinf(temperature);
    std::string text = limit ? fmt::format("{:g} / (", own.value)
                             : fmt::format("exp(({:g} - {:g}){}) / (", number_in(t, own.left), m.maximum, over_temperature(temperature));
    for (const Term& term : e.terms) text += fmt::format("{}{:g}", &term == &e.terms.front() ? "" : " + ", term.value);
    return text + fmt::format(") = {:g} / {:g}", own.value, m.sum);
}

double softmax_again(const Explanation& e) {
    if (e.state == RowState::AllMasked) return 0;
    return static_cast<double>(own_term(e).value) / sum_of_terms(e);
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
        // Below −87 the vectorised exp is not exact; what is masked is exactly 0.
        y = ((x - most) * by).max(-87.0f).exp();
        y = (x == kMinusInfinity).select(0.0f, y);
        y *= 1.0f / y.sum();
    }
}

/// A row is of shares, or of NaN throughout.
bool softmax_is_finite(const Trace&, const Step& step, bool) {
    return step.as<SoftmaxParams>().temperature >= 0 && step.value.cols() > 0 && step.value.matrix().col(0).allFinite();
}

Matrix sparsemax_value(const Reading& r) { return kernel::sparsemax(r.in(0), r.step.as<SoftmaxParams>().temperature, overflowed_rows(r)); }

void explain_sparsemax(const Trace& t, const Step& step, Explanation& e) {
    const RowVector row = t[step.inputs[0]].value.one_row(e.cell.row);  // there may be a word a column
    const float temperature = step.as<SoftmaxParams>().temperature;
    SparsemaxMeasures m{.maximum = row.maxCoeff<Eigen::PropagateNaN>()};
    const bool overflow = e.state == RowState::Overflow;
    if (!overflow && m.maximum != kMinusInfinity)
        m.threshold = kernel::sparsemax_threshold(row.data(), row.size(), temperature);
    for (int j = 0; j < static_cast<int>(row.size()); ++j) {
        const double below = static_cast<double>(row[j]) - static_cast<double>(m.maximum);
        const double z = below == 0 ? 0 : below / static_cast<double>(temperature);  // −∞ at temperature 0
        const float value = overflow                   ? kNan
                            : row[j] == kMinusInfinity ? 0.0f
                                                       : static_cast<float>(std::max(0.0, z - m.threshold));
        e.terms.push_back({{step.inputs[0], e.cell.row, j}, std::nullopt, value, row[j] == kMinusInfinity});
    }
    e.measures = m;
}

std::string sparsemax_text(const Trace& t, const Explanation& e, Convention shown) {
    const auto& m = e.measured<SparsemaxMeasures>();
    const Term& own = own_term(e);
    if (e.state) return state_text(*e.state, shown);
    if (own.masked) return "0 (masked)";
    const std::string by = over_temperature(e.as<SoftmaxParams>().temperature);
    if (e.as<SoftmaxParams>().temperature == 0) return fmt::format("max({} - {:g}, 0)", own.value > 0 ? "0" : "-inf", m.threshold);
    return fmt::format("max(({:g} - {:g}){} - {:g}, 0)", number_in(t, own.left), m.maximum, by, m.threshold);
}

double sparsemax_again(const Explanation& e) { return static_cast<double>(own_term(e).value); }

/// Among the positions that have a share: g less its mean there. [Martins, Astudillo 2016, eq. 14]
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

/// Every g·p of the row; the own p is the factor.
void explain_softmax_gradient(const Trace& t, const Step& step, Explanation& e) {
    double sum = 0;
    for (int j = 0; j < static_cast<int>(step.value.cols()); ++j) {
        product(t, e, {step.inputs[1], e.cell.row, j}, {step.inputs[0], e.cell.row, j});
        sum += static_cast<double>(e.terms.back().value);
    }
    e.measures = SoftmaxGradientMeasures{.sum = static_cast<float>(sum), .weight = number_in(t, {step.inputs[0], e.cell.row, e.cell.col})};
}

std::string softmax_gradient_text(const Trace& t, const Explanation& e, Convention shown) {
    return fmt::format("{:g}*({:g} - ({})){}", e.measured<SoftmaxGradientMeasures>().weight, own_number(t, e), sum_text(t, e, shown), over_temperature(e.as<SoftmaxParams>().temperature));
}

double softmax_gradient_again(const Explanation& e) {
    const double own = static_cast<double>(own_term(e).value);
    return (own - static_cast<double>(e.measured<SoftmaxGradientMeasures>().weight) * sum_of_terms(e)) / static_cast<double>(e.as<SoftmaxParams>().temperature);
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
    .shape = same_shape, .work = one_a_cell, .value = softmax_value,
    .explain = explain_softmax, .text = softmax_text, .recompute = softmax_again,
    .has_slope = slopes_between_limits, .gradient = softmax_rule, .trained = train_softmax,
    .noted = Noted{.makes = Makes::Shares, .surely_finite = softmax_is_finite, .saw_nothing = all_hidden}, .remade = kRemadeByRows,
};

constexpr Operation operations::kSparsemax = {
    .shape = same_shape, .work = one_a_cell, .value = sparsemax_value,
    .explain = explain_sparsemax, .text = sparsemax_text, .recompute = sparsemax_again,
    .has_slope = slopes_between_limits, .gradient = sparsemax_rule, .trained = kNotTrained,
    .noted = Noted{.makes = Makes::Shares, .saw_nothing = all_hidden}, .remade = kRemadeByRows,
};

constexpr Operation operations::kSoftmaxGradient = {
    .shape = same_shape, .work = two_a_cell, .value = softmax_gradient_value,
    .explain = explain_softmax_gradient, .text = softmax_gradient_text, .recompute = softmax_gradient_again,
    .has_slope = slopes_everywhere, .gradient = no_second_gradient, .trained = train_softmax_gradient,
    .noted = kMakesOthers, .remade = kRemadeByRows,
};

}  // namespace attn
