// Which numbers of a row remain visible: by a mask, the largest, the most likely, or by sampling.
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

StepId mask(Trace& t, StepId scores, StepId pattern, Tag tag) {
    assert(t[scores].value.rows() == t[pattern].value.rows() && t[scores].value.cols() == t[pattern].value.cols());
    return record(t, Op::Mask, tag, {scores, pattern}, t[scores].rows, t[scores].cols);
}

StepId top_k(Trace& t, StepId from, int k, Tag tag) {
    assert(k > 0);
    Step& step = begin(t, Op::TopK, tag, {from}, t[from].rows, t[from].cols);
    step.params = TopKParams{k};
    return record(t);
}

StepId top_p(Trace& t, StepId from, float p, Tag tag, float temperature) {
    Step& step = begin(t, Op::TopP, tag, {from}, t[from].rows, t[from].cols);
    step.params = TopPParams{.p = p, .temperature = temperature};
    return record(t);
}

StepId draw(Trace& t, StepId weights, int draws, std::uint64_t seed, Tag tag, int first) {
    assert(draws > 0 && first >= 0);
    Step& step = begin(t, Op::Draw, tag, {weights}, t[weights].rows, t[weights].cols);
    step.params = DrawParams{.draws = draws, .first = first, .seed = seed};
    return record(t);
}

namespace {

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// Whether −∞ was already intended in the input.
bool was_meant(const Trace& t, const Step& step, Eigen::Index row, Eigen::Index col) {
    const Step& before = t[step.inputs[0]];
    const Noted& noted = operation_of(before.op).noted;
    return noted.means_infinity != nullptr && noted.means_infinity(t, before, row, col);
}

Matrix mask_value(const Reading& r) {
    const Matrix &scores = r.in(0), &pattern = r.in(1);
    Matrix out = unwritten(scores.rows(), scores.cols());
    share_rows(scores.rows(), static_cast<double>(scores.cols()), [&](Eigen::Index first, Eigen::Index past) {
        const Eigen::Index begin = first * scores.cols(), end = past * scores.cols();
        vectors::kernels().hide(scores.data() + begin, pattern.data() + begin, end - begin, out.data() + begin);
    });
    return out;
}

Node derive_mask(const Trace& t, const Step& step, Explanation& e) {
    const Node score = own(cell_node(t, {step.inputs[0], e.cell.row, e.cell.col}));
    const Cell pattern{step.inputs[1], e.cell.row, e.cell.col};
    const bool seen = number_in(t, pattern) != 0;
    e.terms.push_back({score.cell, pattern, seen ? static_cast<float>(*score.value) : kMinusInfinity, !seen});
    return score + number(seen ? 0 : static_cast<double>(kMinusInfinity), Name::Mask);
}

bool slopes_by_scores(const Step&, std::size_t slot) { return slot == 0; }

void mask_gradient(const Rule& r) { r.put(0, multiply(r.t(), r.g, r.in(1), r.use(0))); }

void train_mask(const buffers::Call& c) {
    number_by_number(c, [](auto y, auto x, auto z) { y = (z == 0.0f).select(kMinusInfinity, x); });
}

bool masked_out(const Trace& t, const Step& step, Eigen::Index row, Eigen::Index col) {
    return t[step.inputs[1]].value(row, col) == 0.0f || was_meant(t, step, row, col);
}

/// With finite scores, every −∞ is the mask's and intended.
bool masks_finite(const Trace& t, const Step& step, bool) { return is_finite_throughout(t[step.inputs[0]].value); }

bool cut_off(const Trace& t, const Step& step, Eigen::Index row, Eigen::Index col) {
    return was_meant(t, step, row, col) || std::isfinite(t[step.inputs[0]].value(row, col));
}

/// `least`: the smallest number of a row that is kept.
Node derive_selection(const Trace& t, const Step& step, Explanation& e, const auto& least) {
    const Node score = own(cell_node(t, {step.inputs[0], e.cell.row, e.cell.col}));
    const auto row = t[score.cell.step].value.row(e.cell.row);
    const float value = row[e.cell.col], threshold = row.hasNaN() ? kNan : least(row.data(), row.size());
    const bool kept = value >= threshold && value != kMinusInfinity, known = !std::isnan(threshold);
    e.terms.push_back({score.cell, std::nullopt, !known ? kNan : kept ? value : kMinusInfinity, known && !kept});
    return of_two(Node::Kind::AtLeast, score, number(static_cast<double>(threshold), Name::Least));
}

void selection_gradient(const Rule& r) {
    Matrix seen = Matrix::Ones(r.step.value.rows(), r.step.value.cols());
    for (Eigen::Index i = 0; i < seen.size(); ++i)
        if (r.step.value.data()[i] == -std::numeric_limits<float>::infinity()) seen.data()[i] = 0;
    const StepId pattern = r.pass.decision(r.in(0), std::move(seen), r.step.rows, r.step.cols);
    r.put(0, multiply(r.t(), r.g, pattern, r.use(0)));
}

Matrix top_k_value(const Reading& r) { return kernel::top_k(r.in(0), r.step.as<TopKParams>().k); }

Node derive_top_k(const Trace& t, const Step& step, Explanation& e) {
    return derive_selection(t, step, e, [&](const float* row, Eigen::Index count) { return kernel::top_k_threshold(row, count, step.as<TopKParams>().k); });
}

Matrix top_p_value(const Reading& r) { return kernel::top_p(r.in(0), r.step.as<TopPParams>().p, r.step.as<TopPParams>().temperature); }

Node derive_top_p(const Trace& t, const Step& step, Explanation& e) {
    return derive_selection(t, step, e, [&](const float* row, Eigen::Index count) {
        return kernel::nucleus_threshold(row, count, step.as<TopPParams>().p, step.as<TopPParams>().temperature);
    });
}

Work draw_work(const Trace&, const Step& step) {
    constexpr double kADraw = 17;
    return {0, kADraw * static_cast<double>(step.value.rows()) * step.as<DrawParams>().draws};
}

Matrix draw_value(const Reading& r) {
    return kernel::drawn(r.in(0), r.step.as<DrawParams>().draws, r.step.as<DrawParams>().seed, r.trace.stop, r.step.as<DrawParams>().first);
}

Node derive_draw(const Trace& t, const Step& step, Explanation& e) {
    const auto& own = step.as<DrawParams>();
    const Cell weight{step.inputs[0], e.cell.row, e.cell.col};
    for (const int column : draws_of(t[weight.step].value, e.cell.row, own.draws, own.seed, own.first))
        if (column == e.cell.col) e.terms.push_back({weight, std::nullopt, 1.0f / static_cast<float>(own.draws)});
    return number(static_cast<double>(e.terms.size())) / number(own.draws);
}

}  // namespace

constexpr Operation operations::kMask = {
    .shape = same_shape, .work = no_work, .value = mask_value, .derive = derive_mask,
    .has_slope = slopes_by_scores, .gradient = mask_gradient, .trained = train_mask,
    .noted = Noted{.makes = Makes::Other, .means_infinity = masked_out, .surely_finite = masks_finite}, .remade = kRemadeByRows,
};

constexpr Operation operations::kTopK = {
    .shape = same_shape, .work = no_work, .value = top_k_value, .derive = derive_top_k,
    .has_slope = slopes_everywhere, .gradient = selection_gradient, .trained = kNotTrained,
    .noted = Noted{.makes = Makes::Other, .means_infinity = cut_off}, .remade = kRemadeByRows,
};

constexpr Operation operations::kTopP = {
    .shape = same_shape, .work = no_work, .value = top_p_value, .derive = derive_top_p,
    .has_slope = slopes_everywhere, .gradient = selection_gradient, .trained = kNotTrained,
    .noted = Noted{.makes = Makes::Other, .means_infinity = cut_off}, .remade = kRemadeByRows,
};

constexpr Operation operations::kDraw = {
    .shape = same_shape, .work = draw_work, .value = draw_value, .derive = derive_draw,
    .has_slope = no_slope, .gradient = no_gradient, .trained = kNotTrained,
    .noted = kMakesOthers, .remade = kHeld,
};

}  // namespace attn
