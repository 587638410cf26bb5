#include "app/export/trace_csv.h"

#include <fmt/format.h>

#include <array>

#include "app/export/trace_labels.h"
#include "core/document/fields.h"
#include "core/io/json_writer.h"
#include "core/remake/remake.h"

namespace app {
namespace {

/// A field's value: plain text as it is, everything else as one-line JSON.
std::string field_text(const attn::Field& field, const attn::Document& document) {
    if (field.key == "text") return document.text;
    attn::JsonWriter out(attn::JsonLayout::Compact);
    field.write(document, out);
    std::string text = out.take();
    const bool quoted = field.kind == attn::FieldKind::Text || field.kind == attn::FieldKind::Choice;
    return quoted && text.size() >= 2 ? text.substr(1, text.size() - 2) : text;
}

void document_table(attn::CsvWriter& out, const attn::Document& document) {
    out.title("document");
    for (const attn::Field& field : attn::document_fields()) {
        if (field.key != "text" && field.is_default(document)) continue;
        out.row(std::array{std::string(field.key), field_text(field, document)});
    }
}

std::string step_title(const attn::Trace& trace, attn::StepId id) {
    const attn::Step& step = trace[id];
    std::string title = fmt::format("{} {}: {}", id + 1, attn::step_name(step.tag), attn::op_id(step.op));
    for (std::size_t i = 0; i < step.inputs.size(); ++i)
        title += fmt::format("{}{}", i == 0 ? " of " : " and ", attn::step_name(trace[step.inputs[i]].tag));
    return title;
}

}  // namespace

std::string trace_csv(const TraceSource& source, attn::CsvGuard guard) {
    const attn::Trace& trace = source.run.trace;
    attn::CsvWriter out(guard);
    document_table(out, source.document);
    out.title("program");
    out.row(std::array{std::string(source.program)});
    if (source.convention == attn::Convention::Columns) {
        out.title("convention");
        out.row(std::array{std::string("columns")});
    }
    if (!source.only.empty()) {
        out.title("only");
        out.row(std::array{std::string(source.only)});
    }
    for (const attn::StepId id : source.steps) {
        const attn::PinScope pins;
        out.title(step_title(trace, id));
        out.table(trace[id].value, row_labels(trace, trace[id]), column_labels(trace, trace[id]));
    }
    return out.take();
}

}  // namespace app
