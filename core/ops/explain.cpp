#include "core/ops/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/ops/explain_ops.h"
#include "core/ops/ops.h"
#include "core/text/unicode.h"

namespace attn {
namespace {

std::string cell_name(const Trace& t, Cell cell, Convention shown) {
    const Step& step = t[cell.step];
    const std::string row = visible(axis_label(t, step.rows, cell.row)),
                      col = visible(axis_label(t, step.cols, cell.col));
    const bool columns = shown == Convention::Columns;
    return fmt::format("{}[{}, {}]", step_name(step.tag), columns ? col : row, columns ? row : col);
}

/// Of a product of matrices the factors stand in its order: Cᵀ = Bᵀ Aᵀ.
std::string sum_text(const Trace& t, const Explanation& e, Convention shown) {
    const bool transposed = shown == Convention::Columns && (e.op == Op::MatMul || e.op == Op::Recur);
    std::string out;
    for (const Term& term : e.terms) {
        if (!out.empty()) out += " + ";
        out += term.right ? fmt::format("{:g}*{:g}", number_in(t, transposed ? *term.right : term.left),
                                        number_in(t, transposed ? term.left : *term.right))
                          : fmt::format("{:g}", term.value);
    }
    return out;
}

std::string_view line_word(Convention shown) { return shown == Convention::Columns ? "column" : "row"; }

/// Of a row of shares that cannot be had.
std::string state_text(RowState state, Convention shown) {
    return state == RowState::AllMasked
               ? fmt::format("0 (every position of this {} is masked)", line_word(shown))
               : fmt::format("not a number (a score of this {} is beyond float32)", line_word(shown));
}

std::string softmax_text(const Trace& t, const Explanation& e, Convention shown) {
    const Term& own = e.terms[static_cast<std::size_t>(e.cell.col)];
    if (e.state) return state_text(*e.state, shown);
    if (own.masked) return "0 (masked)";
    const std::string by = e.temperature == 1 ? "" : fmt::format("/{:g}", e.temperature);
    std::string text = fmt::format("exp(({:g} - {:g}){}) / (", number_in(t, own.left), e.maximum, by);
    for (const Term& term : e.terms) text += fmt::format("{}{:g}", &term == &e.terms.front() ? "" : " + ", term.value);
    return text + fmt::format(") = {:g} / {:g}", own.value, e.sum);
}

/// "a + b + c" of the terms' own values.
std::string values_text(const Explanation& e, std::string_view between = " + ") {
    std::string out;
    for (const Term& term : e.terms) out += fmt::format("{}{:g}", out.empty() ? "" : between, term.value);
    return out;
}

std::string norm_text(const Trace& t, const Explanation& e) {
    const float x = number_in(t, e.terms[static_cast<std::size_t>(e.cell.col)].left);
    if (e.op == Op::Unit) return fmt::format("{:g} / sqrt(sum of squares) = {:g} / {:g}", x, x, e.sum);
    if (e.op == Op::RmsNorm) return fmt::format("{:g}*{:g} / sqrt({:g} + {:g})", e.gain, x, e.mean, e.factor);
    return fmt::format("{:g}*({:g} - {:g}) / sqrt({:g} + {:g}) + {:g}", e.gain, x, e.mean, e.variance, e.factor, e.bias);
}

std::string sparsemax_text(const Trace& t, const Explanation& e, Convention shown) {
    const Term& own = e.terms[static_cast<std::size_t>(e.cell.col)];
    if (e.state) return state_text(*e.state, shown);
    if (own.masked) return "0 (masked)";
    const std::string by = e.temperature == 1 ? "" : fmt::format("/{:g}", e.temperature);
    return fmt::format("max(({:g} - {:g}){} - {:g}, 0)", number_in(t, own.left), e.maximum, by, e.threshold);
}

std::string rotate_text(const Trace& t, const Explanation& e) {
    const bool minus = e.terms[1].value != number_in(t, e.terms[1].left) * static_cast<float>(std::sin(e.angle));
    return fmt::format("{:g}*cos({:g}) {} {:g}*sin({:g})", number_in(t, e.terms[0].left), e.angle, minus ? "-" : "+",
                       number_in(t, e.terms[1].left), e.angle);
}

std::string how_text(const Trace& t, const Explanation& e, Convention shown) {
    const auto own = [&](int i = 0) { return number_in(t, e.terms[static_cast<std::size_t>(i)].left); };
    switch (e.op) {
        case Op::Input:
            return fmt::format("{} ({})", e.computed, source_id(e.source));
        case Op::Scale:
            return fmt::format("{:g}*{:g}", own(), e.factor);
        case Op::Activate:
            return fmt::format("{}({:g})", activation_id(e.activation), own());
        case Op::Unit:
        case Op::LayerNorm:
        case Op::RmsNorm:
            return norm_text(t, e);
        case Op::Rotate:
            return rotate_text(t, e);
        case Op::Divide:
            return fmt::format("{:g}/{:g}", own(), number_in(t, *e.terms[0].right));
        case Op::Window:
            return fmt::format("{} (|{:g} - {:g}| {} {:g})", e.computed, e.position, own(), e.computed != 0 ? "<=" : ">",
                               e.factor);
        case Op::Gaussian:
            return fmt::format("exp(-({:g} - {:g})^2 / (2*{:g}^2))", e.position, own(), e.factor);
        case Op::Mask:
            return e.terms[0].masked ? "-inf (masked)" : fmt::format("{:g} (looked at)", e.terms[0].value);
        case Op::TopK:
        case Op::TopP:
            return fmt::format("{} ({:g} {} {:g})", e.terms[0].masked ? "-inf" : "kept", own(),
                               e.terms[0].masked ? "<" : ">=", e.threshold);
        case Op::Softmax:
            return softmax_text(t, e, shown);
        case Op::Sparsemax:
            return sparsemax_text(t, e, shown);
        case Op::Draw:
            return fmt::format("{} of {} draws", e.terms.size(), e.draws);
        case Op::SoftmaxGradient:
            return fmt::format("{:g}*({:g} - ({})){}", e.factor, own(e.cell.col), sum_text(t, e, shown),
                               e.temperature == 1 ? "" : fmt::format("/{:g}", e.temperature));
        case Op::NormGradient:
            return fmt::format("({:g} - {:g} - {:g}*{:g}) / {:g}", e.terms[static_cast<std::size_t>(e.cell.col)].value, e.mean,
                               e.threshold, e.variance, e.sum);
        case Op::RowMax:
            return fmt::format("max({})", values_text(e, ", "));
        case Op::ExpShift:
            return fmt::format("exp({:g} - {:g})", own(), number_in(t, *e.terms[0].right));
        case Op::Penalty:
            return fmt::format("{:g}*sum((1 - c)^2) = {}", e.factor, values_text(e));
        case Op::Recur:
            return fmt::format("tanh({}) = tanh({:g})", sum_text(t, e, shown), e.sum);
#define OP(name, id, rows)
#define CARRY(name, id, rows) case Op::name:
#include "core/trace/ops.inc"
#undef OP
            return cell_name(t, e.terms[0].left, shown);
        case Op::MatMul:
        case Op::Add:
        case Op::AddRow:
        case Op::Multiply:
        case Op::PairSum:
        case Op::Collect:
        case Op::RowSum:
        case Op::ColumnSum:
            return e.terms.empty() ? "0" : sum_text(t, e, shown);
    }
    return {};
}

}  // namespace

Explanation explain(const Trace& t, Cell cell) {
    const Step& step = t[cell.step];
    assert(cell.row >= 0 && cell.row < step.value.rows() && cell.col >= 0 && cell.col < step.value.cols());
    Explanation e;
    e.op = step.op;
    e.cell = cell;
    e.result = e.computed = number_in(t, cell);
    e.state = row_state(t, cell.step, cell.row);
    e.factor = step.params.factor;
    e.temperature = step.params.temperature;
    e.activation = step.params.activation;
    explain_step(t, step, e);
    for (const Step::Replaced& old : step.replaced)
        if (old.row == cell.row && old.col == cell.col) {
            e.edited = true;
            e.computed = old.computed;
            break;  // the first one holds what the op had computed
        }
    return e;
}

std::string explain_text(const Trace& t, const Explanation& e, Convention shown) {
    std::string text = fmt::format("{} = {}", cell_name(t, e.cell, shown), how_text(t, e, shown));
    if (e.op != Op::Input) text += fmt::format(" = {:g}", e.computed);
    if (e.edited) text += fmt::format("\ntyped over by hand: {:g}", e.result);
    return text;
}

}  // namespace attn
