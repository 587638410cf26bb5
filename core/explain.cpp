#include "core/explain.h"

#include <fmt/format.h>

#include <cassert>
#include <cmath>
#include <limits>

#include "core/text/unicode.h"

namespace attn {
namespace {

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

float at(const Trace& t, Cell cell) { return t[cell.step].value(cell.row, cell.col); }

void carry(const Trace& t, Explanation& e, Cell from) { e.terms.push_back({from, std::nullopt, at(t, from)}); }

void explain_matmul(const Trace& t, const Step& step, Explanation& e) {
    const auto inner = static_cast<int>(t[step.inputs[0]].value.cols());
    e.terms.reserve(static_cast<std::size_t>(inner));
    for (int f = 0; f < inner; ++f) {
        const Cell left{step.inputs[0], e.cell.row, f}, right{step.inputs[1], f, e.cell.col};
        e.terms.push_back({left, right, at(t, left) * at(t, right)});
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
    const auto row = t[step.inputs[0]].value.row(e.cell.row);
    e.temperature = step.params.temperature;
    e.maximum = row.maxCoeff<Eigen::PropagateNaN>();
    const bool overflow = row_state(t, step.inputs[0], e.cell.row) == RowState::Overflow;
    double sum = 0;
    for (int j = 0; j < static_cast<int>(row.cols()); ++j) {
        const float exponential = overflow                      ? std::numeric_limits<float>::quiet_NaN()
                                  : e.maximum == kMinusInfinity ? 0.0f
                                                                : share(row[j], e.maximum, e.temperature);
        e.terms.push_back({{step.inputs[0], e.cell.row, j}, std::nullopt, exponential, row[j] == kMinusInfinity});
        sum += exponential;
    }
    e.sum = static_cast<float>(sum);
}

Cell concat_source(const Trace& t, const Step& step, Cell cell) {
    for (const StepId part : step.inputs) {
        const auto cols = static_cast<int>(t[part].value.cols());
        if (cell.col < cols) return {part, cell.row, cell.col};
        cell.col -= cols;
    }
    assert(false && "column outside the concatenation");
    return cell;
}

std::string cell_name(const Trace& t, Cell cell) {
    const Step& step = t[cell.step];
    return fmt::format("{}[{}, {}]", step_name(step.tag), visible(axis_label(t, step.rows, cell.row)),
                       visible(axis_label(t, step.cols, cell.col)));
}

std::string sum_text(const Trace& t, const Explanation& e) {
    std::string out;
    for (const Term& term : e.terms) {
        if (!out.empty()) out += " + ";
        out += term.right ? fmt::format("{:g}*{:g}", at(t, term.left), at(t, *term.right))
                          : fmt::format("{:g}", term.value);
    }
    return out;
}

std::string softmax_text(const Trace& t, const Explanation& e) {
    const Term& own = e.terms[static_cast<std::size_t>(e.cell.col)];
    if (e.state == RowState::AllMasked) return "0 (every position of this row is masked)";
    if (e.state == RowState::Overflow) return "not a number (a score of this row is beyond float32)";
    if (own.masked) return "0 (masked)";
    const std::string by = e.temperature == 1 ? "" : fmt::format("/{:g}", e.temperature);
    std::string text = fmt::format("exp(({:g} - {:g}){}) / (", at(t, own.left), e.maximum, by);
    for (const Term& term : e.terms) text += fmt::format("{}{:g}", &term == &e.terms.front() ? "" : " + ", term.value);
    return text + fmt::format(") = {:g} / {:g}", own.value, e.sum);
}

}  // namespace

Explanation explain(const Trace& t, Cell cell) {
    const Step& step = t[cell.step];
    assert(cell.row >= 0 && cell.row < step.value.rows() && cell.col >= 0 && cell.col < step.value.cols());
    Explanation e;
    e.op = step.op;
    e.cell = cell;
    e.result = e.computed = at(t, cell);
    e.state = row_state(t, cell.step, cell.row);
    const StepId first = step.inputs.empty() ? kNoStep : step.inputs[0];
    switch (step.op) {
        case Op::Input: {
            const auto& sources = step.params.sources;
            if (!sources.empty()) e.source = sources[std::min(sources.size() - 1, static_cast<std::size_t>(cell.row))];
            break;
        }
        case Op::MatMul:
            explain_matmul(t, step, e);
            break;
        case Op::Transpose:
            carry(t, e, {first, cell.col, cell.row});
            break;
        case Op::Scale:
            e.factor = step.params.factor;
            carry(t, e, {first, cell.row, cell.col});
            e.terms[0].value *= e.factor;
            break;
        case Op::Add:
            carry(t, e, {first, cell.row, cell.col});
            carry(t, e, {step.inputs[1], cell.row, cell.col});
            break;
        case Op::AddRow:
            carry(t, e, {first, cell.row, cell.col});
            carry(t, e, {step.inputs[1], 0, cell.col});
            break;
        case Op::Mask: {
            const Cell pattern{step.inputs[1], cell.row, cell.col};
            e.terms.push_back({{first, cell.row, cell.col},
                               pattern,
                               at(t, pattern) != 0 ? at(t, {first, cell.row, cell.col}) : kMinusInfinity,
                               at(t, pattern) == 0});
            break;
        }
        case Op::Softmax:
            explain_softmax(t, step, e);
            break;
        case Op::Slice:
            carry(t, e, {first, cell.row, cell.col + step.params.first_column});
            break;
        case Op::Concat:
            carry(t, e, concat_source(t, step, cell));
            break;
    }
    for (const Step::Replaced& old : step.replaced)
        if (old.row == cell.row && old.col == cell.col) {
            e.edited = true;
            e.computed = old.computed;
            break;  // the first one holds what the op had computed
        }
    return e;
}

double recompute(const Explanation& e) {
    if (e.op == Op::Input) return e.computed;
    if (e.op == Op::Softmax) {
        if (e.state == RowState::AllMasked) return 0;
        double sum = 0;
        for (const Term& term : e.terms) sum += term.value;
        return e.terms[static_cast<std::size_t>(e.cell.col)].value / sum;
    }
    double sum = 0;
    for (const Term& term : e.terms) sum += term.value;
    return sum;
}

std::string explain_text(const Trace& t, const Explanation& e) {
    std::string how;
    switch (e.op) {
        case Op::Input:
            how = fmt::format("{} ({})", e.computed, source_id(e.source));
            break;
        case Op::Scale:
            how = fmt::format("{:g}*{:g}", at(t, e.terms[0].left), e.factor);
            break;
        case Op::Mask:
            how = e.terms[0].masked ? "-inf (masked)" : fmt::format("{:g} (looked at)", e.terms[0].value);
            break;
        case Op::Softmax:
            how = softmax_text(t, e);
            break;
        case Op::Transpose:
        case Op::Slice:
        case Op::Concat:
            how = cell_name(t, e.terms[0].left);
            break;
        case Op::MatMul:
        case Op::Add:
        case Op::AddRow:
            how = sum_text(t, e);
            break;
    }
    std::string text = fmt::format("{} = {}", cell_name(t, e.cell), how);
    if (e.op != Op::Input) text += fmt::format(" = {:g}", e.computed);
    if (e.edited) text += fmt::format("\ntyped over by hand: {:g}", e.result);
    return text;
}

}  // namespace attn
