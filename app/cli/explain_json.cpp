#include <cmath>

#include "app/cli/explain_report.h"
#include "app/export/json_members.h"
#include "app/export/trace_json.h"
#include "app/export/trace_labels.h"
#include "core/io/json_writer.h"

namespace app {
namespace {

using attn::JsonWriter;

/// Writes a number's position (step, row, column, from 1), its labels, and the number.
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

/// The named values of the tree, as float32, like the numbers of a trace.
void write_named(JsonWriter& out, const attn::Explanation& e) {
    for (int i = 0; i < attn::kNameCount; ++i) {
        const auto name = static_cast<attn::Name>(i);
        const attn::Node* const node = attn::row_of(name).id.empty() ? nullptr : e.tree.find(name);
        if (node == nullptr || node == &e.tree || !node->value) continue;  // the whole is the result
        double value = *node->value;
        // Sparsemax's threshold is reported for the scores over the temperature, not for these minus their maximum.
        if (name == attn::Name::Threshold) value += e.named(attn::Name::Maximum) / static_cast<double>(e.as<attn::SoftmaxParams>().temperature);
        if (!std::isinf(value) || name != attn::Name::Threshold) write_number(out, attn::row_of(name).id, static_cast<float>(value));
    }
}

/// The operation's own parameters have the same names as in a trace; what follows was measured. (An input's source is
/// that of its step.)
void write_parameters(JsonWriter& out, const attn::Explanation& e, const attn::Step& step) {
    if (e.op == attn::Op::Input)
        write_text(out, "source", attn::source_id(e.source));
    else
        write_step_parameters(out, step);
    write_named(out, e);
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
    write_parameters(out, e, s.trace[e.cell.step]);
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
