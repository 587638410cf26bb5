#include "app/cli/trace_command.h"

#include "app/cli/output.h"
#include "app/cli/parser.h"
#include "app/cli/version.h"

namespace app {
namespace {

TraceFormat format_of(const TraceOptions& options) {
    if (const auto named = find_trace_format(options.format)) return *named;
    return trace_format_of(options.out).value_or(TraceFormat::Json);
}

Runner declare(Parser& parser) {
    const auto options = std::make_shared<TraceOptions>();
    declare_document(parser, options->document);
    parser.add({.name = "--format",
                .value = "FORMAT",
                .help = "json, npz or csv. Without it the ending of OUT decides, and json where that says nothing.",
                .check = one_of({"json", "npz", "csv"})},
               options->format);
    parser.add({.name = "-o,--output",
                .value = "OUT",
                .help = "The file to write, whole or not at all; - or nothing is standard output."},
               options->out);
    parser.add(
        {.name = "--convention",
         .value = "ROWS",
         .help = "rows (a row a token) or columns (a column a token: every value transposed, as in lectures that "
                 "write Kᵀ Q).",
         .check = one_of({"rows", "columns"})},
        options->convention);
    parser.add({.name = "--spreadsheet",
                .help = "csv: an apostrophe before labels that a spreadsheet would run as a formula (=, +, -, @)."},
               options->spreadsheet);
    return [options](Streams& streams) { return run_trace(*options, streams); };
}

}  // namespace

const Command kTraceCommand = {
    {
        .name = "trace",
        .summary = "computes attention and writes every step with every number",
        .synopsis = " attenscope trace [OPTIONS] [FILE]",
        .description =
            R"(Reads a document, computes it, and writes each step of the computation in order. The same document gives the same bytes.

json: one object. `document` comes first: the document that was computed, without fields at their defaults; then `program`, `tokens`, `features`, `text_cut`, `replaced_sequences`, `unused_edits`, and `steps`. Each step has `id` (its number, from 1), `name` ("weights.h2": role and head), `op`, `role`, `layer` and `head` (from 1, or null), `inputs` (ids of the steps that it read), the operation's own parameter where it has one (`factor`, `temperature`, `first_column`, `sources`), `shape`, `rows` and `columns` (what they stand for, and their labels), and `values`, a list of rows. Cells that were typed over are in `edited` with the number that had been computed; rows that are wholly masked or beyond float32 are in `notes`. Numbers have the fewest digits that read back as the same float32; masked scores are the text "-inf". With --convention columns every value is transposed and `convention` says so.

npz: one float32 array a step, named by the step, for numpy.load; and trace.json, the object above without `values`.

csv: a table with the document, one with the program, then a table a step: a title ("# 7 weights.h1: softmax of masked.h1"), a line of column labels, and a line a row. Tables are parted by an empty line.)",
        .examples = R"( attenscope trace --text 早上好
 attenscope trace lesson.json -o lesson.npz
 attenscope trace --text "the tired cat" --set heads=2 --set mask=causal -o t.csv
 attenscope trace lesson.json | jq '.steps[] | select(.role == "weights").values'
 cat poem.txt | attenscope trace --text - --set variant=raw)",
    },
    declare,
};

Exit run_trace(const TraceOptions& options, Streams& streams) {
    const auto document = load_document(options.document, streams.in);
    if (!document) return fail(streams, Exit::BadInput, document.error());
    auto run = attn::run(*document);
    if (!run) return fail(streams, Exit::BadInput, run.error());
    tell_notes(streams, *run);
    const TraceFormat format = format_of(options);
    const auto guard = options.spreadsheet ? attn::CsvGuard::Apostrophe : attn::CsvGuard::Off;
    const bool columns = options.convention == "columns";
    if (columns) run->trace = in_columns(std::move(run->trace));
    const auto convention = columns ? attn::Convention::Columns : attn::Convention::Rows;
    const auto bytes = encode_trace(format, {*document, *run, kProgram, convention}, guard);
    if (!bytes) return fail(streams, Exit::BadInput, bytes.error());
    return write_output(streams, options.out, *bytes, format == TraceFormat::Npz ? Content::Binary : Content::Text);
}

}  // namespace app
