#include "app/cli/explain_command.h"

#include "app/cli/explain_report.h"
#include "app/cli/long_run.h"
#include "app/cli/output.h"
#include "app/cli/parser.h"
#include "app/cli/step_arguments.h"
#include "core/text/unicode.h"

namespace app {
namespace {

Runner declare_explain(Parser& parser) {
    const auto options = std::make_shared<ExplainOptions>();
    declare_document(parser, options->document);
    parser.add({.name = "--step",
                .value = "STEP",
                .help = "The step's name (weights, scores.h2) or number; `attenscope list steps` shows them. A name "
                        "without a head means the first one's.",
                .required = true},
               options->step);
    parser.add({.name = "--row",
                .value = "ROW",
                .help = "The row's number, from 1, or its label where only one row has it.",
                .required = true},
               options->row);
    parser.add(
        {.name = "--column", .value = "COLUMN", .help = "The column's number or label, likewise.", .required = true},
        options->column);
    parser.add(
        {.name = "--convention",
         .value = "CONVENTION",
         .help = "rows (each row is a token, the default) or columns: rows and columns as they are shown then, and "
                 "a product's factors in that order. json names cells as the engine has them, in rows.",
         .choices = {"rows", "columns"}},
        options->convention);
    parser.add({.name = "--format",
                .value = "FORMAT",
                .help = "text (for people, the default), json (every term) or latex (the formula with its numbers).",
                .choices = {"text", "json", "latex"}},
               options->format);
    parser.add({.name = "--language",
                .value = "LANGUAGE",
                .help = "en or zh; without it the environment's.",
                .choices = {"en", "zh"}},
               options->language);
    return [options](Streams& streams) { return run_explain(*options, streams); };
}

attn::Convention convention_of(const ExplainOptions& options) {
    return attn::find_convention(options.convention).value_or(attn::Convention::Rows);
}

attn::Result<attn::Cell> find_cell(const attn::Trace& trace, const ExplainOptions& options, attn::CountFrom count) {
    const auto step = step_named(trace, options.step, count);
    if (!step) return step.error();
    return cell_named(trace, *step, options.row, options.column, convention_of(options));
}

}  // namespace

const Command kExplainCommand = {
    {
        .name = "explain",
        .summary = "shows the terms that make one number",
        .synopsis = " attenscope explain [OPTIONS] [FILE] --step STEP --row ROW --column COLUMN",
        .description =
            R"(Explains any number of any step. The text says where the number is, how it was computed (the chain from the scores to the weights, or the terms of the sum), the row that it belongs to, and finally the whole sum on one line with the real values.

json: `cell`, `op`, `result`, `computed` (differs from `result` where the number was typed over), the operation's parameters, called as in a trace, and what was measured (`maximum`, `sum`, `threshold`, `mean`, `variance`, `gain`, `bias`, `angle`, `position`; of a number that was given its `source`), `state` of the row, `terms` (each with `left`, `right` or null, and `value`: left times right, or what is carried over, or for softmax the exponential), `chain`, `note` and `text`.

latex: the formula of the number with its own numbers in it, as the window shows it; of long sums the first and the last terms, and what the others come to. A number that was given has none.

The numbers are those of the computation, never made up: the terms give the result to within float32 rounding.)",
        .examples = R"( attenscope explain --text 早上好 --step weights --row 早 --column 上
 attenscope explain chapter.json --step scores.h2 --row 2 --column 3
 attenscope explain chapter.json --step output --row cat --column living --language zh
 attenscope explain chapter.json --step 9 --row 1 --column 1 --format json
 attenscope explain --text 早上好 --step weights --row 1 --column 2 --format latex)",
        .environment = "LC_ALL, LC_MESSAGES, LANG: the language of the text; zh... is Chinese, all else English.",
    },
    declare_explain,
};

Exit run_explain(const ExplainOptions& options, Streams& streams) {
    const auto document = load_document(options.document, streams.in);
    if (!document) return fail(streams, Exit::BadInput, document.error());
    const auto run = run_watched(*document, streams);
    if (!run) return fail(streams, Exit::BadInput, run.error());
    tell_notes(streams, *run);
    const AtEndTellChecked checked(streams, *run);
    const auto cell = find_cell(run->trace, options, options.document.counts_from(*document));
    if (!cell) return fail(streams, Exit::BadInput, cell.error());
    const Language language = find_language(options.language).value_or(system_language());
    const Inspection inspection =
        inspect(run->trace, *cell, labels_of(run->trace, language), language, convention_of(options), options.document.counts_from(*document));
    const ExplainSource source{run->trace, inspection, language, convention_of(options)};
    const std::string text = options.format == "json"    ? explanation_json(source)
                             : options.format == "latex" ? explanation_latex(source)
                                                         : explanation_text(source);
    return write_output(streams, "", text, Content::Text);
}

}  // namespace app
