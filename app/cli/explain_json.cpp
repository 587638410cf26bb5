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

/// What was measured stands as float32, as numbers of a trace do.
void write_measure(JsonWriter& out, std::string_view name, double value) { write_number(out, name, static_cast<float>(value)); }

// What was measured for each operation of which something was; one that is forgotten does not compile.

using attn::Explanation;

void write_measured(JsonWriter&, const Explanation&, const std::monostate&) {}

void write_measured(JsonWriter& out, const Explanation&, const attn::InputMeasures& m) { write_text(out, "source", attn::source_id(m.source)); }

void write_measured(JsonWriter& out, const Explanation& e, const attn::SumMeasures& m) {
    if (e.op == attn::Op::Recur) write_number(out, "sum", m.sum);  // a product's is the number itself
}

void write_measured(JsonWriter& out, const Explanation&, const attn::UnitMeasures& m) { write_number(out, "sum", m.length); }

void write_measured(JsonWriter& out, const Explanation&, const attn::LayerNormMeasures& m) {
    write_measure(out, "mean", m.mean);
    write_number(out, "gain", m.gain);
    write_measure(out, "variance", m.variance);
    write_number(out, "bias", m.bias);
}

void write_measured(JsonWriter& out, const Explanation&, const attn::RmsNormMeasures& m) {
    write_measure(out, "mean", m.mean_square);
    write_number(out, "gain", m.gain);
}

void write_measured(JsonWriter& out, const Explanation&, const attn::NormGradientMeasures& m) {
    write_measure(out, "mean", m.mean);
    write_measure(out, "normed", m.normed);
    write_measure(out, "along", m.along);
    write_number(out, "spread", m.spread);
}

void write_measured(JsonWriter& out, const Explanation&, const attn::SoftmaxMeasures& m) {
    write_number(out, "maximum", m.maximum);
    write_number(out, "sum", m.sum);
}

/// The threshold is that of the scores over the temperature as they are, not less the largest. At temperature 0 there is none.
void write_measured(JsonWriter& out, const Explanation& e, const attn::SparsemaxMeasures& m) {
    const float temperature = e.as<attn::SoftmaxParams>().temperature;
    write_number(out, "maximum", m.maximum);
    if (temperature > 0) write_measure(out, "threshold", m.threshold + static_cast<double>(m.maximum) / static_cast<double>(temperature));
}

void write_measured(JsonWriter& out, const Explanation&, const attn::SoftmaxGradientMeasures& m) {
    write_number(out, "sum", m.sum);
    write_number(out, "weight", m.weight);
}

void write_measured(JsonWriter& out, const Explanation&, const attn::KeptMeasures& m) { write_measure(out, "threshold", m.least); }

void write_measured(JsonWriter& out, const Explanation&, const attn::RotateMeasures& m) {
    write_measure(out, "angle", m.angle);
    write_number(out, "position", m.position);
}

void write_measured(JsonWriter& out, const Explanation&, const attn::ColumnMeasures& m) { write_number(out, "position", m.position); }

/// The operation's own parameters are called as in a trace; what follows was measured. (An input's sources are its step's.)
void write_parameters(JsonWriter& out, const Explanation& e, const attn::Step& step) {
    if (e.op != attn::Op::Input) write_step_parameters(out, step);
    std::visit([&](const auto& m) { write_measured(out, e, m); }, e.measures);
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
