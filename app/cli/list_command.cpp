#include "app/cli/list_command.h"

#include <fmt/format.h>

#include "app/cli/columns.h"
#include "app/cli/output.h"
#include "app/cli/parser.h"
#include "app/content/strings.h"
#include "app/export/json_members.h"
#include "app/state/examples.h"
#include "app/ui/theme.h"
#include "core/document_fields.h"
#include "core/io/json_writer.h"
#include "core/model/model.h"

namespace app {
namespace {

/// An id, and its label in every language.
struct Entry {
    std::string id;
    std::string english, chinese;
};
using Entries = std::vector<Entry>;

Entry labelled(std::string_view id) {
    return {std::string(id), std::string(label_of(id, Language::English)),
            std::string(label_of(id, Language::Chinese))};
}

/// The choices of a field of the document: the table that the document itself is checked against.
template <const char* Key>
Entries choices_of(const attn::Document&) {
    Entries out;
    for (const std::string_view id : attn::find_field(Key)->choices()) out.push_back(labelled(id));
    return out;
}

Entries list_themes(const attn::Document&) {
    Entries out;
    for (const Theme& theme : themes()) out.push_back(labelled(theme.id));
    return out;
}

Entries list_languages(const attn::Document&) {
    // A language is called by its own name in every language: who looks for it can read that.
    return {{"en", "English", "English"}, {"zh", "简体中文", "简体中文"}};
}

Entries list_examples(const attn::Document&) {
    Entries out;
    for (const Example& example : example_documents())
        out.push_back({std::string(example.id), std::string(tr(example.title, Language::English)),
                       std::string(tr(example.title, Language::Chinese))});
    return out;
}

Entries list_models(const attn::Document&) {
    Entries out;
    for (const attn::ModelPtr& model : attn::shipped_models()) out.push_back({model->name, model->about.english, model->about.chinese});
    return out;
}

Entries list_ops(const attn::Document&) {
    Entries out;
    for (int op = 0; op < attn::kOpCount; ++op) out.push_back(labelled(attn::op_id(static_cast<attn::Op>(op))));
    return out;
}

Entries list_roles(const attn::Document&) {
    Entries out;
    for (int role = 0; role < attn::kRoleCount; ++role)
        out.push_back(labelled(attn::role_id(static_cast<attn::Role>(role))));
    return out;
}

Entries list_steps(const attn::Document& document) {
    Entries out;
    const auto run = attn::run(document);
    if (!run) return out;  // the document has been checked; only memory can fail, and that is caught elsewhere
    for (const attn::Step& step : run->trace.steps) {
        Entry entry = labelled(attn::role_id(step.tag.role));
        entry.id = attn::step_name(step.tag);
        out.push_back(std::move(entry));
    }
    return out;
}

constexpr char kVariant[] = "variant", kScore[] = "score", kMask[] = "mask", kPosition[] = "position",
               kTokenizer[] = "tokenizer", kVectors[] = "vectors", kWeights[] = "weights";

struct List {
    std::string_view id;
    std::string_view help;
    Entries (*entries)(const attn::Document&);
};

constexpr std::array kLists = {
    List{"variants", "forms of attention", choices_of<kVariant>},
    List{"scores", "score functions", choices_of<kScore>},
    List{"masks", "masks", choices_of<kMask>},
    List{"positions", "ways to tell the order of the tokens", choices_of<kPosition>},
    List{"tokenizers", "ways to cut a text", choices_of<kTokenizer>},
    List{"vectors", "where the tokens' vectors come from", choices_of<kVectors>},
    List{"weights", "where weight matrices come from", choices_of<kWeights>},
    List{"models", "models that come along", list_models},
    List{"themes", "colours and sizes of the window", list_themes},
    List{"languages", "languages of the interface", list_languages},
    List{"examples", "documents that the window offers", list_examples},
    List{"steps", "steps of FILE's computation, in order", list_steps},
    List{"ops", "operations that steps are made by", list_ops},
    List{"roles", "what a step can mean", list_roles},
};

std::string as_text(const Entries& entries, bool numbered) {
    std::vector<std::vector<std::string>> rows;
    for (const Entry& e : entries) {
        rows.push_back({e.id, e.english, e.chinese});
        if (numbered) rows.back().insert(rows.back().begin(), std::to_string(rows.size()));
    }
    return in_columns(rows, {numbered ? Side::Right : Side::Left});
}

std::string as_json(const Entries& entries) {
    attn::JsonWriter out;
    out.begin_array();
    for (const Entry& e : entries) {
        out.begin_object();
        write_text(out, "id", e.id);
        write_text(out, "en", e.english);
        write_text(out, "zh", e.chinese);
        out.end_object();
    }
    out.end_array();
    return out.take();
}

Runner declare_list(Parser& parser) {
    const auto options = std::make_shared<ListOptions>();
    std::string help = "One of ";
    for (const List& list : kLists)
        help += fmt::format("{} ({}){}", list.id, list.help, list.id == kLists.back().id ? "." : ", ");
    parser.add({.name = "WHAT", .help = help, .check = one_of(ids_of(kLists)), .required = true}, options->what);
    declare_document(parser, options->document);
    parser.add({.name = "--format",
                .value = "FORMAT",
                .help = "text (the default) or json.",
                .check = one_of({"text", "json"})},
               options->format);
    return [options](Streams& streams) { return run_list(*options, streams); };
}

}  // namespace

const Command kListCommand = {
    {
        .name = "list",
        .summary = "lists what there is to choose from",
        .synopsis = " attenscope list [OPTIONS] WHAT [FILE]",
        .description =
            R"(One line each: the id, as documents and options take it, and its label in English and in Chinese. `list steps` computes FILE and lists its steps with their numbers; FILE, --text and --set concern it alone.)",
        .examples = R"( attenscope list variants
 attenscope list steps --text 早上好 --set heads=2
 attenscope list roles --format json)",
    },
    declare_list,
};

Exit run_list(const ListOptions& options, Streams& streams) {
    const auto list = std::find_if(kLists.begin(), kLists.end(), [&](const List& l) { return l.id == options.what; });
    if (list == kLists.end()) return fail(streams, Exit::Usage, "there is no such list");
    const auto document = load_document(options.document, streams.in);
    if (!document) return fail(streams, Exit::BadInput, document.error());
    const Entries entries = list->entries(*document);
    const bool numbered = list->id == "steps";
    return write_output(streams, "", options.format == "json" ? as_json(entries) : as_text(entries, numbered),
                        Content::Text);
}

}  // namespace app
