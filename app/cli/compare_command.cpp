#include "app/cli/compare_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <utility>

#include "app/cli/columns.h"
#include "app/cli/document_arguments.h"
#include "app/cli/long_run.h"
#include "app/cli/output.h"
#include "app/cli/parser.h"
#include "app/cli/step_arguments.h"
#include "app/cli/target_word.h"
#include "core/analysis/head_changes.h"
#include "core/analysis/prediction.h"
#include "core/document/intervene.h"
#include "core/document/take.h"
#include "core/io/json_writer.h"
#include "core/io/safe_text.h"
#include "core/model/model.h"

namespace app {
namespace {

constexpr int kMostHeads = 100000;

struct CompareOptions {
    DocumentArguments document;
    std::string text, model;
    int top = 10;
    bool json = false;
};

/// The two runs, with their names for the reader.
struct ComparedRuns {
    std::string first, second;
    attn::Run one, other;
};

std::string model_name(const attn::Document& document) {
    return document.model ? attn::visible_text(std::filesystem::path(document.model->name).filename().string()) : std::string("the text");
}

std::string tokens_text(const std::vector<std::string>& tokens, std::string_view kind = "token") {
    return fmt::format("{} {}{}", tokens.size(), kind, tokens.size() == 1 ? "" : "s");
}
/// The number of tokens in its texts.
std::string size_text(const attn::Trace& trace) {
    return (trace.source_tokens.empty() ? "" : tokens_text(trace.source_tokens, "source token") + ", ") + tokens_text(trace.tokens);
}

/// The document of the second run.
attn::Result<attn::Document> other_of(const CompareOptions& options, const attn::Document& document) {
    if (options.text.empty() && options.model.empty()) {
        if (!attn::is_altered(document))
            return attn::Error{"there is nothing to compare it with: name another text (--with-text) or another model (--with-model), or take a document with "
                               "interventions or numbers typed over, which is compared with itself without them", "", "", 0};
        return attn::unaltered(document);
    }
    attn::Document out = options.text.empty() ? document : attn::patched_from(document, options.text);
    if (!options.model.empty()) {
        auto model = attn::find_model(options.model, {.folders = true});
        if (!model) return model.error();
        attn::take_model(out, *model);
    }
    const auto wrong = attn::problems(out);
    if (!wrong.empty()) return wrong.front();
    return attn::for_prediction(std::move(out));
}

attn::Result<ComparedRuns> runs_of(const CompareOptions& options, Streams& streams, attn::CountFrom& count) {
    auto document = load_document(options.document, streams.in);
    if (!document) return document.error();
    *document = attn::for_prediction(std::move(*document));
    count = options.document.counts_from(*document);
    const auto other = other_of(options, *document);
    if (!other) return other.error();
    auto one = run_watched(*document, streams);
    if (!one) return one.error();
    tell_notes(streams, *one);
    if (const auto none = no_text(*one, "compare")) return *none;
    const AtEndTellChecked checked(streams, *one);
    auto two = run_watched(*other, streams);
    if (!two) return two.error();
    tell_notes(streams, *two);
    if (!options.text.empty() && two->trace.steps.empty()) return wrong_option("--with-text", "there are no tokens in it to compare with");
    const AtEndTellChecked checked_of_two(streams, *two);
    ComparedRuns out{.first = model_name(*document), .second = model_name(*other), .one = std::move(*one), .other = std::move(*two)};
    if (!options.text.empty()) out.second += ", " + attn::in_quotes(options.text);
    if (options.text.empty() && options.model.empty()) {
        // Before and after: the document's own run comes second.
        std::swap(out.one, out.other);
        out.second = out.first + ", changed";
        out.first += " without that";
    }
    return out;
}

std::string place_label(const attn::Tag& tag, attn::CountFrom count) {
    const std::string place = attn::head_place_text(tag.layer, std::max(tag.head, 0), count);
    return tag.layer == attn::kNoLayer ? attn::said_name(tag, count) : tag.part == attn::Part::Main ? place : fmt::format("{} {}", attn::part_id(tag.part), place);
}

std::string cell_label(const attn::Trace& trace, attn::Axis axis, int index) {
    return fmt::format("{} {}", axis.first + index + 1, attn::in_quotes(attn::axis_label(trace, axis, index)));
}

/// One line per layer, one column per head.
std::string changes_map(const attn::HeadChanges& changes, attn::CountFrom count) {
    std::map<std::pair<attn::Part, int>, std::map<int, double>> layers;
    int most = 0;
    for (const attn::HeadChange& head : changes.heads) {
        layers[{head.tag.part, head.tag.layer}][std::max(head.tag.head, 0)] = head.distance;
        most = std::max(most, head.tag.head);
    }
    std::vector<std::vector<std::string>> rows = {{"layer"}};
    for (int h = 0; h <= most; ++h) rows.front().push_back("head " + attn::number_of(h, count));
    for (const auto& [at, heads] : layers) {
        std::string name = at.second == attn::kNoLayer ? "" : attn::number_of(at.second, count);
        if (at.first != attn::Part::Main) name = fmt::format("{} {}", attn::part_id(at.first), name);
        rows.push_back({std::move(name)});
        for (int h = 0; h <= most; ++h) rows.back().push_back(heads.contains(h) ? fmt::format("{:.3f}", heads.at(h)) : "-");
    }
    return in_columns(rows, right_but_first(rows.front().size()));
}

std::string compare_text(const ComparedRuns& runs, const attn::HeadChanges& changes, int top, attn::CountFrom count) {
    const auto paired = [](const std::vector<int>& places) { return std::count_if(places.begin(), places.end(), [](int place) { return place >= 0; }); };
    std::string out = fmt::format("weights of {} heads: {} ({}) and {} ({}); {} tokens correspond to each other\n", changes.heads.size(), runs.first, size_text(runs.one.trace), runs.second,
                                  size_text(runs.other.trace), paired(changes.tokens) + paired(changes.source_tokens));
    if (changes.missing > 0) out += fmt::format("maps without a counterpart, which are left out: {}\n", changes.missing);
    std::vector<std::vector<std::string>> rows = {{"difference", "head", "largest", "from", "to", "before", "after", "change"}};
    for (std::size_t i = 0; i < std::min(changes.heads.size(), static_cast<std::size_t>(top)); ++i) {
        const attn::HeadChange& head = changes.heads[i];
        rows.push_back({fmt::format("{:.3f}", head.distance), place_label(head.tag, count), fmt::format("{:.3f}", head.largest), cell_label(runs.one.trace, head.queries_of, head.query),
                        head.key < 0 ? "(tokens of the other alone)" : cell_label(runs.one.trace, head.keys_of, head.key), fmt::format("{:.3f}", head.before),
                        fmt::format("{:.3f}", head.after), signed_number(head.after - head.before)});
    }
    return out + "\n" + in_columns(rows, {Side::Right, Side::Right, Side::Right, Side::Left, Side::Left, Side::Right, Side::Right, Side::Right}) + "\n" + changes_map(changes, count);
}

void write_aligned(attn::JsonWriter& out, std::string_view key, const std::vector<int>& places) {
    out.key(key);
    out.begin_row();
    for (const int place : places) place < 0 ? out.null() : out.integer(place + 1);
    out.end_array();
}

std::string compare_json(const ComparedRuns& runs, const attn::HeadChanges& changes) {
    attn::JsonWriter out;
    out.begin_object();
    out.key("runs");
    out.begin_array();
    for (const bool second : {false, true}) {
        const attn::Trace& trace = second ? runs.other.trace : runs.one.trace;
        out.begin_object();
        out.key("name");
        out.string(second ? runs.second : runs.first);
        out.key("tokens");
        out.strings(trace.tokens);
        if (!trace.source_tokens.empty()) {
            out.key("source_tokens");
            out.strings(trace.source_tokens);
        }
        out.end_object();
    }
    out.end_array();
    write_aligned(out, "tokens_aligned", changes.tokens);
    if (!changes.source_tokens.empty()) write_aligned(out, "source_tokens_aligned", changes.source_tokens);
    out.key("missing");
    out.integer(changes.missing);
    out.key("heads");
    out.begin_array();
    for (const attn::HeadChange& head : changes.heads) {
        out.begin_object();
        out.key("name");
        out.string(attn::step_name(head.tag));
        out.key("layer");
        head.tag.layer < 0 ? out.null() : out.integer(head.tag.layer + 1);
        out.key("head");
        head.tag.head < 0 ? out.null() : out.integer(head.tag.head + 1);
        out.key("difference");
        out.number(head.distance);
        out.key("largest");
        out.number(head.largest);
        out.key("query");
        out.integer(head.query + 1);
        out.key("key");
        head.key < 0 ? out.null() : out.integer(head.key + 1);
        out.key("before");
        out.number(head.before);
        out.key("after");
        out.number(head.after);
        out.key("queries");
        out.integer(head.queries);
        out.end_object();
    }
    out.end_array();
    out.end_object();
    return out.take();
}

Exit run_compare(const CompareOptions& options, Streams& streams) {
    attn::CountFrom count = attn::CountFrom::One;
    const auto runs = runs_of(options, streams, count);
    if (!runs) return fail(streams, Exit::BadInput, runs.error());
    const attn::HeadChanges changes = attn::head_changes(runs->one.trace, runs->other.trace);
    if (changes.heads.empty()) return fail(streams, Exit::BadInput, "the two have no heads in common whose weights could be compared");
    return write_output(streams, "", options.json ? compare_json(*runs, changes) : compare_text(*runs, changes, options.top, count), Content::Text);
}

Runner declare_compare(Parser& parser) {
    const auto options = std::make_shared<CompareOptions>();
    declare_document(parser, options->document);
    parser.add({.name = "--with-text", .value = "TEXT", .help = "The same model on this text, of any length; of an encoder and decoder the text that its encoder reads."}, options->text);
    parser.add({.name = "--with-model", .value = "MODEL", .help = "Another model on the text: before and after it was tuned."}, options->model);
    parser.add({.name = "--top", .value = "K", .help = "So many heads are listed (10); the map has all.", .check = whole_between(1, kMostHeads)}, options->top);
    parser.add({.name = "--json", .help = "An object in JSON: all heads, ranked, and which tokens correspond."}, options->json);
    return [options](Streams& streams) { return run_compare(*options, streams); };
}

}  // namespace

const Command kCompareCommand = {
    {
        .name = "compare",
        .summary = "ranks the heads that look elsewhere in another run",
        .synopsis = " attenscope compare [OPTIONS] [FILE]",
        .description =
            R"(Computes FILE and a second run: of another text (--with-text), of another model (--with-model), of both, or, where FILE has interventions or numbers that were typed over, of FILE without them, which then is the first. Then for each head how far its weights lie apart, the largest first, and as a map of layers by heads.

The difference is the mean over all queries of ½ Σ |α − α'| over the keys (the total variation distance of the two rows): 0 where a head looks at the same tokens in both, 1 where at nothing in common. Beside it stand the query where it is largest, the key whose weight changes most there, and that change with its sign.

Texts of as many tokens are compared token by token. Of other lengths, the longest sequence of tokens that both have is aligned, and between two aligned tokens as many on both sides are taken for exchanged words; a query without a counterpart is not counted, and what a query puts on keys without one counts as moved. Heads are matched by their layer and number.

In JSON: `runs` (`name`, `tokens`), `tokens_aligned` (for each token of the first the place in the second, from 1, or null), `missing` (maps without a counterpart), and `heads`, each with `name`, `layer`, `head` (from 1), `difference`, `largest`, `query`, `key` (null: tokens of the second alone), `before`, `after`, and `queries`, how many were compared.)",
        .examples = R"( attenscope compare --model ./gpt2 --text "The nurse said that she" --with-text "The old doctor said that she"
 attenscope compare --model ./gpt2 --with-model ./gpt2-tuned --text "The capital of France is" --json
 attenscope compare changed.json)",
    },
    declare_compare,
};

}  // namespace app
