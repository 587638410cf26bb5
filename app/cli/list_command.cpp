#include "app/cli/list_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "app/cli/columns.h"
#include "app/cli/manual.h"
#include "app/cli/output.h"
#include "app/cli/parser.h"
#include "app/content/strings.h"
#include "app/export/json_members.h"
#include "app/screens/compare/comparison.h"
#include "app/state/examples.h"
#include "app/ui/theme.h"
#include "core/document/fields.h"
#include "core/io/json_writer.h"
#include "core/model/model.h"
#include "core/train/variations.h"

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

Entries list_themes(const attn::Document&) {
    Entries out;
    for (const Theme& theme : themes()) out.push_back(labelled(theme.id));
    return out;
}

Entries list_languages(const attn::Document&) {
    // A language has its own name in every language, which those who look for it can read.
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

Entries list_tasks(const attn::Document&) {
    Entries out;
    for (const attn::train::Task& task : attn::train::tasks())
        out.push_back({std::string(task.id), std::string(task.about.english), std::string(task.about.chinese)});
    return out;
}

Entries list_variations(const attn::Document&) {
    Entries out;
    for (const attn::train::Variation& variation : attn::train::variations()) {
        std::string tasks;
        for (const attn::train::Task& task : attn::train::tasks())
            if (attn::train::applies(task, attn::train::complete(task, {}), variation)) tasks.append(tasks.empty() ? "" : ", ").append(task.id);
        out.push_back({std::string(variation.id), fmt::format("{} Tasks: {}.", variation.about.english, tasks),
                       fmt::format("{}适用的任务：{}。", variation.about.chinese, tasks)});
    }
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
    if (!run) return out;  // the document is valid, so only memory can fail, which is caught elsewhere
    for (const attn::Step& step : run->trace.steps) {
        Entry entry = labelled(attn::role_id(step.tag.role));
        entry.id = attn::step_name(step.tag);
        out.push_back(std::move(entry));
    }
    return out;
}

/// The choices of a document's field, from the table that the document is checked against.
Entries choices_of(const attn::Field& field) {
    Entries out;
    for (const std::string_view id : field.choices()) out.push_back(labelled(id));
    return out;
}

struct List {
    std::string_view id;
    std::string_view help;
    Entries (*entries)(const attn::Document&);
};

/// Lists in addition to the document's fields with choices, which are listed by their own names.
constexpr std::array kLists = {
    List{"models", "included models", list_models},
    List{"tasks", "what can be trained", list_tasks},
    List{"variations", "what a training beside another can have changed", list_variations},
    List{"themes", "colours and sizes of the window", list_themes},
    List{"languages", "languages of the interface", list_languages},
    List{"examples", "documents that the window offers", list_examples},
    List{"steps", "steps of FILE's computation, in order", list_steps},
    List{"ops", "operations that steps are made by", list_ops},
    List{"roles", "what a step can mean", list_roles},
};

/// Former names of lists, before they were named after their fields.
struct OldName {
    std::string_view was, now;
};
constexpr std::array kOldNames = {OldName{"variants", "variant"}, OldName{"scores", "score"}, OldName{"masks", "mask"},
                                  OldName{"positions", "position"}, OldName{"tokenizers", "tokenizer"}};

std::vector<const attn::Field*> fields_with_choices() {
    std::vector<const attn::Field*> out;
    for (const attn::Field& field : attn::document_fields())
        if (field.kind == attn::FieldKind::Choice) out.push_back(&field);
    return out;
}

std::vector<std::string_view> names_of_lists() {
    std::vector<std::string_view> out;
    for (const attn::Field* field : fields_with_choices()) out.push_back(field->key);
    for (const List& list : kLists) out.push_back(list.id);
    for (const OldName& old : kOldNames) out.push_back(old.was);
    return out;
}

/// None if there is no such list.
std::optional<Entries> entries_of(std::string_view what, const attn::Document& document) {
    for (const attn::Field* field : fields_with_choices())
        if (field->key == what) return choices_of(*field);
    for (const List& list : kLists)
        if (list.id == what) return list.entries(document);
    return std::nullopt;
}

std::string as_text(const Entries& entries, bool numbered) {
    std::vector<std::vector<std::string>> rows;
    for (const Entry& e : entries) {
        rows.push_back({e.id, e.english, e.chinese});
        if (numbered) rows.back().insert(rows.back().begin(), std::to_string(rows.size()));
    }
    return in_columns(rows, {numbered ? Side::Right : Side::Left});
}

/// Whether some descriptions are too long to be printed next to their ids.
bool are_described(const Entries& entries) {
    constexpr std::size_t kLabel = 60;  // cells
    return std::any_of(entries.begin(), entries.end(), [](const Entry& e) { return terminal_width(e.english) > kLabel; });
}

/// Each id, and below it its description in both languages.
std::string as_paragraphs(const Entries& entries) {
    constexpr std::size_t kLineIndent = 4;
    std::string out;
    for (const Entry& e : entries) out += (out.empty() ? "" : "\n") + e.id + '\n' + wrapped(e.english, kLineIndent) + wrapped(e.chinese, kLineIndent);
    return out;
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
    std::string help = "A field of the document that has choices: ";
    for (const attn::Field* field : fields_with_choices()) help += fmt::format("{}, ", field->key);
    help += "or one of ";
    for (const List& list : kLists)
        help += fmt::format("{} ({}){}", list.id, list.help, list.id == kLists.back().id ? "." : ", ");
    parser.add({.name = "WHAT", .help = help, .choices = names_of_lists(), .required = true}, options->what);
    declare_document(parser, options->document);
    parser.add({.name = "--format",
                .value = "FORMAT",
                .help = "text (the default) or json.",
                .choices = {"text", "json"}},
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
            R"(One line each: the id, as documents and options take it, and its label in English and in Chinese; models, tasks and variations have a description below their id. `list steps` computes FILE and lists its steps with their numbers; FILE, --text and --set concern it alone.)",
        .examples = R"( attenscope list variant
 attenscope list steps --text 早上好 --set heads=2
 attenscope list roles --format json)",
    },
    declare_list,
};

Exit run_list(const ListOptions& options, Streams& streams) {
    std::string_view what = options.what;
    for (const OldName& old : kOldNames)
        if (old.was == what) {
            what = old.now;
            note(streams, fmt::format("the list \"{}\" is now called as the field: \"{}\"", old.was, old.now));
        }
    const auto document = load_document(options.document, streams.in);
    if (!document) return fail(streams, Exit::BadInput, document.error());
    const auto entries = entries_of(what, *document);
    if (!entries) return fail(streams, Exit::Usage, "there is no such list");
    const std::string text = options.format == "json"  ? as_json(*entries)
                             : are_described(*entries) ? as_paragraphs(*entries)
                                                       : as_text(*entries, what == "steps");
    return write_output(streams, "", text, Content::Text);
}

}  // namespace app
