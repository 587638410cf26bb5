#include "app/cli/circuits_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "app/cli/circuits_report.h"
#include "app/cli/document_arguments.h"
#include "app/cli/long_run.h"
#include "app/cli/output.h"
#include "app/cli/parser.h"
#include "app/cli/repeated_text.h"
#include "app/cli/step_arguments.h"
#include "core/analysis/prediction.h"
#include "core/io/safe_text.h"

namespace app {
namespace {

constexpr int kMostPairs = 10000;
/// How many of a text's tokens are examined, and for how many tokens each of them speaks.
constexpr int kLookedAt = 16, kSpokenFor = 4;

struct CircuitsOptions {
    DocumentArguments document;
    std::string head;
    int seed = 1, top = 10;
    bool json = false;
};

attn::Result<attn::Tag> head_named(const std::string& text, const std::vector<attn::Tag>& heads, attn::CountFrom count) {
    const auto numbers = attn::read_head_place(text, count);
    if (!numbers || !numbers->layer) return wrong_option("--head", fmt::format("{} is no head; write its layer and its number, as {}", attn::in_quotes(text), attn::head_place_text(0, 0, count)));
    // If two stacks match, the one that predicts words, which comes last.
    for (std::size_t i = heads.size(); i-- > 0;)
        if (heads[i].layer == *numbers->layer && std::max(heads[i].head, 0) == numbers->head) return heads[i];
    return wrong_option("--head", fmt::format("there is no head {}; the last one is {}", attn::in_quotes(text), attn::head_place_text(heads.back().layer, std::max(heads.back().head, 0), count)));
}

/// Rows of the embedding, each once, in the order of the text.
std::vector<int> tokens_looked_at(const attn::Document& document, const attn::Run& run) {
    std::vector<int> out;
    for (const int id : attn::word_rows_of(document, run))
        if (id >= 0 && std::ssize(out) < kLookedAt && std::find(out.begin(), out.end(), id) == out.end()) out.push_back(id);
    return out;
}

/// Everything about one head.
attn::Result<CircuitsReport> report_of_head(const std::string& name, const attn::Document& document, const attn::Run& run, CircuitsReport report) {
    const auto head = head_named(name, attn::circuit_heads(run), report.count);
    if (!head) return head.error();
    auto circuit = attn::head_circuit(run, *head);
    if (!circuit) return circuit.error();
    report.circuits = std::move(*circuit);
    report.circuits.heads.front().copying = attn::copying_score(run, *head);
    report.one_head = true;
    const std::vector<int> tokens = tokens_looked_at(document, run);
    report.moved = attn::moved_words(run, *head, tokens, kSpokenFor);
    report.sought = attn::sought_words(run, *head, tokens, kSpokenFor);
    report.compositions = attn::compositions(run, *head);
    return report;
}

attn::Result<CircuitsReport> report_of_all(const attn::Run& run, CircuitsReport report) {
    auto circuits = attn::head_circuits(run);
    if (!circuits) return circuits.error();
    report.circuits = std::move(*circuits);
    report.compositions = attn::compositions(run);
    return report;
}

Exit run_circuits(CircuitsOptions options, Streams& streams) {
    if (!options.head.empty() && !attn::read_head_place(options.head, attn::CountFrom::Zero))
        return fail(streams, Exit::BadInput, wrong_option("--head", fmt::format("{} is no head; write its layer and its number, as 5.1", attn::in_quotes(options.head))));
    if (names_model_alone(options.document)) {
        if (const auto done = take_repeated(options.document, options.seed, kLookedAt); !done) return fail(streams, Exit::BadInput, done.error());
        if (!options.head.empty()) note(streams, fmt::format("the tokens are random words of the model (seed {}); --text takes a text", options.seed));
    }
    auto document = load_document(options.document, streams.in);
    if (!document) return fail(streams, Exit::BadInput, document.error());
    *document = attn::for_prediction(std::move(*document));
    const auto run = run_watched(*document, streams);
    if (!run) return fail(streams, Exit::BadInput, run.error());
    tell_notes(streams, *run);
    if (const auto wrong = attn::no_circuits(*run)) return fail(streams, Exit::BadInput, *wrong);
    const bool one = !options.head.empty();
    announce_products((one ? 0 : attn::circuits_work(*run)) + attn::compositions_work(*run, one), streams);
    CircuitsReport begun{.circuits = {}, .compositions = {}, .one_head = false, .moved = {}, .sought = {}, .top = options.top, .count = options.document.counts_from(*document)};
    const auto report = one ? report_of_head(options.head, *document, *run, std::move(begun)) : report_of_all(*run, std::move(begun));
    if (!report) return fail(streams, Exit::BadInput, report.error());
    return write_output(streams, "", options.json ? circuits_json(run->trace, *report) : circuits_text(run->trace, *report), Content::Text);
}

Runner declare_circuits(Parser& parser) {
    const auto options = std::make_shared<CircuitsOptions>();
    declare_document(parser, options->document);
    parser.add({.name = "--head", .value = "HEAD", .help = "All of this one: \"5.1\", its layer and its number."}, options->head);
    declare_seed(parser, options->seed);
    parser.add({.name = "--top", .value = "K", .help = "So many pairs of heads are listed for each way to compose (10).", .check = whole_between(1, kMostPairs)}, options->top);
    parser.add({.name = "--json", .help = "An object in JSON: all singular values, all pairs."}, options->json);
    return [options](Streams& streams) { return run_circuits(*options, streams); };
}

}  // namespace

const Command kCircuitsCommand = {
    {
        .name = "circuits",
        .summary = "says what heads do by their weights alone",
        .synopsis = " attenscope circuits [OPTIONS] [FILE]",
        .description =
            R"(Looks at the weights of each head of self-attention, whatever the text. W_OV = W_V W_O says what a head moves: its Frobenius norm, its rank (how many equal singular values would have the same Σσ² and Σσ⁴: (Σσ²)²/Σσ⁴), and its copying score, Σλ/Σ|λ| over the eigenvalues of W_E W_OV W_U, near 1 where each token that is looked at speaks for itself, below 0 where it speaks against itself. W_QK = W_Q W_Kᵀ says what it looks for.

Composition: how much of what one head writes a head of a later layer reads, by its queries (Q) ‖W_OV¹ W_QK²‖ / (‖W_OV¹‖ ‖W_QK²‖), its keys (K) ‖W_OV¹ W_QK²ᵀ‖ / …, or its values (V) ‖W_OV¹ W_OV²‖ / …, in Frobenius norms. By chance it is 1/√d, which matrices with the same singular values have when they are turned at random against each other (root mean square), d the width of the stream, less one where the mean is taken off. An induction head stands out by K with the head that looks at the token before (Elhage et al. 2021, A Mathematical Framework for Transformer Circuits).

The first lines say what is folded into the matrices and what is left out, as that changes every number. γ of the norm that attention reads through is folded in, and so is that a layer norm takes the mean off; the norms' scales, which depend on the text, are not, nor are biases or 1/√d_k; logits are less their mean over all tokens. TransformerLens does the same with fold_ln, center_writing_weights and center_unembed. With RoPE W_QK depends on the distance, and is that of a distance of 0. Where each block normalises its sum (BERT), norms stand between any two heads, and nothing is folded in. Fused matrices (GPT-2's c_attn) are taken apart; heads that share keys and values have the same W_K and W_V.

--head shows one head: all its singular values, the heads that it reads and that read it, and, for the tokens of --text (else random ones of the vocabulary), what attending to one of them does to the logits, a row of W_E W_OV W_U, and what the head looks for when one of them is the query, a row of W_E W_QK W_Eᵀ; each with the number of the token itself and its rank among all tokens. Both start at the word vectors alone, without positions, biases or what earlier layers add, and are shown minus their mean over all tokens.

In JSON: `folding`; `heads`, each with `name`, `layer`, `head` (from 1), `ov` and `qk` (`norm`, `singular_values`) and `copying`; `composition` with `chance` and `q`, `k`, `v`, each a matrix of readers by writers in the order of `heads`, null where there is no pair. With --head `heads` has that one, `tokens` each attended token's `itself`, `rank`, `most` and `least`, `queries` the same of each token as a query, and `q`, `k`, `v` are lists of `writer`, `reader`, `score`.)",
        .examples = R"( attenscope circuits --model ./gpt2
 attenscope circuits --model ./gpt2 --head 5.1 --text "The capital of France is Paris"
 attenscope circuits --model ./llama --head 16.3 --json)",
    },
    declare_circuits,
};

}  // namespace app
