#include "app/cli/explain_report.h"
#include "app/export/json_members.h"
#include "app/export/trace_labels.h"
#include "core/io/json_writer.h"

namespace app {
namespace {

using attn::JsonWriter;

/// Where a number stands: step, row, column (from 1), their labels, and the number.
void write_cell(JsonWriter& out, const attn::Trace& trace, attn::Cell cell) {
    const attn::Step& step = trace[cell.step];
    out.begin_object();
    write_ordinal(out, "id", cell.step);
    write_text(out, "step", attn::step_name(step.tag));
    write_ordinal(out, "row", cell.row);
    write_ordinal(out, "column", cell.col);
    write_text(out, "row_label", text_label(trace, step.rows, cell.row));
    write_text(out, "column_label", text_label(trace, step.cols, cell.col));
    write_number(out, "value", step.value(cell.row, cell.col));
    out.end_object();
}

void write_term(JsonWriter& out, const attn::Trace& trace, const attn::Term& term) {
    out.begin_object();
    out.key("left");
    write_cell(out, trace, term.left);
    out.key("right");
    if (term.right)
        write_cell(out, trace, *term.right);
    else
        out.null();
    write_number(out, "value", term.value);
    write_flag(out, "masked", term.masked);
    out.end_object();
}

void write_parameters(JsonWriter& out, const attn::Explanation& e) {
    if (e.op == attn::Op::Scale) write_number(out, "factor", e.factor);
    if (e.op == attn::Op::Input) write_text(out, "source", attn::source_id(e.source));
    if (e.op != attn::Op::Softmax) return;
    write_number(out, "temperature", e.temperature);
    write_number(out, "maximum", e.maximum);
    write_number(out, "sum", e.sum);
}

void write_chain(JsonWriter& out, const Inspection& inspection) {
    out.key("chain");
    out.begin_array();
    for (const ChainRow& row : inspection.chain) {
        out.begin_object();
        write_text(out, "how", row.how);
        write_number(out, "value", row.value);
        write_flag(out, "here", row.here);
        out.end_object();
    }
    out.end_array();
}

}  // namespace

std::string explanation_json(const ExplainSource& s) {
    const attn::Explanation& e = s.inspection.explanation;
    JsonWriter out;
    out.begin_object();
    out.key("cell");
    write_cell(out, s.trace, e.cell);
    write_text(out, "op", attn::op_id(e.op));
    write_number(out, "result", e.result);
    write_number(out, "computed", e.computed);
    write_flag(out, "edited", e.edited);
    write_parameters(out, e);
    out.key("state");
    if (e.state)
        out.string(row_state_id(*e.state));
    else
        out.null();
    out.key("terms");
    out.begin_array();
    for (const attn::Term& term : e.terms) write_term(out, s.trace, term);
    out.end_array();
    write_chain(out, s.inspection);
    write_text(out, "note", s.inspection.note);
    write_text(out, "text", attn::explain_text(s.trace, e));
    out.end_object();
    return out.take();
}

}  // namespace app
