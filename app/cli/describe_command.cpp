#include "app/cli/describe_command.h"

#include <memory>

#include "app/cli/document_arguments.h"
#include "app/cli/long_run.h"
#include "app/cli/output.h"
#include "app/cli/parser.h"
#include "app/cli/step_arguments.h"
#include "app/explain/caption.h"
#include "app/explain/describe.h"
#include "app/screens/experiments/paths.h"
#include "core/analysis/telling.h"

namespace app {
namespace {

struct DescribeOptions {
    DocumentArguments document;
    std::string step, row, column;
    std::string language, convention;
    std::string experiment;
};

/// The step's position in the walk, from 1, or 0 if it is not a stop; and the walk's caption there.
void find_place(DescribeSource& source, const attn::Run& run, const Timeline& timeline) {
    const int stop = stop_of(timeline, source.trace, source.step);
    if (stop < 0) return;
    const auto pair = attn::telling_pair(run.trace, source.step);
    const attn::Cell explained = pair ? attn::telling_cell(run.trace, source.step, *pair) : attn::Cell{source.step, 0, 0};
    const News news = timeline.stops[static_cast<std::size_t>(stop)].news;
    source.caption = caption({.run = run,
                              .labels = source.labels,
                              .step = source.step,
                              .explained = explained,
                              .news = news,
                              .language = source.language,
                              .convention = source.convention})
                         .text();
    source.place = stop + 1;
    source.places = static_cast<int>(timeline.stops.size());
}

/// The requested step; without one the weights, which are most informative; else the last.
attn::Result<attn::StepId> shown_step(const attn::Trace& trace, const std::string& name, attn::CountFrom count) {
    if (!name.empty()) return step_named(trace, name, count);
    for (attn::StepId id = 0; id < trace.size(); ++id)
        if (trace[id].tag.role == attn::Role::Weights) return id;
    return trace.size() - 1;  // kNoStep if there is none
}

Exit run_describe(const DescribeOptions& options, Streams& streams) {
    const auto document = load_document(options.document, streams.in);
    if (!document) return fail(streams, Exit::BadInput, document.error());
    const auto run = run_watched(*document, streams);
    if (!run) return fail(streams, Exit::BadInput, run.error());
    tell_notes(streams, *run);
    const AtEndTellChecked checked(streams, *run);
    const Language language = find_language(options.language).value_or(system_language());
    const AxisLabels labels = labels_of(run->trace, language);
    DescribeSource source{.document = *document, .trace = run->trace, .labels = labels, .language = language};
    source.convention = attn::find_convention(options.convention).value_or(attn::Convention::Rows);
    source.count = options.document.counts_from(*document);
    if (!options.experiment.empty()) {
        PathsExperiment paths;
        make_paths(run->trace, document->weight_seed, {}, paths);
        source.page = describe_paths(paths, labels.tokens, language);
        return write_output(streams, "", describe_view(source), Content::Text);
    }
    const auto step = shown_step(run->trace, options.step, source.count);
    if (!step) return fail(streams, Exit::BadInput, step.error());
    source.step = *step;
    if (source.step != attn::kNoStep) {
        const attn::Step& shown = run->trace[source.step];
        find_place(source, *run, make_timeline(run->trace, std::max(shown.tag.head, 0), WalkPace::Deep));
        if (!options.row.empty()) {
            const auto cell = cell_named(run->trace, source.step, options.row, options.column, source.convention);
            if (!cell) return fail(streams, Exit::BadInput, cell.error());
            source.cell = *cell;
        }
    }
    return write_output(streams, "", describe_view(source), Content::Text);
}

Runner declare_describe(Parser& parser) {
    const auto options = std::make_shared<DescribeOptions>();
    declare_document(parser, options->document);
    parser.add(
        {.name = "--step", .value = "STEP", .help = "The step to describe, by name or number; the weights without it."},
        options->step);
    parser.add({.name = "--row",
                .value = "ROW",
                .help = "Also says of this number what made it: its row, from 1, or its label.",
                .needs = {"--column"}},
               options->row);
    parser.add({.name = "--column", .value = "COLUMN", .help = "And its column, likewise.", .needs = {"--row"}},
               options->column);
    parser.add({.name = "--experiment",
                .value = "PAGE",
                .help = "A page of the experiments instead of a step: paths.",
                .choices = {"paths"},
                .excludes = {"--step"}},
               options->experiment);
    parser.add({.name = "--convention",
                .value = "ROWS",
                .help = "Whether tokens are rows or columns of what is described.",
                .choices = {"rows", "columns"}},
               options->convention);
    parser.add({.name = "--language",
                .value = "LANGUAGE",
                .help = "en or zh; without it the environment's.",
                .choices = {"en", "zh"}},
               options->language);
    return [options](Streams& streams) { return run_describe(*options, streams); };
}

}  // namespace

const Command kDescribeCommand = {
    {
        .name = "describe",
        .summary = "says in words what the window shows",
        .synopsis = " attenscope describe [OPTIONS] [FILE]",
        .description =
            R"(For whoever cannot see the picture, and for notes: the form of attention and its text, the choices, the step and what happens in it, the matrix with its largest and smallest number, for weights what each row attends to, and, with --row and --column, how one number was made. The window says the same of what it shows (Ctrl+D).)",
        .examples = R"( attenscope describe --text "the river bank"
 attenscope describe --text 早上好 --step scores --row 早 --column 上 --language zh)",
        .environment = "LC_ALL, LC_MESSAGES, LANG: the language of the text; zh... is Chinese, all else English.",
    },
    declare_describe,
};

}  // namespace app
