#include "app/cli/explain_report.h"
#include "app/export/json_members.h"
#include "app/export/trace_json.h"
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

void write_parameters(JsonWriter& out, const attn::Explanation& e, const attn::Step& step) {
    using attn::Op;
    const auto number = [&out](std::string_view name, double value) {
        write_number(out, name, static_cast<float>(value));
    };
    // The operation's own parameters are called as in a trace; what follows was measured.
    if (e.op == Op::Input)
        write_text(out, "source", attn::source_id(e.source));
    else
        write_step_parameters(out, step);
    if (e.op == Op::Softmax || e.op == Op::Sparsemax) number("maximum", e.maximum);
    if (e.op == Op::Softmax || e.op == Op::Unit || e.op == Op::Recur || e.op == Op::SoftmaxGradient)
        number("sum", e.sum);
    if (e.op == Op::SoftmaxGradient) number("weight", e.factor);
    if (e.op == Op::NormGradient) {
        number("mean", e.mean);
        number("normed", e.threshold);
        number("along", e.variance);
        number("spread", e.sum);
    }
    // Sparsemax: of the scores over the temperature as they are, not less the largest. At temperature 0 there is none.
    if (e.op == Op::Sparsemax && e.temperature > 0)
        number("threshold", e.threshold + static_cast<double>(e.maximum) / static_cast<double>(e.temperature));
    if (e.op == Op::TopK || e.op == Op::TopP) number("threshold", e.threshold);
    if (e.op == Op::LayerNorm || e.op == Op::RmsNorm) {
        number("mean", e.mean);
        number("gain", e.gain);
    }
    if (e.op == Op::LayerNorm) {
        number("variance", e.variance);
        number("bias", e.bias);
    }
    if (e.op == Op::Rotate) number("angle", e.angle);
    if (e.op == Op::Rotate || e.op == Op::Window || e.op == Op::Gaussian) number("position", e.position);
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
