#include "core/ops/explain_ops.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "core/kernels/kernels.h"
#include "core/ops/ops.h"

namespace attn {
namespace {

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

void carry(const Trace& t, Explanation& e, Cell from) { e.terms.push_back({from, std::nullopt, number_in(t, from)}); }

void product(const Trace& t, Explanation& e, Cell left, Cell right) {
    e.terms.push_back({left, right, number_in(t, left) * number_in(t, right)});
}

void explain_matmul(const Trace& t, const Step& step, Explanation& e) {
    const auto inner = static_cast<int>(t[step.inputs[0]].value.cols());
    e.terms.reserve(static_cast<std::size_t>(inner));
    for (int f = 0; f < inner; ++f) {
        const Cell left{step.inputs[0], e.cell.row, f}, right{step.inputs[1], f, e.cell.col};
        product(t, e, left, right);
        e.sum = std::fma(number_in(t, left), number_in(t, right), e.sum);  // as the engine does
    }
}

/// exp((x − max) / τ) with its limits at τ = 0 (1 at the maximum, 0 elsewhere) and τ = ∞ (1 wherever allowed).
float share(float score, float maximum, float temperature) {
    if (score == kMinusInfinity) return 0;
    const double below = static_cast<double>(score) - static_cast<double>(maximum);
    if (below == 0) return 1;
    return temperature == 0 ? 0.0f : static_cast<float>(std::exp(below / static_cast<double>(temperature)));
}

void explain_softmax(const Trace& t, const Step& step, Explanation& e) {
    const RowVector row = t[step.inputs[0]].value.one_row(e.cell.row);  // there may be a word a column
    e.maximum = row.maxCoeff<Eigen::PropagateNaN>();
    const bool overflow = row_state(t, step.inputs[0], e.cell.row) == RowState::Overflow;
    double sum = 0;
    for (int j = 0; j < static_cast<int>(row.cols()); ++j) {
        const float exponential = overflow                      ? kNan
                                  : e.maximum == kMinusInfinity ? 0.0f
                                                                : share(row[j], e.maximum, e.temperature);
        e.terms.push_back({{step.inputs[0], e.cell.row, j}, std::nullopt, exponential, row[j] == kMinusInfinity});
        sum += exponential;
    }
    e.sum = static_cast<float>(sum);
}

void explain_sparsemax(const Trace& t, const Step& step, Explanation& e) {
    const RowVector row = t[step.inputs[0]].value.one_row(e.cell.row);  // there may be a word a column
    e.maximum = row.maxCoeff<Eigen::PropagateNaN>();
    const bool overflow = e.state == RowState::Overflow;
    if (!overflow && e.maximum != kMinusInfinity)
        e.threshold = kernel::sparsemax_threshold(row.data(), row.size(), e.temperature);
    for (int j = 0; j < static_cast<int>(row.size()); ++j) {
        const double below = static_cast<double>(row[j]) - static_cast<double>(e.maximum);
        const double z = below == 0 ? 0 : below / static_cast<double>(e.temperature);  // −∞ at temperature 0
        const float value = overflow                   ? kNan
                            : row[j] == kMinusInfinity ? 0.0f
                                                       : static_cast<float>(std::max(0.0, z - e.threshold));
        e.terms.push_back({{step.inputs[0], e.cell.row, j}, std::nullopt, value, row[j] == kMinusInfinity});
    }
}

/// Every number of the row, and what the norm makes of them.
void explain_norm(const Trace& t, const Step& step, Explanation& e) {
    const auto row = t[step.inputs[0]].value.row(e.cell.row).cast<double>().array().eval();
    const auto count = static_cast<double>(row.size());
    for (int j = 0; j < static_cast<int>(row.size()); ++j) carry(t, e, {step.inputs[0], e.cell.row, j});
    if (step.op == Op::Unit) {
        e.sum = static_cast<float>(std::sqrt(row.square().sum()));
        return;
    }
    e.gain = number_in(t, {step.inputs[1], 0, e.cell.col});
    if (step.op == Op::RmsNorm) {
        e.mean = row.square().sum() / count;
        return;
    }
    e.mean = row.sum() / count;
    e.variance = (row - e.mean).square().sum() / count;
    e.bias = number_in(t, {step.inputs[2], 0, e.cell.col});
}

void explain_rotate(const Trace& t, const Step& step, Explanation& e) {
    const auto width = static_cast<int>(step.value.cols());
    const kernel::Pairing pair = kernel::pairing(e.cell.col, width, step.params.half_pairs);
    const int position = step.params.first + e.cell.row;
    e.position = static_cast<float>(position);
    e.angle = (step.params.backward ? -1 : 1) * kernel::rotation_angle(step.params, position, pair.pair, width);
    const Cell own{step.inputs[0], e.cell.row, e.cell.col}, other{step.inputs[0], e.cell.row, pair.other};
    const auto cosine = static_cast<float>(std::cos(e.angle)), sine = static_cast<float>(std::sin(e.angle));
    e.terms.push_back({own, std::nullopt, number_in(t, own) * cosine});
    e.terms.push_back({other, std::nullopt, number_in(t, other) * (pair.first ? -sine : sine)});
}

void explain_collect(const Trace& t, const Step& step, Explanation& e) {
    const auto keys = static_cast<int>(t[step.inputs[0]].value.cols());
    for (int j = 0; j < keys; ++j)
        if (kernel::distance_column(j - e.cell.row - step.params.first, step.params.count) == e.cell.col)
            carry(t, e, {step.inputs[0], e.cell.row, j});
}

void explain_local(const Trace& t, const Step& step, Explanation& e) {
    const Matrix& centers = t[step.inputs[0]].value;
    const Matrix own = centers.row(e.cell.row);
    const Matrix row = step.op == Op::Window ? kernel::window(own, step.params.factor, step.value.cols())
                                             : kernel::gaussian(own, step.params.factor, step.value.cols());
    e.position = static_cast<float>(e.cell.col);
    e.terms.push_back({{step.inputs[0], e.cell.row, 0}, std::nullopt, row(0, e.cell.col)});
}

void explain_kept(const Trace& t, const Step& step, Explanation& e) {
    const Cell from{step.inputs[0], e.cell.row, e.cell.col};
    const auto row = t[from.step].value.row(e.cell.row);
    const float value = number_in(t, from);
    if (row.hasNaN()) {
        e.terms.push_back({from, std::nullopt, kNan});
        return;
    }
    const float least = step.op == Op::TopK ? kernel::kept_threshold(row.data(), row.size(), step.params.count)
                                            : kernel::nucleus_threshold(row.data(), row.size(), step.params.factor,
                                                                        step.params.temperature);
    e.threshold = static_cast<double>(least);
    const bool kept = value >= least && value != kMinusInfinity;
    e.terms.push_back({from, std::nullopt, kept ? value : kMinusInfinity, !kept});
}

void explain_draw(const Trace& t, const Step& step, Explanation& e) {
    e.draws = step.params.count;
    const Cell weight{step.inputs[0], e.cell.row, e.cell.col};
    for (const int column : draws_of(t[weight.step].value, e.cell.row, e.draws, step.params.seed, step.params.first))
        if (column == e.cell.col) e.terms.push_back({weight, std::nullopt, 1.0f / static_cast<float>(e.draws)});
}

void explain_reduced(const Trace& t, const Step& step, Explanation& e) {
    const Matrix& from = t[step.inputs[0]].value;
    if (step.op == Op::ColumnSum) {
        for (int i = 0; i < static_cast<int>(from.rows()); ++i) carry(t, e, {step.inputs[0], i, e.cell.col});
        return;
    }
    for (int j = 0; j < static_cast<int>(from.cols()); ++j) carry(t, e, {step.inputs[0], e.cell.row, j});
    if (step.op == Op::RowMax && step.inputs.size() > 1) carry(t, e, {step.inputs[1], e.cell.row, 0});
}

void explain_penalty(const Trace& t, const Step& step, Explanation& e) {
    for (int j = 0; j < static_cast<int>(t[step.inputs[0]].value.cols()); ++j) {
        const Cell from{step.inputs[0], 0, j};
        const double off = 1 - static_cast<double>(number_in(t, from));
        e.terms.push_back({from, std::nullopt, static_cast<float>(static_cast<double>(step.params.factor) * off * off)});
    }
}

void explain_recur(const Trace& t, const Step& step, Explanation& e) {
    carry(t, e, {step.inputs[0], e.cell.row, e.cell.col});
    const int before = step.params.backward ? e.cell.row + 1 : e.cell.row - 1;
    if (before >= 0 && before < step.value.rows())
        for (int f = 0; f < static_cast<int>(step.value.cols()); ++f)
            product(t, e, {e.cell.step, before, f}, {step.inputs[1], f, e.cell.col});
    double sum = 0;
    for (const Term& term : e.terms) sum += static_cast<double>(term.value);
    e.sum = static_cast<float>(sum);
}

/// The cell of the part that holds row `row` and column `col` of the parts side by side, or one above the other.
Cell part_cell(const Trace& t, const Step& step, Cell cell) {
    for (const StepId part : step.inputs) {
        const Matrix& value = t[part].value;
        int& along = step.op == Op::Stack ? cell.row : cell.col;
        const auto size = static_cast<int>(step.op == Op::Stack ? value.rows() : value.cols());
        if (along < size) return {part, cell.row, cell.col};
        along -= size;
    }
    assert(false && "a cell outside the parts");
    return cell;
}

/// Row i·m + j of pairs: query i, key j.
void explain_pairs(const Trace& t, const Step& step, Explanation& e) {
    const auto keys = static_cast<int>(t[step.inputs[1]].value.rows());
    const int query = e.cell.row / keys, key = e.cell.row % keys;
    if (step.op == Op::PairSum) {
        carry(t, e, {step.inputs[0], query, e.cell.col});
        carry(t, e, {step.inputs[1], key, e.cell.col});
        return;
    }
    const auto width = static_cast<int>(t[step.inputs[0]].value.cols());
    carry(t, e, e.cell.col < width ? Cell{step.inputs[0], query, e.cell.col} : Cell{step.inputs[1], key, e.cell.col - width});
}

/// The same numbers in the same order, in rows of another length.
void explain_fold(const Trace& t, const Step& step, Explanation& e) {
    const int place = e.cell.row * static_cast<int>(step.value.cols()) + e.cell.col;
    const auto width = static_cast<int>(t[step.inputs[0]].value.cols());
    carry(t, e, {step.inputs[0], place / width, place % width});
}

/// Every g·p of the row; the own p is the factor.
void explain_softmax_gradient(const Trace& t, const Step& step, Explanation& e) {
    double sum = 0;
    for (int j = 0; j < static_cast<int>(step.value.cols()); ++j) {
        product(t, e, {step.inputs[1], e.cell.row, j}, {step.inputs[0], e.cell.row, j});
        sum += static_cast<double>(e.terms.back().value);
    }
    e.sum = static_cast<float>(sum);
    e.factor = number_in(t, {step.inputs[0], e.cell.row, e.cell.col});
}

/// Every g·γ of the row, and what the norm made of it.
void explain_norm_gradient(const Trace& t, const Step& step, Explanation& e) {
    const auto x = t[step.inputs[0]].value.row(e.cell.row), g = t[step.inputs[2]].value.row(e.cell.row);
    const auto gain = t[step.inputs[1]].value.row(0);
    for (int j = 0; j < static_cast<int>(step.value.cols()); ++j)
        product(t, e, {step.inputs[2], e.cell.row, j}, {step.inputs[1], 0, j});
    const kernel::NormSlopes s = kernel::norm_slopes(x.data(), gain.data(), g.data(), x.cols(), step.params.centred, step.params.factor);
    e.mean = s.shared;
    e.variance = s.along;
    e.threshold = (static_cast<double>(x[e.cell.col]) - s.mean) / s.spread;
    e.sum = static_cast<float>(s.spread);
}

void explain_input(const Step& step, Explanation& e) {
    if (const std::optional<Source> source = step.params.sources.of_row(e.cell.row)) e.source = *source;
}

void explain_mask(const Trace& t, const Step& step, Explanation& e) {
    const Cell from{step.inputs[0], e.cell.row, e.cell.col}, pattern{step.inputs[1], e.cell.row, e.cell.col};
    const bool seen = number_in(t, pattern) != 0;
    e.terms.push_back({from, pattern, seen ? number_in(t, from) : kMinusInfinity, !seen});
}

}  // namespace

void explain_step(const Trace& t, const Step& step, Explanation& e) {
    const int row = e.cell.row, col = e.cell.col;
    const StepId first = step.inputs.empty() ? kNoStep : step.inputs[0];
    const StepId second = step.inputs.size() < 2 ? kNoStep : step.inputs[1];
    const auto same_or_first = [&](StepId id) { return Cell{id, row, t[id].value.cols() == 1 ? 0 : col}; };
    switch (step.op) {
        case Op::Input:
            return explain_input(step, e);
        case Op::MatMul:
            return explain_matmul(t, step, e);
        case Op::Transpose:
            return carry(t, e, {first, col, row});
        case Op::Scale:
            carry(t, e, {first, row, col});
            e.terms[0].value *= e.factor;
            return;
        case Op::Activate:
            carry(t, e, {first, row, col});
            e.terms[0].value = static_cast<float>(activated(e.activation, static_cast<double>(e.terms[0].value)));
            return;
        case Op::Add:
            carry(t, e, {first, row, col});
            return carry(t, e, {second, row, col});
        case Op::AddRow:
            carry(t, e, {first, row, col});
            return carry(t, e, {second, 0, col});
        case Op::Multiply:
            return product(t, e, {first, row, col}, same_or_first(second));
        case Op::Divide: {
            const Cell top{first, row, col}, bottom = same_or_first(second);
            const bool none = number_in(t, top) == 0 && number_in(t, bottom) == 0;
            e.terms.push_back({top, bottom, none ? 0.0f : number_in(t, top) / number_in(t, bottom)});
            return;
        }
        case Op::Unit:
        case Op::LayerNorm:
        case Op::RmsNorm:
            return explain_norm(t, step, e);
        case Op::Rotate:
            return explain_rotate(t, step, e);
        case Op::PairSum:
        case Op::PairConcat:
            return explain_pairs(t, step, e);
        case Op::Fold:
            return explain_fold(t, step, e);
        case Op::Spread:
            return carry(t, e, {first, row, kernel::distance_column(col - row - step.params.first, step.params.count)});
        case Op::Collect:
            return explain_collect(t, step, e);
        case Op::Window:
        case Op::Gaussian:
            return explain_local(t, step, e);
        case Op::Mask:
            return explain_mask(t, step, e);
        case Op::TopK:
        case Op::TopP:
            return explain_kept(t, step, e);
        case Op::Softmax:
            return explain_softmax(t, step, e);
        case Op::Sparsemax:
            return explain_sparsemax(t, step, e);
        case Op::Draw:
            return explain_draw(t, step, e);
        case Op::RowSum:
        case Op::RowMax:
        case Op::ColumnSum:
            return explain_reduced(t, step, e);
        case Op::ExpShift: {
            const Cell score{first, row, col}, maximum{second, row, 0};
            const double off = static_cast<double>(number_in(t, score)) - static_cast<double>(number_in(t, maximum));
            const bool hidden = number_in(t, score) == kMinusInfinity;
            e.terms.push_back({score, maximum, hidden ? 0.0f : static_cast<float>(std::exp(off)), hidden});
            return;
        }
        case Op::Penalty:
            return explain_penalty(t, step, e);
        case Op::Recur:
            return explain_recur(t, step, e);
        case Op::Slice:
            return carry(t, e, {first, row, col + step.params.first});
        case Op::SliceRows:
            return carry(t, e, {first, row + step.params.first, col});
        case Op::Concat:
        case Op::Stack:
            return carry(t, e, part_cell(t, step, e.cell));
        case Op::SoftmaxGradient:
            return explain_softmax_gradient(t, step, e);
        case Op::NormGradient:
            return explain_norm_gradient(t, step, e);
    }
}

}  // namespace attn
