#include "app/cli/explain_report.h"
#include "app/export/trace_labels.h"
#include "core/io/json_writer.h"

namespace app {
namespace {

using attn::JsonWriter;

void text(JsonWriter& out, std::string_view key, std::string_view value) {
    out.key(key);
    out.string(value);
}

void number(JsonWriter& out, std::string_view key, float value) {
    out.key(key);
    out.number(value);
}

void count_or_null(JsonWriter& out, std::string_view key, int from_zero) {
    out.key(key);
    if (from_zero < 0)
        out.null();
    else
        out.integer(from_zero + 1);
}

/// Where a number stands: step, row, column (from 1), their labels, and the number.
void write_cell(JsonWriter& out, const attn::Trace& trace, attn::Cell cell) {
    const attn::Step& step = trace[cell.step];
    out.begin_object();
    count_or_null(out, "id", cell.step);
    text(out, "step", attn::step_name(step.tag));
    count_or_null(out, "row", cell.row);
    count_or_null(out, "column", cell.col);
    text(out, "row_label", text_label(trace, step.rows, cell.row));
    text(out, "column_label", text_label(trace, step.cols, cell.col));
    number(out, "value", step.value(cell.row, cell.col));
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
    number(out, "value", term.value);
    out.key("masked");
    out.boolean(term.masked);
    out.end_object();
}

void write_parameters(JsonWriter& out, const attn::Explanation& e) {
    if (e.op == attn::Op::Scale) number(out, "factor", e.factor);
    if (e.op == attn::Op::Input) text(out, "source", attn::source_id(e.source));
    if (e.op != attn::Op::Softmax) return;
    number(out, "temperature", e.temperature);
    number(out, "maximum", e.maximum);
    number(out, "sum", e.sum);
}

void write_chain(JsonWriter& out, const Inspection& inspection) {
    out.key("chain");
    out.begin_array();
    for (const ChainRow& row : inspection.chain) {
        out.begin_object();
        text(out, "how", row.how);
        number(out, "value", row.value);
        out.key("here");
        out.boolean(row.here);
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
    text(out, "op", attn::op_id(e.op));
    number(out, "result", e.result);
    number(out, "computed", e.computed);
    out.key("edited");
    out.boolean(e.edited);
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
    text(out, "note", s.inspection.note);
    text(out, "text", attn::explain_text(s.trace, e));
    out.end_object();
    return out.take();
}

}  // namespace app
