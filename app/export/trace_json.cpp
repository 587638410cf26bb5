#include "app/export/trace_json.h"

#include "app/export/json_members.h"
#include "app/export/trace_labels.h"
#include "core/document/fields.h"
#include "core/io/json_writer.h"
#include "core/remake/remake.h"

namespace app {
namespace {

using attn::JsonWriter;
using attn::Op;
using attn::Step;
using attn::Trace;

/// As document_to_json does: the text and every field that is not at its default.
void write_document(JsonWriter& out, const attn::Document& document) {
    out.key("document");
    out.begin_object();
    write_count(out, "attenscope", attn::kDocumentVersion);
    for (const attn::Field& field : attn::document_fields()) {
        if (field.key != "text" && field.is_default(document)) continue;
        out.key(field.key);
        field.write(document, out);
    }
    out.end_object();
}

void write_inputs(JsonWriter& out, const Step& step) {
    out.key("inputs");
    out.begin_row();
    for (const attn::StepId input : step.inputs) out.integer(input + 1);
    out.end_array();
}

// The parameters of each operation that has any; a missing one does not compile.

void write_own(JsonWriter&, const Step&, const std::monostate&) {}

void write_own(JsonWriter& out, const Step&, const attn::InputParams& own) {
    out.key("sources");
    out.begin_row();
    for (const attn::Source source : own.sources.listed()) out.string(attn::source_id(source));
    out.end_array();
}

void write_own(JsonWriter& out, const Step&, const attn::ScaleParams& own) { write_number(out, "factor", own.factor); }

void write_own(JsonWriter& out, const Step&, const attn::ActivateParams& own) {
    write_text(out, "activation", attn::activation_id(own.activation));
}

void write_own(JsonWriter& out, const Step&, const attn::NormParams& own) { write_number(out, "epsilon", own.epsilon); }

void write_own(JsonWriter& out, const Step&, const attn::NormGradientParams& own) {
    write_text(out, "norm", own.centred ? "layer_norm" : "rms_norm");
    write_number(out, "epsilon", own.epsilon);
}

void write_own(JsonWriter& out, const Step&, const attn::RotateParams& own) {
    write_count(out, "first_position", own.first);
    write_text(out, "pairs", own.half_pairs ? "halves" : "neighbours");
    write_number(out, "rope_base", own.base);
    if (own.slowing.factor != 1) {
        write_number(out, "rope_factor", own.slowing.factor);
        if (own.slowing.pair_high > 0) {
            write_number(out, "rope_pair_low", own.slowing.pair_low);
            write_number(out, "rope_pair_high", own.slowing.pair_high);
        } else {
            write_count(out, "rope_original", own.slowing.original);
            if (own.slowing.original > 0) {
                write_number(out, "rope_low", own.slowing.low);
                write_number(out, "rope_high", own.slowing.high);
            }
        }
    }
    if (own.backward) write_text(out, "direction", "backward");
}

void write_own(JsonWriter&, const Step&, const attn::FoldParams&) {}  // implied by its shape

void write_own(JsonWriter& out, const Step&, const attn::SpreadParams& own) {
    write_count(out, "relative_clip", own.clip);
    write_count(out, "first_position", own.first);
}

void write_own(JsonWriter& out, const Step&, const attn::CollectParams& own) {
    write_count(out, "relative_clip", own.clip);
    write_count(out, "first_position", own.first);
}

void write_own(JsonWriter& out, const Step&, const attn::WindowParams& own) { write_number(out, "window", own.reach); }

void write_own(JsonWriter& out, const Step&, const attn::GaussianParams& own) { write_number(out, "sigma", own.sigma); }

void write_own(JsonWriter& out, const Step&, const attn::TopKParams& own) { write_count(out, "top_k", own.k); }

void write_own(JsonWriter& out, const Step&, const attn::TopPParams& own) {
    write_number(out, "top_p", own.p);
    write_number(out, "temperature", own.temperature);
}

void write_own(JsonWriter& out, const Step&, const attn::SoftmaxParams& own) { write_number(out, "temperature", own.temperature); }

void write_own(JsonWriter& out, const Step&, const attn::DrawParams& own) {
    write_count(out, "draws", own.draws);
    if (own.first > 0) write_count(out, "draws_before", own.first);
    out.key("seed");
    out.natural(own.seed);
}

void write_own(JsonWriter& out, const Step&, const attn::PenaltyParams& own) { write_number(out, "penalty", own.lambda); }

void write_own(JsonWriter& out, const Step&, const attn::RecurParams& own) {
    write_text(out, "direction", own.backward ? "backward" : "forward");
}

void write_own(JsonWriter& out, const Step& step, const attn::SliceParams& own) {
    write_count(out, step.op == Op::Slice ? "first_column" : "first_row", own.first + 1);
}

}  // namespace

void write_step_parameters(JsonWriter& out, const Step& step) {
    std::visit([&](const auto& own) { write_own(out, step, own); }, step.params);
}

namespace {

void write_axis(JsonWriter& out, std::string_view key, attn::Axis::Kind kind, const std::vector<std::string>& labels) {
    out.key(key);
    out.begin_object();
    write_text(out, "kind", axis_id(kind));
    out.key("labels");
    out.strings(labels);
    out.end_object();
}

void write_edited(JsonWriter& out, const Step& step) {
    if (step.replaced.empty()) return;
    out.key("edited");
    out.begin_array();
    for (const Step::Replaced& cell : step.replaced) {
        out.begin_object();
        write_count(out, "row", cell.row + 1);
        write_count(out, "column", cell.col + 1);
        write_number(out, "computed", cell.computed);
        out.end_object();
    }
    out.end_array();
}

void write_notes(JsonWriter& out, const Trace& trace, attn::StepId id, attn::Convention convention) {
    bool open = false;
    for (const attn::Note& note : attn::notes_of(trace, id)) {
        if (!open) {
            out.key("notes");
            out.begin_array();
            open = true;
        }
        out.begin_object();
        write_count(out, convention == attn::Convention::Columns ? "column" : "row", note.row + 1);
        write_text(out, "state", row_state_id(note.state));
        out.end_object();
    }
    if (open) out.end_array();
}

void write_step(JsonWriter& out, const Trace& trace, attn::StepId id, TraceValues values, attn::Convention convention) {
    const Step& step = trace[id];
    out.begin_object();
    write_count(out, "id", id + 1);
    write_text(out, "name", attn::step_name(step.tag));
    write_text(out, "op", attn::op_id(step.op));
    write_text(out, "role", attn::role_id(step.tag.role));
    if (step.tag.pass != 0) write_count(out, "pass", step.tag.pass);
    if (step.tag.part != attn::Part::Main) write_text(out, "part", attn::part_id(step.tag.part));
    write_ordinal(out, "layer", step.tag.layer);
    write_ordinal(out, "head", step.tag.head);
    if (step.tag.time != attn::kNoTime) write_ordinal(out, "time", step.tag.time);
    write_inputs(out, step);
    write_step_parameters(out, step);
    out.key("shape");
    out.begin_row();
    out.integer(step.value.rows());
    out.integer(step.value.cols());
    out.end_array();
    write_axis(out, "rows", step.rows.kind, row_labels(trace, step));
    write_axis(out, "columns", step.cols.kind, column_labels(trace, step));
    write_edited(out, step);
    write_notes(out, trace, id, convention);
    if (values == TraceValues::Included) {
        out.key("values");
        out.matrix(step.value);
    }
    out.end_object();
}

}  // namespace

std::string trace_json(const TraceSource& source, TraceValues values) {
    const Trace& trace = source.run.trace;
    JsonWriter out;
    out.begin_object();
    write_document(out, source.document);
    write_text(out, "program", source.program);
    if (source.convention == attn::Convention::Columns) write_text(out, "convention", "columns");
    if (!source.only.empty()) write_text(out, "only", source.only);
    out.key("tokens");
    std::vector<std::string> tokens;
    for (int i = 0; i < static_cast<int>(trace.tokens.size()); ++i)
        tokens.push_back(text_label(trace, {attn::Axis::Kind::Tokens, 0}, i));
    out.strings(tokens);
    out.key("features");
    out.strings(trace.features);
    write_flag(out, "text_cut", source.run.cut);
    write_count(out, "replaced_sequences", source.run.replaced);
    write_count(out, "unused_edits", source.run.unused_edits);
    out.key("steps");
    out.begin_array();
    for (const attn::StepId id : source.steps) {
        const attn::PinScope pins;
        write_step(out, trace, id, values, source.convention);
    }
    out.end_array();
    out.end_object();
    return out.take();
}

}  // namespace app
