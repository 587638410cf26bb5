#include "app/cli/residual_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "app/cli/columns.h"
#include "app/cli/document_arguments.h"
#include "app/cli/long_run.h"
#include "app/cli/output.h"
#include "app/cli/parser.h"
#include "app/cli/step_arguments.h"
#include "core/analysis/prediction.h"
#include "core/analysis/residual.h"
#include "core/io/json_writer.h"
#include "core/io/safe_text.h"

namespace app {
namespace {

using Row = std::vector<std::string>;
using attn::ResidualStack;
using attn::StreamPoint;

struct ResidualOptions {
    DocumentArguments document;
    int at = 0;
    bool json = false;
};

std::string length(double value) { return fmt::format("{:.3f}", value); }
std::string cosine(double value) { return std::isfinite(value) ? fmt::format("{:+.3f}", value) : "-"; }

/// "inputs", "attention 3", "feed forward 3".
std::string point_label(const StreamPoint& point, attn::CountFrom count) {
    std::string out(attn::stream_after_id(point.after));
    std::replace(out.begin(), out.end(), '_', ' ');
    return point.layer == attn::kNoLayer ? out : out + " " + attn::number_of(point.layer, count);
}

std::string token_label(const attn::Trace& trace, const ResidualStack& stack, std::size_t row) {
    return fmt::format("{} {}", row + 1, attn::in_quotes(attn::axis_label(trace, stack.rows, static_cast<int>(row))));
}

/// One token through the blocks.
std::string points_table(const ResidualStack& stack, std::size_t row, attn::CountFrom count) {
    std::vector<Row> rows = {{"behind", "norm", "cosine before", "cosine end", "added norm", "added cosine"}};
    for (const StreamPoint& point : stack.points) {
        rows.push_back({point_label(point, count), length(point.norm[row]), point.adds() ? cosine(point.cosine_before[row]) : "", cosine(point.cosine_end[row])});
        if (!point.adds()) continue;
        rows.back().push_back(length(point.added_norm[row]));
        rows.back().push_back(cosine(point.added_cosine[row]));
    }
    return in_columns(rows, right_but_first(rows.front().size()));
}

/// The norm after each layer, one line per token: an outlier stands out in all layers.
std::string norms_table(const attn::Trace& trace, const ResidualStack& stack, attn::CountFrom count) {
    std::vector<Row> rows = {{"norm behind", "inputs"}};
    std::vector<const StreamPoint*> shown = {&stack.points.front()};
    for (std::size_t i = 1; i < stack.points.size(); ++i)
        if (i + 1 == stack.points.size() || stack.points[i + 1].layer != stack.points[i].layer) {
            shown.push_back(&stack.points[i]);
            rows.front().push_back("layer " + attn::number_of(stack.points[i].layer, count));
        }
    for (std::size_t row = 0; row < stack.points.front().norm.size(); ++row) {
        rows.push_back({token_label(trace, stack, row)});
        for (const StreamPoint* point : shown) rows.back().push_back(length(point->norm[row]));
    }
    return in_columns(rows, right_but_first(rows.front().size()));
}

std::string residual_text(const attn::Trace& trace, const std::vector<ResidualStack>& stacks, int at, attn::CountFrom count) {
    std::string out;
    for (const ResidualStack& stack : stacks) {
        const std::size_t tokens = stack.points.front().norm.size();
        // `at` counts in the text that is generated; for the other text the last token is taken.
        const std::size_t row = at > 0 && &stack == &stacks.back() ? static_cast<std::size_t>(at) - 1 : tokens - 1;
        out += fmt::format("{}the residual stream{} at {}{}\n{}\n{}", out.empty() ? "" : "\n", stack.part == attn::Part::Encoder ? " of the encoder" : "",
                           token_label(trace, stack, row), stack.sum_normed ? "; each block normalises its sum, so that it is not what stood there plus what was added" : "",
                           points_table(stack, row, count), norms_table(trace, stack, count));
    }
    return out;
}

void write_list(attn::JsonWriter& out, std::string_view key, const std::vector<double>& values) {
    out.key(key);
    out.begin_row();
    for (const double value : values) std::isfinite(value) ? out.number(value) : out.null();
    out.end_array();
}

std::string residual_json(const attn::Trace& trace, const std::vector<ResidualStack>& stacks) {
    attn::JsonWriter out;
    out.begin_object();
    out.key("tokens");
    out.strings(trace.tokens);
    if (!trace.source_tokens.empty()) {
        out.key("source_tokens");
        out.strings(trace.source_tokens);
    }
    out.key("stacks");
    out.begin_array();
    for (const ResidualStack& stack : stacks) {
        out.begin_object();
        out.key("of");
        out.string(stack.rows.kind == attn::Axis::Kind::SourceTokens ? "source_tokens" : "tokens");
        out.key("sum_normed");
        out.boolean(stack.sum_normed);
        out.key("points");
        out.begin_array();
        for (const StreamPoint& point : stack.points) {
            out.begin_object();
            out.key("behind");
            out.string(attn::stream_after_id(point.after));
            out.key("layer");
            point.layer == attn::kNoLayer ? out.null() : out.integer(point.layer + 1);
            out.key("step");
            out.string(attn::step_name(trace[point.stream].tag));
            write_list(out, "norm", point.norm);
            write_list(out, "cosine_end", point.cosine_end);
            if (point.adds()) {
                write_list(out, "cosine_before", point.cosine_before);
                out.key("added");
                point.added == attn::kNoStep ? out.null() : out.string(attn::step_name(trace[point.added].tag));
                write_list(out, "added_norm", point.added_norm);
                write_list(out, "added_cosine", point.added_cosine);
            }
            out.end_object();
        }
        out.end_array();
        out.end_object();
    }
    out.end_array();
    out.end_object();
    return out.take();
}

Exit run_residual(const ResidualOptions& options, Streams& streams) {
    auto document = load_document(options.document, streams.in);
    if (!document) return fail(streams, Exit::BadInput, document.error());
    *document = attn::for_prediction(std::move(*document));
    const auto run = run_watched(*document, streams);
    if (!run) return fail(streams, Exit::BadInput, run.error());
    tell_notes(streams, *run);
    if (const auto none = no_text(*run, "follow through the model")) return fail(streams, Exit::BadInput, *none);
    const auto stacks = attn::residual_stacks(*run);
    const AtEndTellChecked checked(streams, *run);
    if (!stacks) return fail(streams, Exit::BadInput, stacks.error());
    const std::size_t tokens = stacks->back().points.front().norm.size();
    if (options.at > 0 && static_cast<std::size_t>(options.at) > tokens)
        return fail(streams, Exit::BadInput, wrong_option("--at", fmt::format("there is no token {}: the text has {}", options.at, tokens)));
    return write_output(streams, "", options.json ? residual_json(run->trace, *stacks) : residual_text(run->trace, *stacks, options.at, options.document.counts_from(*document)),
                        Content::Text);
}

Runner declare_residual(Parser& parser) {
    const auto options = std::make_shared<ResidualOptions>();
    declare_document(parser, options->document);
    parser.add({.name = "--at", .value = "PLACE", .help = "The token that is followed, from 1, instead of the last.", .check = whole_between(1, static_cast<int>(attn::kMaxTokens))},
               options->at);
    parser.add({.name = "--json", .help = "An object in JSON: all tokens at all places."}, options->json);
    return [options](Streams& streams) { return run_residual(*options, streams); };
}

}  // namespace

const Command kResidualCommand = {
    {
        .name = "residual",
        .summary = "follows the residual stream through a model",
        .synopsis = " attenscope residual [OPTIONS] [FILE]",
        .description =
            R"(Follows the vector of one token (the last, or --at) through the blocks of a model. After the inputs and after each sub-layer: its norm; its cosine with the vector at the point before, which is smaller where a sub-layer turns it, and with the vector after the last block; the norm of what the sub-layer added, and the cosine of that with what it was added to: below 0 it cancels what was there, near 0 it adds something new. A second table has the norm of all tokens after each layer; in many models the first token becomes a hundred times as long as the others.

The stream is as the blocks read it, before the final norm. Nothing is folded into it and no mean is taken off. Where a block normalises each sum (BERT), the stream is that behind the norm, and is not the one before plus what was added; where what a sub-layer made is normalised first (Gemma 2, OLMo 2), it is that norm that is added. An encoder and decoder has two streams.

Of a file of attention (--attention), it is the stream that attenscope_capture.py recorded between the layers, with residual=True; what a layer added is the difference.

What each part adds to one token's logit: `attenscope attribute`. What is there if a part is missing: `attenscope ablate`.

In JSON: `tokens`, `source_tokens`, and `stacks`, each with `of` (whose tokens), `sum_normed`, and `points` with `behind`, `layer` (from 1), `step` and `added` (names of steps of `attenscope trace`; `added` is null for a file), and `norm`, `cosine_before`, `cosine_end`, `added_norm`, `added_cosine`, a number a token.)",
        .examples = R"( attenscope residual --model ./gpt2 --text "The capital of France is"
 attenscope residual --model induction --text "k q b z k q b" --at 3
 attenscope residual --model translation --text "the small girl saw a black cat ." --json)",
    },
    declare_residual,
};

}  // namespace app
