#include "app/cli/heads_command.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "app/cli/columns.h"
#include "app/cli/document_arguments.h"
#include "app/cli/long_run.h"
#include "app/cli/output.h"
#include "app/cli/parser.h"
#include "core/model/model.h"
#include "core/study/head_roles.h"
#include "core/train/questions_model.h"

namespace app {
namespace {

namespace train = attn::train;

std::string share_text(double share) { return std::isnan(share) ? "-" : fmt::format("{:.2f}", share); }

std::string roles_table(const std::vector<attn::HeadRoles>& roles) {
    std::vector<std::vector<std::string>> rows = {{"head", "previous", "same", "next", "first", "chance", "spread"}};
    for (const attn::HeadRoles& r : roles)
        rows.push_back({attn::step_name(r.tag), share_text(r.previous), share_text(r.same), share_text(r.next),
                        share_text(r.first), share_text(r.chance), share_text(r.spread)});
    return in_columns(rows, {Side::Left, Side::Right, Side::Right, Side::Right, Side::Right, Side::Right, Side::Right});
}

/// What its questions' heads do on sentences that no training had, measured now.
std::string questions_tables(const std::vector<train::Weight>& weights) {
    const auto table = [&](train::Unseen unseen, bool causal) {
        return train::figures_table(
            train::measure_questions(weights, train::kMeasureSeed, unseen, train::kMeasuredSentences, causal));
    };
    return "\nOn sentences with unseen words:\n" + table(train::Unseen::Words, false) +
           "\nOn sentences of unseen shapes:\n" + table(train::Unseen::Shapes, false) +
           "\nOn sentences with unseen words, under a causal mask:\n" + table(train::Unseen::Words, true);
}

Exit run_heads(const DocumentArguments& arguments, Streams& streams) {
    auto document = load_document(arguments, streams.in);
    if (!document) return fail(streams, Exit::BadInput, document.error());
    const auto run = run_watched(*document, streams);
    if (!run) return fail(streams, Exit::BadInput, run.error());
    tell_notes(streams, *run);
    const std::vector<attn::HeadRoles> roles = attn::head_roles(run->trace);
    if (roles.empty())
        return fail(streams, Exit::BadInput, "this form holds no weights between the tokens of one text");
    std::string out = roles_table(roles);
    // Only where the weights are the model's own.
    if (document->model && document->weights == "model")
        if (const auto weights = train::questions_weights(*document->model)) out += questions_tables(*weights);
    return write_output(streams, "", out, Content::Text);
}

Runner declare_heads(Parser& parser) {
    const auto arguments = std::make_shared<DocumentArguments>();
    declare_document(parser, *arguments);
    return [arguments](Streams& streams) { return run_heads(*arguments, streams); };
}

}  // namespace

const Command kHeadsCommand = {
    {
        .name = "heads",
        .summary = "measures what each head does",
        .synopsis = " attenscope heads [OPTIONS] [FILE]",
        .description =
            R"(For each head of FILE's computation the share of its weight that lies where simple roles would put it, each a mean over the rows of the text: on the token before (previous), on the token itself (same), on the token behind (next), on the first token (first); what one token had if the weight were shared equally by all that a row may look at (chance); and how far the weight is spread: the entropy of a row by its largest, 1 where it is even (spread).

With a model whose heads were asked questions, these are measured as well, on sentences that its training had not: each relation's share of weight on its own head, beside chance, and how many answers are right with the head and without it. "resting" is how much of the weight of words without an answer lies on themselves or on the first word.)",
        .examples = R"( attenscope heads --set model=questions --text "the tired cat sat down"
 attenscope heads --set heads=4 --set weights=random)",
    },
    declare_heads,
};

}  // namespace app
