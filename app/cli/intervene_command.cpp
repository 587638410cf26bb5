#include "app/cli/intervene_command.h"

#include <fmt/format.h>

#include <chrono>
#include <memory>

#include "app/cli/document_arguments.h"
#include "app/cli/intervention_report.h"
#include "app/cli/long_run.h"
#include "app/cli/output.h"
#include "app/cli/parser.h"
#include "app/cli/step_arguments.h"

namespace app {
namespace {

constexpr int kMostPlaces = 10000;
constexpr double kLongSweep = 3;  ///< seconds
constexpr std::string_view kResample = "resample";

struct InterveneOptions {
    DocumentArguments document;
    WordOptions word;
    std::string what, by, from;  ///< by: empty where only another text can be put
    std::vector<std::string> places;
    int top = 10;
    bool estimate = false, json = false;

    attn::PutBy put_by() const {
        if (!from.empty()) return attn::PutBy::Text;  // also --by resample
        const auto* const at = std::find(attn::kPutBy.begin(), attn::kPutBy.end(), by);
        return at == attn::kPutBy.end() ? attn::PutBy::Zero : static_cast<attn::PutBy>(at - attn::kPutBy.begin());
    }
    /// Null: nothing is forced into a pattern.
    const attn::PatternRule* rule() const { return attn::rule_of(put_by()); }
};

/// What can be put there: the last ones are patterns for a head's weights.
std::vector<std::string_view> ways_to_put() {
    std::vector<std::string_view> out = {"zero", "mean", kResample};
    for (const attn::PatternRule& rule : attn::kPatternRules) out.push_back(rule.id);
    return out;
}

attn::Site site_named(std::string_view id) {
    const auto found = std::find(attn::kSites.begin(), attn::kSites.end(), id);
    return static_cast<attn::Site>(found - attn::kSites.begin());
}

/// A rule is for a head's weights, which is what is meant by the head as well; other places have no pattern.
attn::Result<attn::Site> site_for(const InterveneOptions& options, attn::Site at) {
    if (!options.rule()) return at;
    if (attn::is_of_a_head(at)) return attn::Site::Pattern;
    return wrong_option("--by", fmt::format("{} is a pattern for the weights of a head, and {} has none: choose --what head or --place \"head LAYER.HEAD\", or --by zero, mean or resample",
                                            options.by, attn::site_id(at)));
}

/// The interventions at the places given with --place.
attn::Result<std::vector<attn::Intervention>> named_places(const InterveneOptions& options, const attn::Document& document) {
    std::vector<attn::Intervention> out;
    const attn::CountFrom count = options.document.counts_from(document);
    for (const std::string& place : options.places) {
        auto put = attn::intervention_at(place, count);
        if (!put) return put.error();
        if (auto wrong = attn::wrong_place(document, *put, count)) return wrong_option("--place", std::move(*wrong));
        const auto site = site_for(options, put->at);
        if (!site) return site.error();
        put->at = *site;
        put->by = options.put_by();
        put->text = options.from;
        out.push_back(std::move(*put));
    }
    return out;
}

struct Started {
    attn::Document document;
    attn::Run run;
    TargetWord target;
    attn::OtherRuns others;
};

/// Runs the document, and the source text of patching.
attn::Result<Started> start(const InterveneOptions& options, attn::Document document, Streams& streams) {
    Started out{.document = attn::for_prediction(std::move(document)), .run = {}, .target = {}, .others = {}};
    auto run = run_watched(out.document, streams);
    if (!run) return run.error();
    out.run = std::move(*run);
    tell_notes(streams, out.run);
    auto target = target_word(options.word, out.document, out.run);
    if (!target) return target.error();
    out.target = std::move(*target);
    if (options.from.empty()) return out;
    auto other = run_watched(attn::patched_from(out.document, options.from), streams);
    if (!other) return other.error();
    const auto read = [](const attn::Run& of) { return of.trace.source_tokens.empty() ? of.trace.tokens : of.trace.source_tokens; };
    if (read(*other) == read(out.run)) return wrong_option("--from", "it has the same tokens as the text, so nothing would change: write it with another word");
    out.others[options.from] = std::make_shared<const attn::Run>(std::move(*other));
    return out;
}

attn::Result<SweepReport> sweep(const InterveneOptions& options, const Started& started, Streams& streams) {
    SweepReport out{.target = started.target, .by = options.put_by(), .from = options.from, .here = attn::logit_of(started.run.trace, started.target.word()), .there = {}, .places = {}, .count = options.document.counts_from(started.document)};
    const auto site = site_for(options, site_named(options.what));
    if (!site) return site.error();
    const std::vector<attn::Intervention> places = attn::places_of(started.document, started.run, *site, out.by, options.from);
    const auto begun = std::chrono::steady_clock::now();
    for (const attn::Intervention& put : places) {
        const auto run = run_watched(attn::with_intervention(started.document, put), streams, started.others);
        if (!run) return run.error();
        out.places.push_back({put, attn::logit_of(run->trace, started.target.word()), {}});
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
        const double all = took.count() * static_cast<double>(places.size());
        if (out.places.size() == 1 && all > kLongSweep) note(streams, fmt::format("{} computations, about {:.0f} s; Ctrl+C stops it", places.size(), all));
    }
    // Only now: the first run refuses a text of another length, which lacks this row.
    if (!options.from.empty() && options.by != kResample) out.there = attn::logit_of(started.others.at(options.from)->trace, started.target.word());
    if (!options.estimate) return out;
    const attn::Attribution base{.of = started.target.word(), .logits = attn::summed_logits(started.run.trace), .parts = {}};
    const auto estimates = attn::estimated_changes(started.document, started.run, base, places, {}, started.others);
    if (!estimates) return estimates.error();
    for (std::size_t i = 0; i < out.places.size(); ++i) out.places[i].estimate = (*estimates)[i];
    return out;
}

Exit run_intervene(const InterveneOptions& options, Streams& streams) {
    if (options.by == kResample && options.from.empty())
        return fail(streams, Exit::BadInput, wrong_option("--by", "resample puts what the model makes of another text there: name one of as many tokens with --from"));
    if (const auto site = site_for(options, site_named(options.what)); options.places.empty() && !site) return fail(streams, Exit::BadInput, site.error());
    if (options.by != kResample && !options.by.empty() && !options.from.empty())
        return fail(streams, Exit::BadInput, wrong_option("--from", "another text is put there with --by resample"));
    auto document = load_document(options.document, streams.in);
    if (!document) return fail(streams, Exit::BadInput, document.error());
    const auto put = named_places(options, *document);
    if (!put) return fail(streams, Exit::BadInput, put.error());
    const auto started = start(options, std::move(*document), streams);
    if (!started) return fail(streams, Exit::BadInput, started.error());
    if (put->empty()) {
        const auto report = sweep(options, *started, streams);
        if (!report) return fail(streams, Exit::BadInput, report.error());
        return write_output(streams, "", options.json ? sweep_json(started->run.trace, *report) : sweep_text(started->run.trace, *report, options.top), Content::Text);
    }
    attn::Document changed = started->document;
    changed.interventions.insert(changed.interventions.end(), put->begin(), put->end());
    const auto after = run_watched(changed, streams, started->others);
    if (!after) return fail(streams, Exit::BadInput, after.error());
    ChangeReport report = change_report(started->run, *after, started->target, *put, options.top);
    report.count = options.document.counts_from(started->document);
    return write_output(streams, "", options.json ? change_json(started->run.trace, report) : change_text(report), Content::Text);
}

void declare_common(Parser& parser, const std::shared_ptr<InterveneOptions>& options, std::string_view usual) {
    declare_word(parser, options->word);
    options->what = usual;
    parser.add({.name = "--what", .value = "WHAT",
                .help = fmt::format("Each of these separately ({}): head, its pattern (the weights), attention, feed_forward or layer of each layer, residual (each depth and token).", usual),
                .choices = {attn::kSites.begin(), attn::kSites.end()}},
               options->what);
    parser.add({.name = "--place", .value = "PLACE",
                .help = "Not each, but this one, before and after: \"head 2.3\", \"feed_forward 1\", \"residual 0 @4,5\", \"attention 1 of encoder\"; repeated: all at once.",
                .excludes = {"--what", "--first-order"}},
               options->places);
}

void declare_end(Parser& parser, const std::shared_ptr<InterveneOptions>& options) {
    parser.add({.name = "--first-order", .help = "Beside each what one reverse pass says of it: attribution patching."}, options->estimate);
    parser.add({.name = "--top", .value = "K", .help = "So many places, or tokens before and after, are listed (10).", .check = whole_between(1, kMostPlaces)}, options->top);
    parser.add({.name = "--json", .help = "An object in JSON: all places."}, options->json);
}

Runner declare_ablate(Parser& parser) {
    const auto options = std::make_shared<InterveneOptions>();
    declare_document(parser, options->document);
    declare_common(parser, options, "head");
    options->by = "zero";
    parser.add({.name = "--by", .value = "BY", .help = "zero; mean: of its rows in this text, by which what all tokens have in common stays; resample: what the model makes of another text (--from); "
                        "or a pattern for a head's weights: uniform (over the keys that the mask leaves), previous, first or self (all on that token).",
                .choices = ways_to_put()},
               options->by);
    parser.add({.name = "--from", .value = "TEXT", .help = "The text of --by resample, of as many tokens."}, options->from);
    declare_end(parser, options);
    return [options](Streams& streams) { return run_intervene(*options, streams); };
}

Runner declare_patch(Parser& parser) {
    const auto options = std::make_shared<InterveneOptions>();
    declare_document(parser, options->document);
    parser.add({.name = "--from", .value = "TEXT", .help = "What is put there comes from this text, of as many tokens.", .required = true}, options->from);
    declare_common(parser, options, "residual");
    declare_end(parser, options);
    return [options](Streams& streams) { return run_intervene(*options, streams); };
}

}  // namespace

const Command kAblateCommand = {
    {
        .name = "ablate",
        .summary = "computes without a part of a model, and says what changes",
        .synopsis = " attenscope ablate [OPTIONS] [FILE]",
        .description =
            R"(Puts zeros, the mean over the tokens, what the model makes of an unrelated text (--by resample --from TEXT; Chan et al. 2022, Causal Scrubbing) or a fixed pattern in the place of one part after the other (each head unless --what says otherwise), computes all that follows again, and tells by how much the logit of a token, or the difference of two, is changed: a map of layers by heads, or by tokens for the residual stream, and the places that change most. Negative: the part speaks for the token.

With --place nothing is swept: what is named is replaced, all of it at once, and the output has the prediction before and after, with the logit of each token, its change, and the Kullback-Leibler divergence of the two. A document can hold the same (`interventions`), so that a head that is off stays off in the window, in links and for all other commands.

A head can also be forced to look where a rule says (--by uniform, previous, first or self): its weights are replaced, and the values that they mix stay what they are. What is no head has no pattern; cross-attention has uniform and first alone.

--first-order tells beside each change what the gradient says of it, (what is put there − what is there) · ∂logit, from one reverse pass; where the two differ what follows is not linear.

In JSON: `tokens`, `place` (from 1), `token`, `target` and `against` (`id`, `text`), `by`, `logit`, and `places`, each with its `intervention` as a document holds it, `logit`, `change` and `first_order`; with --place `interventions`, `logit`, `logit_after`, `kl_divergence` and `words`.)",
        .examples = R"( attenscope ablate --model ./gpt2 --text "The capital of France is" --target " Paris"
 attenscope ablate --model induction --text "k q b z k q b" --by mean --first-order
 attenscope ablate --model induction --text "k q b z k q b" --place "head 1.1"
 attenscope ablate --model induction --text "k q b z k q b" --by resample --from "z z k b q k q"
 attenscope ablate --model induction --text "k q b z k q b" --by uniform
 attenscope ablate --model translation --text "the small girl saw a black cat ." --what feed_forward)",
    },
    declare_ablate,
};

const Command kPatchCommand = {
    {
        .name = "patch",
        .summary = "puts another text's numbers into a computation, and says what changes",
        .synopsis = " attenscope patch [OPTIONS] --from TEXT [FILE]",
        .description =
            R"(Activation patching: what the same model makes of another text of as many tokens is put in the place of what it makes of this one, at one place after the other, and all that follows is computed again. It tells how much of the way from this text's logit to the other's there is then: 0 is none, 1 all of it; so it says where what decides between the two texts is at each depth. The residual stream after each layer (0: before the first) at each token unless --what says otherwise; with --against it is the difference of two logits, which is the usual measure.

--place, --first-order (attribution patching) and the JSON are those of `attenscope ablate`, with `logit_of_text` and each place's `recovered` besides (Vig et al. 2020; Meng et al. 2022; Nanda 2023).)",
        .examples = R"( attenscope patch --model ./gpt2 --text "When Mary and John went to the store, John gave a drink to" \
   --from "When Mary and John went to the store, Mary gave a drink to" --target " Mary" --against " John"
 attenscope patch --model induction --text "k q b z k q b" --from "k q b z q k b" --what head
 attenscope patch --model induction --text "k q b z k q b" --from "k q b z q k b" --place "residual 1 @6")",
    },
    declare_patch,
};

}  // namespace app
