#include "core/ops/explain.h"

#include <fmt/format.h>

#include <cassert>

#include "core/ops/operation.h"
#include "core/text/unicode.h"

namespace attn {

std::string cell_name(const Trace& t, Cell cell, Convention shown) {
    const Step& step = t[cell.step];
    const std::string row = visible(axis_label(t, step.rows, cell.row)),
                      col = visible(axis_label(t, step.cols, cell.col));
    const bool columns = shown == Convention::Columns;
    return fmt::format("{}[{}, {}]", step_name(step.tag), columns ? col : row, columns ? row : col);
}

/// Of a product of matrices the factors stand in its order: Cᵀ = Bᵀ Aᵀ.
std::string sum_text(const Trace& t, const Explanation& e, Convention shown) {
    if (e.terms.empty()) return "0";
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

std::string carried_text(const Trace& t, const Explanation& e, Convention shown) { return cell_name(t, e.terms[0].left, shown); }

std::string state_text(RowState state, Convention shown) {
    const std::string_view line = shown == Convention::Columns ? "column" : "row";
    return state == RowState::AllMasked ? fmt::format("0 (every position of this {} is masked)", line)
                                        : fmt::format("not a number (a score of this {} is beyond float32)", line);
}

std::string values_text(const Explanation& e, std::string_view between) {
    std::string out;
    for (const Term& term : e.terms) out += fmt::format("{}{:g}", out.empty() ? "" : between, term.value);
    return out;
}

Explanation explain(const Trace& t, Cell cell) {
    const Step& step = t[cell.step];
    assert(cell.row >= 0 && cell.row < step.value.rows() && cell.col >= 0 && cell.col < step.value.cols());
    Explanation e;
    e.op = step.op;
    e.cell = cell;
    e.result = e.computed = number_in(t, cell);
    e.state = row_state(t, cell.step, cell.row);
    e.params = step.params;
    operation_of(step.op).explain(t, step, e);
    for (const Step::Replaced& old : step.replaced)
        if (old.row == cell.row && old.col == cell.col) {
            e.edited = true;
            e.computed = old.computed;
            break;  // the first one holds what the op had computed
        }
    return e;
}

std::string explain_text(const Trace& t, const Explanation& e, Convention shown) {
    std::string text = fmt::format("{} = {}", cell_name(t, e.cell, shown), operation_of(e.op).text(t, e, shown));
    if (e.op != Op::Input) text += fmt::format(" = {:g}", e.computed);
    if (e.edited) text += fmt::format("\ntyped over by hand: {:g}", e.result);
    return text;
}

}  // namespace attn
