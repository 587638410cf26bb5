#include "app/cli/heads_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <set>

#include "app/cli/document_arguments.h"
#include "app/cli/head_maps.h"
#include "app/cli/head_table.h"
#include "app/cli/long_run.h"
#include "app/cli/output.h"
#include "app/cli/parser.h"
#include "app/cli/repeated_text.h"
#include "core/analysis/through_layers.h"
#include "core/io/safe_text.h"
#include "core/model/model.h"
#include "core/train/task_texts.h"
#include "core/train/tasks.h"

namespace app {
namespace {

namespace train = attn::train;

constexpr const char* kNoMaps = "this form holds no weights between tokens of texts";

struct HeadsOptions {
    DocumentArguments document;
    int seed = 1;
    std::string through, measure, texts;
    bool json = false;
};

/// Measures what the heads of a model trained here do on unseen examples. Empty: it was not trained here, or its texts
/// are missing, which is reported.
std::string task_tables(const attn::Model& model, Streams& streams) {
    const train::Task* task = train::task_of(model);
    if (!task) return "";
    const train::TaskOptions options = train::options_of(*task, model);
    if (const auto packages = train::missing(*task, options); !packages.empty()) {
        note(streams, fmt::format("what it was trained for is not measured: its texts are not installed (apt-get install {})", fmt::join(packages, " ")));
        return "";
    }
    const auto weights = task->weights(model);
    if (!weights) note(streams, "what it was trained for is not measured: " + weights.error().text());
    return weights ? "\n" + task->table(options, *weights) : "";
}

/// Uses each line of the file in place of the document's text.
Exit run_over_texts(const HeadsOptions& options, Streams& streams) {
    if (options.texts == "-" && options.document.file == "-")
        return fail(streams, Exit::BadInput, {"document and texts cannot both come from standard input", "", "", 0});
    const auto document = load_document(options.document, streams.in);
    if (!document) return fail(streams, Exit::BadInput, document.error());
    const auto texts = texts_from(options.texts, streams.in);
    if (!texts) return fail(streams, Exit::BadInput, texts.error());
    attn::HeadsOverTexts over;
    std::set<std::string> unknown;
    std::size_t cut = 0, tokens = 0;
    for (const std::string& text : *texts) {
        attn::Document one = *document;
        train::give_task_sentence(one, text);
        const auto wrong = attn::problems(one);
        const auto made = wrong.empty() ? run_watched(one, streams) : attn::Result<attn::Run>(wrong.front());
        if (!made) {
            attn::Error error = made.error();
            error.where = attn::visible_text(text);
            return fail(streams, Exit::BadInput, error);
        }
        over.add(made->trace);
        unknown.insert(made->unknown.begin(), made->unknown.end());
        tokens += made->trace.tokens.size();
        cut += made->cut ? 1 : 0;
    }
    if (over.heads().empty()) return fail(streams, Exit::BadInput, kNoMaps);
    note(streams, fmt::format("measured on {} texts of {} tokens in all", texts->size(), tokens));
    if (cut > 0) note(streams, fmt::format("{} of the texts are long: only the first {} tokens of each are used", cut, attn::kMaxTokens));
    if (!unknown.empty()) note(streams, fmt::format("the model does not know {} of their words: {}", unknown.size(), fmt::join(unknown, ", ")));
    return write_output(streams, "", options.json ? texts_json(over) : texts_table(over, options.document.counts_from(*document)), Content::Text);
}

Exit run_heads(HeadsOptions options, Streams& streams) {
    if (!options.texts.empty()) return run_over_texts(options, streams);
    if (names_model_alone(options.document)) {
        const int most = options.through == "flow" ? attn::kMostFlowTokens : std::numeric_limits<int>::max();
        if (const auto done = take_repeated(options.document, options.seed, most); !done) return fail(streams, Exit::BadInput, done.error());
        note(streams, fmt::format("measured on random words of the model, repeated once (seed {}); --text takes a text", options.seed));
    }
    auto document = load_document(options.document, streams.in);
    if (!document) return fail(streams, Exit::BadInput, document.error());
    const auto run = run_watched(*document, streams);
    if (!run) return fail(streams, Exit::BadInput, run.error());
    tell_notes(streams, *run);
    if (const auto none = no_text(*run, "measure heads on")) return fail(streams, Exit::BadInput, *none);
    const AtEndTellChecked checked(streams, *run);
    if (!options.through.empty() || !options.measure.empty()) {
        const auto maps = options.through.empty() ? measure_report(run->trace, *attn::find_measure(options.measure), options.json, options.document.counts_from(*document))
                                                  : through_report(run->trace, *attn::find_through(options.through), options.json);
        if (!maps) return fail(streams, Exit::BadInput, maps.error());
        return write_output(streams, "", *maps, Content::Text);
    }
    const std::vector<attn::HeadRoles> heads = attn::measured_heads(run->trace);
    if (heads.empty())
        return fail(streams, Exit::BadInput, kNoMaps);
    if (options.json) return write_output(streams, "", heads_json(run->trace, heads), Content::Text);
    const attn::CountFrom count = options.document.counts_from(*document);
    std::string out = heads_table(heads, count) + heads_ranked(heads, count);
    // Only if the weights are the model's own.
    if (document->model && document->weights == "model") out += task_tables(*document->model, streams);
    return write_output(streams, "", out, Content::Text);
}

Runner declare_heads(Parser& parser) {
    const auto options = std::make_shared<HeadsOptions>();
    declare_document(parser, options->document);
    declare_seed(parser, options->seed);
    parser.add({.name = "--through", .value = "HOW", .help = "One map of all layers instead: rollout, flow or average.",
                .choices = {"rollout", "flow", "average"}, .excludes = {"--measure"}},
               options->through);
    parser.add({.name = "--measure", .value = "WHAT", .help = "Each head's map instead: weight, norm (of what it adds) or part (of the output).",
                .choices = {"weight", "norm", "part"}},
               options->measure);
    parser.add({.name = "--texts", .value = "FILE", .help = "Measures many texts, one per line of FILE: means and deviations; \"-\": standard input.",
                .excludes = {"--text", "--through", "--measure"}},
               options->texts);
    parser.add({.name = "--json", .help = "An object in JSON: the tokens, the definitions, each head's shares; or the maps."}, options->json);
    return [options](Streams& streams) { return run_heads(*options, streams); };
}

}  // namespace

const Command kHeadsCommand = {
    {
        .name = "heads",
        .summary = "measures what each head does",
        .synopsis = " attenscope heads [OPTIONS] [FILE]",
        .description =
            R"(For each head of FILE's computation the fraction of its weight that lies where simple roles would put it, each a mean over the rows of the text: on the token before (previous), on the token itself (same), on the token after (next), on the first token (first), on earlier copies of the same token (duplicate), on what follows these (induction), on punctuation and separators other than the first token (delimiter); and how far the weight is spread: the entropy of a row by its largest, 1 where it is even (spread). A role is counted in the rows in which it has a token to look at; a row that may look at one token alone, or at none, is counted in no role. "By chance" is what the role had in the same rows if each row's weight were shared equally by all that the mask lets it look at. Of cross-attention, whose queries and keys are of two texts, there are only first and spread. Below, the heads that have most of each. A share says where a head looked in this text; what it is for, it does not say.

With --model and no text the text is random words of the model's vocabulary, repeated once: what comes back in it has no meaning to go by, so that a head that looks at what followed a token's earlier copy (induction) shows.

--through tells all layers in one map: what of each token (column) arrives at each token behind the last layer (row). rollout multiplies the layers' maps, each the mean of its heads with ½ W + ½ I for the residual connection; flow is the largest flow through the same numbers as capacities, for texts of up to 48 tokens (both Abnar and Zuidema 2020); average is the mean of all maps. None of them sees what values, norms and feed-forward layers do.

--measure tells each head's map in another number than the weight: norm is ‖α f(v)‖, f(v) being the value through the head's rows of W_O (Kobayashi et al. 2020); part is α f(v)·y / ‖y‖², its share of the output y of all heads, below 0 where it points against it: all heads and keys of a query add up to 1.

--texts measures the heads on each line of a file, with one load of the model: of each role the mean over the texts that have it, and the standard deviation between texts. Below stands the mean weight by how many tokens back the key is, over all pairs that a query may look at.

With a model trained on a task (`attenscope list tasks`), its task is measured as well, on examples that it was not trained on. For a model whose heads were trained on questions: each relation's share of weight on its own head, beside chance, and how many answers are right with the head and without it. "resting" is how much of the weight of words without an answer lies on themselves or on the first word.)",
        .examples = R"( attenscope heads --set model=questions --text "the tired cat sat down"
 attenscope heads --model ./gpt2
 attenscope heads --model ./vit --picture cat.png
 attenscope heads --model ./gpt2 --text "the tired cat sat down" --json
 attenscope heads --model language --text "the river bank" --through rollout
 attenscope heads --model ./gpt2 --texts sentences.txt
 attenscope heads --set heads=4 --set weights=random --measure norm)",
    },
    declare_heads,
};

}  // namespace app
