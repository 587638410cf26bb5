#include "app/cli/next_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "app/cli/columns.h"
#include "app/cli/document_arguments.h"
#include "app/cli/long_run.h"
#include "app/cli/next_report.h"
#include "app/cli/output.h"
#include "app/cli/parser.h"
#include "core/io/safe_text.h"
#include "core/model/model.h"

namespace app {
namespace {

constexpr int kNotSet = -1, kMostShown = 1000, kMostSampled = 32, kMostLikely = 4096;
constexpr std::string_view kPurpose = "predict from";

struct NextOptions {
    DocumentArguments document;
    int top = 10, at = 0, sample = 0, top_k = kNotSet, seed = kNotSet;
    std::optional<float> temperature, top_p;
    std::string target;
    bool lens = false, json = false;
};

attn::Sampling sampling_of(const NextOptions& options) {
    attn::Sampling out;
    out.words = options.sample;
    out.draw = options.temperature || options.top_p || options.top_k != kNotSet || options.seed != kNotSet;
    out.temperature = options.temperature.value_or(out.temperature);
    out.top_p = options.top_p.value_or(out.top_p);
    if (options.top_k != kNotSet) out.top_k = options.top_k;
    if (options.seed != kNotSet) out.seed = static_cast<std::uint64_t>(options.seed);
    return out;
}

/// For an encoder and decoder: words are generated after the start token, until it ends or there are enough.
Exit run_written(const NextOptions& options, attn::Document document, Streams& streams) {
    const attn::Document original = document;
    const attn::Sampling how = sampling_of(options);
    auto run = run_watched(document, streams);
    if (!run) return fail(streams, Exit::BadInput, run.error());
    tell_notes(streams, *run);
    if (const auto none = no_text(*run, kPurpose)) return fail(streams, Exit::BadInput, *none);
    const bool goes_on = attn::Writing::suits(run->config);
    attn::Writing writing(*run, how);
    std::vector<attn::SampledWord> words;
    for (int time = 0; time < how.words; ++time) {
        words.push_back(goes_on ? writing.next() : attn::predict_written(*run, how, time));
        if (attn::ends_with(document, words.back().word) || time + 1 == how.words) break;
        document = attn::with_written(std::move(document), words.back().word.id);
        // There may be no room for more; keep what has been written.
        if (const auto wrong = attn::problems(document); !wrong.empty()) {
            note(streams, fmt::format("written are {} of {}: {}", words.size(), how.words, wrong.front().text()));
            break;
        }
        if (goes_on) continue;
        auto longer = run_watched(document, streams);
        if (!longer) return fail(streams, Exit::BadInput, longer.error());
        *run = std::move(*longer);
    }
    const std::string text = text_of(original, words);
    return write_output(streams, "", options.json ? sampled_json(text, words) : sampled_text(text, words), Content::Text);
}

Exit run_sampled(const NextOptions& options, const attn::Document& document, Streams& streams) {
    if (attn::writes_of_source(document)) return run_written(options, document, streams);
    const auto longer = attn::going_on(document, sampling_of(options));
    if (!longer) return fail(streams, Exit::BadInput, longer.error());
    auto run = run_watched(*longer, streams);
    if (!run) return fail(streams, Exit::BadInput, run.error());
    tell_notes(streams, *run);
    if (const auto none = no_text(*run, kPurpose)) return fail(streams, Exit::BadInput, *none);
    auto words = attn::sampled_words(run->trace, options.sample);
    if (document.model && !document.model->ends.empty()) {
        const auto end = std::find_if(words.begin(), words.end(), [&](const attn::SampledWord& one) { return attn::ends_with(document, one.word); });
        if (end != words.end()) words.erase(end + 1, words.end());
    }
    const std::string text = text_of(document, words);
    return write_output(streams, "", options.json ? sampled_json(text, words) : sampled_text(text, words),
                        Content::Text);
}

Exit run_next(const NextOptions& options, Streams& streams) {
    auto document = load_document(options.document, streams.in);
    if (!document) return fail(streams, Exit::BadInput, document.error());
    if (options.sample > 0) return run_sampled(options, *document, streams);
    *document = attn::for_prediction(std::move(*document));
    auto run = run_watched(*document, streams);
    if (!run) return fail(streams, Exit::BadInput, run.error());
    tell_notes(streams, *run);
    if (const auto none = no_text(*run, kPurpose)) return fail(streams, Exit::BadInput, *none);
    if (attn::logits_step(run->trace) == attn::kNoStep) return fail(streams, Exit::BadInput, says_no_words(*run));
    const auto places = requested_places(options.at, *document, *run);
    if (!places) return fail(streams, Exit::BadInput, places.error());
    const auto target = options.target.empty() ? std::nullopt : find_word(run->trace, options.target);
    if (!options.target.empty() && !target) return fail(streams, Exit::BadInput, no_such_word(options.target, "--target"));
    const auto said = expectations(*run, *places, options.top, options.lens, target);
    if (options.lens && said.front().layers.empty())
        return fail(streams, Exit::BadInput,
                    "the form has no layers to look behind; --lens is for encoder, decoder and generate");
    return write_output(streams, "", options.json ? expected_json(said) : expected_text(said, options.document.counts_from(*document)), Content::Text);
}

void declare_sampling(Parser& parser, NextOptions& options) {
    parser.add({.name = "--sample",
                .value = "N",
                .help = "Adds N tokens to the text, one at a time, the likeliest each time.",
                .check = whole_between(1, kMostSampled),
                .excludes = {"--at", "--lens"}},
               options.sample);
    parser.add({.name = "--temperature",
                .value = "T",
                .help = "Draws, with the logits divided by T (1 where nothing is said).",
                .check = number_between(0, std::numeric_limits<float>::max()),
                .needs = {"--sample"}},
               options.temperature);
    parser.add({.name = "--top-k",
                .value = "K",
                .help = "Draws among the K likeliest.",
                .check = whole_between(0, kMostLikely),
                .needs = {"--sample"}},
               options.top_k);
    parser.add({.name = "--top-p",
                .value = "P",
                .help = "Draws among the likeliest that together reach P.",
                .check = number_between(0, 1),
                .needs = {"--sample"}},
               options.top_p);
    parser.add({.name = "--seed",
                .value = "SEED",
                .help = "Draws with this seed (1 where nothing is said): the same seed, the same tokens.",
                .check = whole_between(0, std::numeric_limits<int>::max()),
                .needs = {"--sample"}},
               options.seed);
}

Runner declare_next(Parser& parser) {
    const auto options = std::make_shared<NextOptions>();
    declare_document(parser, options->document);
    parser.add(
        {.name = "--top", .value = "K", .help = "The number of tokens to list (10).", .check = whole_between(1, kMostShown)},
        options->top);
    parser.add({.name = "--at",
                .value = "PLACE",
                .help = "At this token of the text, from 1, instead of the last one or [MASK].",
                .check = whole_between(1, static_cast<int>(attn::kMaxTokens))},
               options->at);
    parser.add({.name = "--lens", .help = "And after each layer: the logit lens."}, options->lens);
    parser.add({.name = "--target", .value = "TOKEN", .help = "With the lens: how probable this token is after each layer, and its rank.", .needs = {"--lens"}},
               options->target);
    declare_sampling(parser, *options);
    parser.add({.name = "--json", .help = "An object in JSON."}, options->json);
    return [options](Streams& streams) { return run_next(*options, streams); };
}

}  // namespace

const Command kNextCommand = {
    {
        .name = "next",
        .summary = "says which token a model expects",
        .synopsis = " attenscope next [OPTIONS] [FILE]",
        .description =
            R"(The likeliest tokens with their probability (softmax of the logits) and their id, the row of the vocabulary. A model whose tokens see only those before them predicts what comes after the text; one like BERT predicts the token at each [MASK]. --at names another position.

--sample adds tokens, as the form "generate" does, with its cache: the likeliest each time, or sampled if a temperature, a top-k, a top-p or a seed is given; the text of a checkpoint ends with a token that its files name (`eos_token_id`). An encoder and decoder (T5, Marian) writes what follows of the sentence behind its start token, until it ends; the small translation behind the word that says the language (--set text=zh; fr without it). For each token, the output has the model's own probability (temperature 1, nothing cut off) and the probability with which it was drawn.

In JSON: `expected`, one object a place with `place` (from 1), `token`, `masked`, `words` (`id`, `text`, `probability`, `logit`) and with --lens `lens` (`layer`: how many were passed through, and `words`) and with --target `target` (`id`, `text`, and its `lens`: `layer`, `probability`, `rank`); with --sample `text` and `words`, each with `drawn_by` too.

--lens is the logit lens: what each layer leaves of the token's row goes through the final norm and the matrix of the words, as what the last layer leaves does; the last line is the model's answer. It says what the model would answer if it ended there. It does not say what a layer knows or does: the layers in between were never trained to be read that way, other directions of the row are not seen at all, and in many models the first layers read as noise.)",
        .examples = R"( attenscope next --model ./gpt2 --text "Attention is all you"
 attenscope next --model ./bert --text "the [MASK] sat down" --top 5
 attenscope next --model ./gpt2 --text "The cat" --sample 8 --temperature 0.8 --top-p 0.9 --seed 7
 attenscope next --model induction --text "k q b z k q b" --lens
 attenscope next --model language --text "the river" --lens --target bank
 attenscope next --model translation --text "the small girl saw a black cat ." --sample 9)",
    },
    declare_next,
};

}  // namespace app
