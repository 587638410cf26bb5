#include "app/cli/attribute_command.h"

#include <algorithm>
#include <memory>

#include "app/cli/attribution_report.h"
#include "app/cli/document_arguments.h"
#include "app/cli/long_run.h"
#include "app/cli/output.h"
#include "app/cli/parser.h"
#include "app/cli/step_arguments.h"
#include "core/analysis/integrated.h"

namespace app {
namespace {

constexpr int kMostParts = 10000;
constexpr int kMostNeurons = 1000, kWordsOfANeuron = 5;
constexpr int kMostPoints = 10000;

struct AttributeOptions {
    DocumentArguments document;
    WordOptions word;
    std::string measure = "direct", baseline;  ///< baseline: empty where it was not given
    int top = 15, neurons = 0, points = 0;     ///< points: 0 where they were not given
    bool json = false;

    bool integrates() const { return measure == "integrated"; }
    /// An option of integrated gradients that was given for another measure.
    std::optional<attn::Error> misplaced() const {
        if (integrates() || (baseline.empty() && points == 0)) return std::nullopt;
        return wrong_option(baseline.empty() ? "--points" : "--baseline", "it is for integrated gradients alone: add --measure integrated, or leave it out");
    }
};
constexpr std::string_view kUsualBaseline = "mean";
constexpr int kUsualPoints = 32;

/// Integrated gradients: Ctrl+C stops each of their runs.
attn::Result<AttributionReport> integrated_report(const AttributeOptions& options, const attn::Document& document, const attn::Run& run, AttributionReport out,
                                                  Streams& streams) {
    const std::string baseline = options.baseline.empty() ? std::string(kUsualBaseline) : options.baseline;
    const auto by = baseline == "zero" ? attn::PutBy::Zero : attn::PutBy::Mean;
    const auto compute = [&](const attn::Document& on_the_way, const attn::OtherRuns& others) { return run_watched(on_the_way, streams, others); };
    auto made = attn::integrated_gradients(document, run, out.target.word(), by, options.points == 0 ? kUsualPoints : options.points, compute);
    if (!made) return made.error();
    out.logit = made->logit;
    out.baseline = made->baseline;
    out.baseline_name = baseline;
    out.sum = made->sum();
    out.parts = std::move(made->parts);
    return out;
}

attn::Result<AttributionReport> report_of(const AttributeOptions& options, const attn::Document& document, const attn::Run& run, Streams& streams) {
    auto target = target_word(options.word, document, run);
    if (!target) {
        // Whoever is asked for a place should not be told at that place that no place has parts.
        if (!options.integrates() && attn::summed_logits(run.trace) != attn::kNoStep)
            if (const auto none = attn::attribute(run, {}); !none) return none.error();
        return target.error();
    }
    AttributionReport out{.target = std::move(*target), .sum = {}, .measure = options.measure, .parts = {}};
    out.count = options.document.counts_from(document);
    if (options.integrates()) return integrated_report(options, document, run, std::move(out), streams);
    auto made = attn::attribute(run, out.target.word(), options.neurons > 0);
    if (!made) return made.error();
    out.logit = made->logit;
    out.capped = made->capped(run.trace);
    if (options.measure == "gradient") {
        out.parts = attn::gradient_times_value(run, *made);
        return out;
    }
    out.sum = made->sum();
    out.neurons = attn::top_neurons(run.trace, *made, options.neurons);
    out.readings = attn::neuron_words(run, out.neurons, kWordsOfANeuron);
    out.parts = std::move(made->parts);
    return out;
}

Exit run_attribute(const AttributeOptions& options, Streams& streams) {
    if (const auto misplaced = options.misplaced()) return fail(streams, Exit::Usage, *misplaced);
    auto document = load_document(options.document, streams.in);
    if (!document) return fail(streams, Exit::BadInput, document.error());
    *document = attn::for_prediction(std::move(*document));
    const auto run = run_watched(*document, streams);
    if (!run) return fail(streams, Exit::BadInput, run.error());
    tell_notes(streams, *run);
    const auto report = report_of(options, *document, *run, streams);
    if (!report) return fail(streams, Exit::BadInput, report.error());
    return write_output(streams, "", options.json ? attribution_json(run->trace, *report) : attribution_text(run->trace, *report, options.top), Content::Text);
}

Runner declare_attribute(Parser& parser) {
    const auto options = std::make_shared<AttributeOptions>();
    declare_document(parser, options->document);
    declare_word(parser, options->word);
    parser.add({.name = "--measure", .value = "WHAT",
                .help = "direct (what each part adds), gradient (gradient × value of each head), or integrated (integrated gradients of each token).",
                .choices = {"direct", "gradient", "integrated"}},
               options->measure);
    parser.add({.name = "--baseline", .value = "FROM", .help = "Where integrated gradients begin: the mean of the text's vectors, or zero.",
                .choices = {"mean", "zero"}},
               options->baseline);
    parser.add({.name = "--points", .value = "N", .help = "So many runs on the way of integrated gradients (32).", .check = whole_between(1, kMostPoints)},
               options->points);
    parser.add({.name = "--top", .value = "K", .help = "So many parts are listed (15).", .check = whole_between(1, kMostParts)}, options->top);
    parser.add({.name = "--neurons", .value = "K", .help = "The K neurons of the feed-forward layers that have most in it, too, and what each says of all tokens.",
                .check = whole_between(1, kMostNeurons), .excludes = {"--measure"}},
               options->neurons);
    parser.add({.name = "--json", .help = "An object in JSON: all parts, and each head's source tokens."}, options->json);
    return [options](Streams& streams) { return run_attribute(*options, streams); };
}

}  // namespace

const Command kAttributeCommand = {
    {
        .name = "attribute",
        .summary = "says which parts of a model speak for a token",
        .synopsis = " attenscope attribute [OPTIONS] [FILE]",
        .description =
            R"(Takes a token's logit apart (direct logit attribution): what the token's and the place's embedding, each head of each layer, the bias of W_O, each feed-forward layer and its bias, the bias of the last norm and that of the output matrix add to it. With --against the difference of two logits, which says what decides between the two; a single logit holds much that all tokens have in common. Parts are listed by size, with the source tokens that a head took most of it from; then layers by heads.

What blocks add up to goes through one last norm and the output matrix. The norm's scale is held as it is in this run; then the logit is a sum, and each part's number is its vector times the token's column, seen through the norm: x · C(γ ⊙ w)/σ, C taking the mean off. A source token j has α_ij (v_j W_O) of its head. Norms of what a layer made (OLMo 2, Gemma 2) and of sums (post-norm) are held in the same way, and where logits are capped it is the number below the cap that is taken apart (Elhage et al. 2021, A Mathematical Framework for Transformer Circuits; nostalgebraist 2020; as in TransformerLens). It says what a part adds to this token by the straight way. It does not say what later layers make of it: the head that an induction head reads has next to nothing by itself.

--neurons takes the feed-forward layers apart further: a neuron's part is its activation, which is what W_down reads, times its row of W_down, seen through the norm in the same way. What it speaks for and against are the tokens that its row (times the sign of the activation) raises and lowers most, the last norm's γ in it, its scale not.

--measure gradient follows these ways, too, to first order: for each head and source token j the sum over all rows i of α_ij v_j times the slope of the logit in the head's output. It has no sum. `attenscope ablate` computes it all again without each head.

--measure integrated says it of the text's tokens, through all layers (integrated gradients, Sundararajan et al. 2017): the vectors that enter the first block are moved straight from a baseline to what they are, and each token has the integral of the slope along its part of the way. The numbers sum to the logit less that at the baseline; what is missing is the error of the integral, and more --points make it smaller. The baseline is the mean of the text's vectors, or zero, from which a model with layer norms needs many points.

Where a layer with an activation is between the last block and the tokens (BERT), a logit is no sum, so that direct, gradient and --neurons are refused; --measure integrated works there, too.

In JSON: `tokens`, `place` (from 1), `token`, `target` and `against` (`id`, `text`), `measure`, `logit`, `capped`, `sum` (not of gradient), `baseline` and `logit_of_baseline` (integrated), and `parts` in the order of the computation, each with `part`, `step`, `layer`, `head`, `value`, and of a head `sources`, one number a token of `of`; with --neurons `neurons`, each with `layer`, `neuron` (from 1), `activation`, `value`, and `most` and `least`: the tokens (`id`, `text`, `value`) for an activation of 1.)",
        .examples = R"( attenscope attribute --model ./gpt2 --text "When Mary and John went to the store, John gave a drink to" --target Mary --against John
 attenscope attribute --model induction --text "k q b z k q b"
 attenscope attribute --model ./llama --text "The capital of France is" --measure gradient --top 30
 attenscope attribute --model ./gpt2 --text "The capital of France is" --measure integrated
 attenscope attribute --model ./gpt2 --text "The capital of France is" --neurons 20
 attenscope attribute --model translation --text "the small girl saw a black cat ." --json)",
    },
    declare_attribute,
};

}  // namespace app
