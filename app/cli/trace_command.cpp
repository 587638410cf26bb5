#include "app/cli/trace_command.h"

#include <fmt/format.h>

#include "app/cli/long_run.h"
#include "app/cli/output.h"
#include "app/cli/parser.h"
#include "app/cli/step_arguments.h"
#include "app/cli/step_filter.h"
#include "app/cli/version.h"
#include "app/export/matrix_format.h"

namespace app {
namespace {

TraceFormat format_of(const TraceOptions& options) {
    if (const auto named = find_trace_format(options.format)) return *named;
    return trace_format_of(options.out).value_or(TraceFormat::Json);
}

const MatrixFormat& matrix_format(const TraceOptions& options) {
    if (const MatrixFormat* named = find_matrix_format(options.format)) return *named;
    if (const MatrixFormat* ending = matrix_format_of(options.out)) return *ending;
    return *find_matrix_format("json");
}

Runner declare_trace(Parser& parser) {
    const auto options = std::make_shared<TraceOptions>();
    declare_document(parser, options->document);
    parser.add({.name = "--step", .value = "STEP", .help = "The matrix of this step alone, by name or number."},
               options->step);
    parser.add({.name = "--only",
                .value = "KEY=VALUE,...",
                .help = fmt::format("Only the steps that fit: {}. Of one key any value (role=query,key), of different keys "
                                    "all; numbers may be spans (layer=2-4).", step_wish_help()),
                .check = [](const std::string& words) {
                    // How to count is only known with the document.
                    const auto wishes = read_step_wishes(words, attn::CountFrom::Zero);
                    return wishes ? std::string() : wishes.error().message;
                },
                .excludes = {"--step"}},
               options->only);
    parser.add({.name = "--format",
                .value = "FORMAT",
                .help = "json, npz or csv; of one step also tsv, npy, numpy, latex or markdown. Without it the ending "
                        "of OUT decides, and json where that says nothing.",
                .choices = ids_of(matrix_formats())},
               options->format);
    parser.add({.name = "-o,--output",
                .value = "OUT",
                .help = "The file to write, completely or not at all; without it, or with -, standard output."},
               options->out);
    declare_force(parser, options->force);
    parser.add(
        {.name = "--convention",
         .value = "ROWS",
         .help = "rows (a row a token) or columns (a column a token: every value transposed, as in lectures that "
                 "write Kᵀ Q).",
         .choices = {"rows", "columns"}},
        options->convention);
    parser.add({.name = "--spreadsheet",
                .help = "csv: an apostrophe before labels that a spreadsheet would run as a formula (=, +, -, @)."},
               options->spreadsheet);
    parser.add({.name = "--shortened",
                .help = "latex: of long rows and columns the first four and the last, three decimals.",
                .needs = {"--step"}},
               options->shortened);
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

json: one object. `document` comes first: the document that was computed, without fields at their defaults; then `program`, `tokens`, `features`, `text_cut`, `replaced_sequences`, `unused_edits`, and `steps`. Each step has `id` (its number, from 1), `name` ("weights.h2": role and head), `op`, `role`, `part` ("encoder", "ffn" …) where it belongs to one, `layer` and `head` (from 1, or null), `time` (from 1) where there are several, of a reverse pass (--gradient) `pass` (1: the gradient with respect to the step of that role; 2, 3 …: what is made on the way to it), `inputs` (ids of the steps that it read), the operation's own parameters where it has any, called as the document's fields (`factor` (scale), `temperature` (softmax, sparsemax, top_p), `epsilon` (both norms), `activation`, `first_column` and `first_row` (slices), `first_position`, `pairs`, `rope_base` and, where the angles are slowed, `rope_factor`, `rope_original`, `rope_low`, `rope_high` or `rope_pair_low`, `rope_pair_high` (rotate), `relative_clip` and `first_position` (distances), `window` (window), `sigma` (gaussian), `top_k`, `top_p`, `draws`, `draws_before` and `seed` (draw), `penalty`, `direction` (recur), `sources` (input)), `shape`, `rows` and `columns` (what they stand for, and their labels), and `values`, a list of rows. Cells that were typed over are in `edited` with the number that had been computed; rows that are wholly masked or beyond float32 are in `notes`. Numbers have the fewest digits that read back as the same float32; masked scores are the text "-inf". With --convention columns every value is transposed and `convention` says so.

npz: one float32 array a step, named by the step, for numpy.load; and trace.json, the object above without `values`.

With --only some of the steps are written, in the same form, under the numbers that they have among all; `only` says which, as it was typed.

With --step one matrix is written: csv, markdown (a table with its labels), tsv (numbers alone), json (`name`, `shape`, `rows`, `columns`, `values`), npy, npz (the array and labels.json), numpy (Python to paste) and latex (a bmatrix).

csv: a table with the document, one with the program, then a table per step: a title ("# 7 weights.h1: softmax of masked.h1"), a line of column labels, and a line per row. Empty lines separate the tables.)",
        .examples = R"( attenscope trace --text 早上好
 attenscope trace chapter.json -o chapter.npz
 attenscope trace --text 早上好 --step weights --format latex
 attenscope trace --text "the tired cat" --set heads=2 --set mask=causal -o t.csv
 attenscope trace --model ./gpt2 --text "the tired cat" --only role=weights,layer=3,head=2
 attenscope trace chapter.json | jq '.steps[] | select(.role == "weights").values'
 cat poem.txt | attenscope trace --text - --set variant=raw)",
    },
    declare_trace,
};

namespace {

Exit write_step(const TraceOptions& options, attn::CountFrom count, const attn::Run& run, Streams& streams) {
    const auto step = step_named(run.trace, options.step, count);
    if (!step) return fail(streams, Exit::BadInput, step.error());
    const auto convention = attn::find_convention(options.convention).value_or(attn::Convention::Rows);
    MatrixSource source = matrix_of(run.trace, *step, convention);
    source.program = kProgram;
    source.shortened = options.shortened;
    if (options.spreadsheet) source.guard = attn::CsvGuard::Apostrophe;
    const MatrixFormat& format = matrix_format(options);
    const auto bytes = encode_matrix(format, source);
    if (!bytes) return fail(streams, Exit::BadInput, bytes.error());
    return write_output(streams, options.out, *bytes, format.is_text ? Content::Text : Content::Binary);
}

attn::Result<std::vector<attn::StepId>> chosen_steps(const TraceOptions& options, attn::CountFrom count, const attn::Trace& trace) {
    if (options.only.empty()) return every_step(trace);
    const auto wishes = read_step_wishes(options.only, count);
    if (!wishes) return wishes.error();
    return steps_that_fit(trace, *wishes, count);
}

}  // namespace

Exit run_trace(const TraceOptions& options, Streams& streams) {
    if (const auto refused = refuse_output(options.out, options.force, options.document.file))
        return fail(streams, Exit::Usage, *refused);
    const auto document = load_document(options.document, streams.in);
    if (!document) return fail(streams, Exit::BadInput, document.error());
    auto run = run_watched(*document, streams);
    if (!run) return fail(streams, Exit::BadInput, run.error());
    tell_notes(streams, *run);
    const AtEndTellChecked checked(streams, *run);
    if (!options.step.empty()) return write_step(options, options.document.counts_from(*document), *run, streams);
    if (!options.format.empty() && !find_trace_format(options.format))
        return fail(streams, Exit::Usage, "--format " + options.format + " is for one matrix: give --step, too");
    const TraceFormat format = format_of(options);
    const auto guard = options.spreadsheet ? attn::CsvGuard::Apostrophe : attn::CsvGuard::Off;
    const auto steps = chosen_steps(options, options.document.counts_from(*document), run->trace);
    if (!steps) return fail(streams, Exit::BadInput, steps.error());
    const bool columns = options.convention == "columns";
    if (columns) run->trace = in_columns(std::move(run->trace), *steps);
    const auto convention = columns ? attn::Convention::Columns : attn::Convention::Rows;
    const auto bytes = encode_trace(format, {*document, *run, kProgram, *steps, convention, options.only}, guard);
    if (!bytes) return fail(streams, Exit::BadInput, bytes.error());
    return write_output(streams, options.out, *bytes, format == TraceFormat::Npz ? Content::Binary : Content::Text);
}

}  // namespace app
