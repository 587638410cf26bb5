#include "core/ops/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "core/ops/operation.h"
#include "core/text/unicode.h"

namespace attn {

namespace {

/// "scores[cat, tired]".
std::string cell_name(const Trace& t, Cell cell, Convention shown) {
    const Step& step = t[cell.step];
    const std::string row = visible(axis_label(t, step.rows, cell.row)),
                      col = visible(axis_label(t, step.cols, cell.col));
    const bool columns = shown == Convention::Columns;
    return fmt::format("{}[{}, {}]", step_name(step.tag), columns ? col : row, columns ? row : col);
}

constexpr Script kAscii{.number = [](const Node&, double value) { return fmt::format("{:g}", value); },
                        .minus = "-", .times = "*", .square = "^2", .at_least = ">=", .at_most = "<=", .function = activation_id};

std::string state_text(RowState state, Convention shown) {
    const std::string_view line = shown == Convention::Columns ? "column" : "row";
    return state == RowState::AllMasked ? fmt::format("0 (every position of this {} is masked)", line)
                                        : fmt::format("not a number (a score of this {} is beyond float32)", line);
}

/// The text for a number that a condition decided: the value, and why.
std::optional<std::string> decided_text(const Explanation& e, std::string_view tree, Convention shown) {
    if (e.op == Op::Input) return fmt::format("{} ({})", e.computed, source_id(e.source));
    if ((makes_shares(e.op) || e.tree.kind == Node::Kind::AtLeast) && e.state) return state_text(*e.state, shown);
    if (makes_shares(e.op) && e.terms[static_cast<std::size_t>(e.cell.col)].masked) return "0 (masked)";
    if (e.tree.kind == Node::Kind::Within) return fmt::format("{} ({})", e.computed, tree);
    if (e.tree.kind == Node::Kind::AtLeast) return fmt::format("{} ({})", e.terms[0].masked ? "-inf" : "kept", tree);
    if (e.op == Op::Mask) return e.terms[0].masked ? "-inf (masked)" : fmt::format("{:g} (looked at)", e.terms[0].value);
    if (e.op == Op::Draw) return fmt::format("{} of {} draws", e.terms.size(), e.as<DrawParams>().draws);
    return std::nullopt;
}

std::string made_text(const Trace& t, const Explanation& e, Convention shown) {
    if (e.tree.kind == Node::Kind::Cell) return cell_name(t, e.tree.cell, shown);
    const Node tree = shown == Convention::Columns ? transposed(e.tree) : e.tree;
    const std::string text = plain_text(t, e.terms, tree, kAscii);
    if (const auto decided = decided_text(e, text, shown)) return *decided;
    const std::string worked_out = plain_text(t, e.terms, tree, kAscii, true);
    return worked_out == text ? text : text + " = " + worked_out;
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
    e.params = step.params;
    for (const Step::Replaced& old : step.replaced)
        if (old.row == cell.row && old.col == cell.col) {
            e.edited = true;
            e.computed = old.computed;
            break;  // the first entry for a cell holds the computed number
        }
    e.tree = operation_of(step.op).derive(t, step, e);
    return e;
}

bool is_typed_over(const Trace& t, const Cell& cell) {
    return std::any_of(t.edits.begin(), t.edits.end(), [&](const Edit& edit) { return edit.tag == t[cell.step].tag && edit.row == cell.row && edit.col == cell.col; });
}

double recompute(const Trace& t, const Explanation& e) { return value_of(t, e.terms, e.tree, true); }

std::string explain_text(const Trace& t, const Explanation& e, Convention shown) {
    std::string text = fmt::format("{} = {}", cell_name(t, e.cell, shown), made_text(t, e, shown));
    if (e.op != Op::Input) text += fmt::format(" = {:g}", e.computed);
    if (e.edited) text += fmt::format("\n{}: {:g}", is_typed_over(t, e.cell) ? "typed over by hand" : "replaced by an intervention", e.result);
    return text;
}

}  // namespace attn
