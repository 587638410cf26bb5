#include "app/cli/document_arguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <istream>

#include "app/cli/parser.h"
#include "app/content/model_notes.h"
#include "app/shell/open_files.h"
#include "app/state/edits.h"
#include "app/state/settings.h"
#include "core/document/fields.h"
#include "core/document/link.h"
#include "core/document/origins.h"
#include "core/document/take.h"
#include "core/io/files.h"
#include "core/io/safe_text.h"
#include "core/model/attention_file/given_attention.h"
#include "core/model/model.h"
#include "core/remake/remake.h"
#include "core/text/unicode.h"
#include "core/tokenizers/tokenizer_model.h"
#include "core/train/tasks.h"

namespace app {
namespace {

/// For a document or a text, in bytes.
constexpr std::size_t kMaxInput = std::size_t{16} << 20;
constexpr std::string_view kStandardInput = "standard input";

attn::Result<std::string> read_all(std::istream& in) {
    std::string bytes;
    std::array<char, 65536> block;
    while (in.read(block.data(), block.size()) || in.gcount() > 0) {
        bytes.append(block.data(), static_cast<std::size_t>(in.gcount()));
        if (bytes.size() > kMaxInput)
            return attn::Error{fmt::format("more than {} MB; that is no document or sentence", kMaxInput >> 20),
                               std::string(kStandardInput), "", 0};
    }
    if (in.bad()) return attn::Error{"it cannot be read", std::string(kStandardInput), "", 0};
    return bytes;
}

/// The final line feed of a piped text belongs to the line, not to the sentence.
std::string without_last_break(std::string text) {
    if (text.ends_with('\n')) text.pop_back();
    if (text.ends_with('\r')) text.pop_back();
    return text;
}

attn::Result<attn::Done> take_text(attn::Document& document, const std::string& text, std::istream& in) {
    attn::train::give_task_sentence(document, text);
    if (text != "-") return attn::Done{};
    auto piped = read_all(in);
    if (!piped) return piped.error();
    attn::train::give_task_sentence(document, without_last_break(std::move(*piped)));
    return attn::Done{};
}

attn::Result<attn::Done> take_tokens(attn::Document& document, const std::string& words) {
    const bool list = words.starts_with('[');
    const auto bytes = list ? attn::Result<std::string>(words) : attn::read_file(words, kMaxInput);
    if (!bytes) return bytes.error();
    auto names = attn::read_token_names(*bytes, list ? "--tokens.json" : words);
    if (names && names->tokens.empty()) names = attn::Error{"it names no tokens", "", "", 0};
    if (!names || !names->source_tokens.empty()) {
        attn::Error error = names ? attn::Error{"these are tokens of two texts; names of the second lie in a file beside the attention", "", "", 0}
                                  : names.error();
        error.where = list ? "--tokens" : attn::visible_text(words);
        return error;
    }
    attn::JsonWriter written(attn::JsonLayout::Compact);
    written.strings(names->tokens);
    auto done = attn::set_field(document, "tokens", written.take());
    if (done) return done;
    attn::Error error = done.error();
    error.where = "--tokens";
    return error;
}

attn::Result<attn::Done> take_setting(attn::Document& document, const std::string& setting) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos)
        return attn::Error{fmt::format("{} is no setting; write KEY=VALUE, such as heads=2", attn::in_quotes(setting)),
                           "--set", "", 0};
    const std::string_view all = setting;
    auto done = attn::set_field(document, all.substr(0, equals), all.substr(equals + 1), {.folders = true});
    if (done) return done;
    attn::Error error = done.error();
    error.where = "--set";
    error.line = 0;
    return error;
}

/// Without this error, an unused second text would be silently ignored.
std::optional<attn::Error> unread_source(const attn::Document& document, const DocumentArguments& arguments) {
    const attn::Form* const form = attn::find_form(document.config.form);
    const auto& settings = arguments.settings;
    const bool set = std::any_of(settings.begin(), settings.end(), [](const std::string& one) { return one.starts_with("source="); });
    if ((!set && !arguments.source) || !form || attn::reads_pair(document)) return std::nullopt;
    if (!document.attention && attn::has(form->reads, attn::Reads::Source) && !attn::shows_scene(document)) return std::nullopt;
    std::string message = document.attention ? std::string("weights from a file are of the texts in it, and a second text would be passed over")
                          : attn::shows_scene(document) ? std::string("a scene is looked at, and a second text would be passed over")
                                                        : fmt::format("the form \"{}\" reads one text, and a second one would be passed over", form->id);
    return attn::Error{std::move(message), arguments.source ? "--source" : "--set", set ? "source" : "", 0};
}

}  // namespace

void declare_memory(Parser& parser, std::optional<double>& memory) {
    parser.add({.name = "--memory",
                .value = "MIB",
                .help = "How much memory the values of a checkpoint's run may take, in MiB. Default: the setting, or half of the "
                        "machine's memory. Three quarters are for the values that are held of each layer, the rest for "
                        "matrices that are recomputed when they are viewed. Weights that take more than the three "
                        "quarters stay on disk and are read when they are used.",
                .check = number_between(kLeastMemory, kMostMemory)},
               memory);
}

void take_memory(std::optional<double> memory) {
    if (memory) attn::set_memory_budget(*memory * kMiB);
}

void declare_count_from(Parser& parser, std::string& count_from) {
    parser.add({.name = "--count-from",
                .value = "NUMBER",
                .help = "Layers and heads that are said and typed count from 0 or from 1; without it those of a checkpoint from 0, as in "
                        "its papers, all others from 1. JSON and names of steps (l2.weights.h1) always count from 1.",
                .choices = {"0", "1"}},
               count_from);
}

attn::CountFrom DocumentArguments::counts_from(const attn::Document& document) const {
    return attn::find_count_from(count_from).value_or(attn::usual_count(document));
}

void declare_document(Parser& parser, DocumentArguments& arguments) {
    declare_memory(parser, arguments.memory);
    declare_count_from(parser, arguments.count_from);
    parser.add({.name = "FILE",
                .help = "A document in JSON (see `attenscope schema`), a link to one (attenscope:1:…), or a file of "
                        "attention; - reads standard input. Without one every field has its default."},
               arguments.file);
    parser.add({.name = "--model",
                .value = "MODEL",
                .help = "The model that vectors and weights come from: one of `attenscope list models`, or a folder in "
                        "Hugging Face's layout. The same as --set model=MODEL."},
               arguments.model);
    parser.add({.name = "--picture",
                .value = "FILE.png",
                .help = "The picture, a PNG or a JPEG, that a model of pictures (ViT) looks at in place of a text. The same as --set picture=FILE.png."},
               arguments.picture);
    parser.add({.name = "--attention",
                .value = "ATTENTION",
                .help = "Weights that another program computed, in place of a form: .npz, .npy, .safetensors or JSON with "
                        "[layers, heads, queries, keys], or an entry a layer. The same as --set attention=ATTENTION.",
                .excludes = {"--model"}},
               arguments.attention);
    parser.add({.name = "--tokens",
                .value = "TOKENS",
                .help = "Names of the tokens: a file with one a line, a .json file with a list, or the list itself."},
               arguments.tokens);
    parser.add({.name = "--text",
                .value = "TEXT",
                .help = "The sentence, instead of the document's; - reads it from standard input. The encoder of a model that has one reads it, "
                        "and the decoder begins with its start token, or with the word that its task begins with; --set text=… "
                        "is what it has written so far.",
                .may_be_empty = true},
               arguments.text);
    parser.add({.name = "--source",
                .value = "TEXT",
                .help = "The second text: what cross-attention and decoders look at, and of BERT and its kin the second sentence of a pair "
                        "([CLS] a [SEP] b [SEP]). The same as --set source=TEXT.",
                .may_be_empty = true},
               arguments.source);
    parser.add({.name = "--gradient",
                .value = "STEP,ROW,COLUMN",
                .help = "Goes back through every step from one number, counted from 1 (output,2,1), or from the loss, where words "
                        "are predicted (loss): what follows the run are the gradients, grad.weights and so on. The same as "
                        "--set gradient=…."},
               arguments.gradient);
    parser.add({.name = "--set",
                .value = "KEY=VALUE",
                .help = "Sets one field of the document, as often as wanted: heads=2, mask=causal, variant=raw, "
                        "W_Q=[[1,0],[0,1]]."},
               arguments.settings);
}

/// A document may name a model by a relative path.
std::filesystem::path own_folder(const std::string& path) { return std::filesystem::absolute(path).parent_path(); }

/// The error for a missing file, with a hint if the argument looks like text.
attn::Error not_there(const std::string& path, attn::Error error) {
    std::error_code problem;
    const bool words = path.find_first_of("./\\") == std::string::npos || path.find(' ') != std::string::npos;
    if (words && !std::filesystem::exists(path, problem)) error.message += " A text goes behind --text.";
    return error;
}

attn::Result<attn::Document> document_from(const std::string& path, std::istream& in) {
    if (attn::is_link(path)) return attn::document_from_link(path);
    std::error_code problem;
    if (std::filesystem::is_directory(path, problem)) return open_model(path);
    if (attn::is_attention_name(path)) return open_attention(path);
    const bool piped = path == "-";
    auto bytes = piped ? read_all(in) : attn::read_file(path, kMaxInput);
    if (!bytes) return not_there(path, bytes.error());
    if (attn::is_link(*bytes)) return attn::document_from_link(*bytes);
    if (!piped && attn::is_attention_json(*bytes)) return open_attention(path);
    if (piped) return attn::document_from_json(*bytes, kStandardInput, {.folders = true});
    return attn::document_from_json(*bytes, attn::visible_text(path), {.folders = true, .base = own_folder(path)});
}

attn::Result<std::vector<std::string>> texts_from(const std::string& path, std::istream& in) {
    const auto bytes = path == "-" ? read_all(in) : attn::read_file(path, kMaxInput);
    if (!bytes) return bytes.error();
    std::vector<std::string> out;
    std::istringstream lines(*bytes);
    for (std::string line; std::getline(lines, line);) {
        line = without_last_break(std::move(line));
        if (line.find_first_not_of(" \t") != std::string::npos) out.push_back(std::move(line));
    }
    if (out.empty()) return attn::Error{"there is no text in it; each line is one", path == "-" ? std::string(kStandardInput) : attn::visible_text(path), "", 0};
    return out;
}

namespace {

/// FILE is itself what --model or --attention replaces, and says nothing else: it would be passed over without a word.
std::optional<attn::Error> unread_file(const DocumentArguments& arguments, const attn::Document& read) {
    if (arguments.model.empty() && arguments.attention.empty()) return std::nullopt;
    std::error_code problem;
    attn::Document attention;
    if (read.attention) attn::take_attention(attention, read.attention);
    const bool folder = std::filesystem::is_directory(arguments.file, problem);
    if (!folder && !(read.attention && read == attention)) return std::nullopt;
    return attn::Error{fmt::format("{} would be passed over, because {} names another; name one of the two", folder ? "this model" : "this attention",
                                   arguments.attention.empty() ? "--model" : "--attention"),
                       attn::visible_text(arguments.file), "", 0};
}

}  // namespace

attn::Result<attn::Document> load_document(const DocumentArguments& arguments, std::istream& in) {
    take_memory(arguments.memory);
    attn::Document document;
    if (arguments.file == "-" && arguments.text == "-")
        return attn::Error{"document and text cannot both come from standard input", "", "", 0};
    if (!arguments.file.empty()) {
        auto read = document_from(arguments.file, in);
        if (!read) return read;
        if (auto unread = unread_file(arguments, *read)) return *unread;
        document = std::move(*read);
    }
    if (!arguments.model.empty()) {
        auto model = attn::find_model(arguments.model, {.folders = true});
        if (!model) return model.error();
        // A document has its texts; without one, use the model's own.
        arguments.file.empty() ? use_model(document, *model) : attn::take_model(document, std::move(*model));
    }
    if (!arguments.picture.empty())
        if (auto done = take_setting(document, "picture=" + arguments.picture); !done) {
            attn::Error error = done.error();
            error.where = "--picture";
            error.key.clear();
            return error;
        }
    if (!arguments.attention.empty()) {
        auto attention = attn::find_attention(arguments.attention, {.folders = true});
        if (!attention) return attention.error();
        attn::take_attention(document, std::move(*attention));
    }
    if (!arguments.tokens.empty())
        if (auto done = take_tokens(document, arguments.tokens); !done) return done.error();
    if (arguments.text)
        if (auto done = take_text(document, *arguments.text, in); !done) return done.error();
    if (arguments.source) document.source = *arguments.source;
    if (!arguments.gradient.empty())
        if (auto done = take_setting(document, "gradient=" + arguments.gradient); !done) {
            attn::Error error = done.error();
            error.where = "--gradient";
            error.key.clear();
            return error;
        }
    for (const std::string& setting : arguments.settings)
        if (auto done = take_setting(document, setting); !done) return done.error();
    if (auto unread = unread_source(document, arguments)) return *unread;
    if (auto wrong = attn::problems(document); !wrong.empty()) return wrong.front();
    if (attn::wants_picture(document)) return attn::Error{std::string(attn::kPictureWanted), "", "picture", 0};
    return document;
}

namespace {

/// The first unused edits by name: their author wants to know which had no effect.
std::string unused_edits(const attn::Run& run) {
    constexpr std::size_t kNamed = 3;
    std::vector<std::string> names;
    for (const attn::Edit& edit : run.inputs.edits) {
        const attn::Step* step = attn::find(run.trace, edit.tag);
        if (step && edit.row < step->value.rows() && edit.col < step->value.cols()) continue;
        if (names.size() == kNamed) {
            names.emplace_back("…");
            break;
        }
        names.push_back(fmt::format("{}[{}, {}]", attn::step_name(edit.tag), edit.row + 1, edit.col + 1));
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

/// Notes a text longer than any training text.
void tell_longer(Streams& streams, const attn::Inputs& in) {
    if (!in.model) return;
    const attn::train::Longest longest = attn::train::longest_trained(*in.model);
    const auto tell = [&](std::string_view text, std::size_t tokens, int most) {
        if (most > 0 && tokens > static_cast<std::size_t>(most))
            note(streams, fmt::format("{} has {} tokens; the model was trained on texts of {} at most", text, tokens, most));
    };
    tell("the text", in.tokens.size(), longest.text);
    tell("the second text", in.source_tokens.size(), longest.source);
}

/// Notes a text of a shape that no training example had: the result is a guess.
void tell_shape(Streams& streams, const attn::Run& run) {
    const attn::train::Task* const task = run.inputs.model ? attn::train::task_of(*run.inputs.model) : nullptr;
    if (!task || !task->has_shape || run.inputs.source_tokens.empty()) return;
    std::string source;
    for (const std::string& token : run.inputs.source_tokens) source += token;
    if (!task->has_shape(source))
        note(streams, fmt::format("{} is written as no example of the model's training was: it was never taught to read that", attn::in_quotes(source)));
}

}  // namespace

AtEndTellChecked::~AtEndTellChecked() {
    if (!given_ || given_->held) return;
    for (const std::string& sentence : attn::fault_sentences(*given_)) note(streams_, sentence);
    const attn::CheckedRows checked = given_->checked();
    if (!checked.of_all())
        note(streams_, fmt::format("the file is large and stays on disk; checked: the {} of {} maps that were read", checked.maps, checked.all_maps));
}

std::optional<attn::Error> no_text(const attn::Run& run, std::string_view purpose) {
    if (!run.trace.steps.empty()) return std::nullopt;
    // The encoder of a model with a decoder reads --text too; its decoder then has a start token.
    const bool second = !run.inputs.tokens.empty() && !run.inputs.model;
    return attn::Error{fmt::format("there is no {} to {}: write one with {}", second ? "second text" : "text", purpose, second ? "--source" : "--text"), "", "", 0};
}

void tell_notes(Streams& streams, const attn::Run& run) {
    if (const auto& given = run.inputs.attention) {
        if (given->texts > 1)
            note(streams, fmt::format("the file holds {} texts; this is text {} (--set attention_text=N takes another)", given->texts, given->text + 1));
        if (given->held)
            for (const std::string& sentence : attn::fault_sentences(*given)) note(streams, sentence);
    }
    if (run.inputs.model && run.inputs.model->tokenizer)
        for (const std::string& sentence : run.inputs.model->tokenizer->notes()) note(streams, sentence);
    if (!run.unknown.empty()) {
        std::string words;
        for (const std::string& word : run.unknown) words += (words.empty() ? "" : ", ") + attn::visible(word);
        note(streams, fmt::format("not in the model's vocabulary: {}", words));
    }
    if (run.inputs.model)
        for (const attn::ModelNote& one : run.inputs.model->notes) note(streams, model_note_text(one, Language::English));
    tell_longer(streams, run.inputs);
    tell_shape(streams, run);
    if (run.cut) note(streams, fmt::format("the text is long: only the first {} tokens are used", attn::kMaxTokens));
    if (run.replaced > 0) note(streams, fmt::format("{} invalid byte sequences are shown as U+FFFD", run.replaced));
    if (run.growing_source)
        note(streams, "local_p: S is the number of tokens at each step, so its places are predicted anew as the text grows");
    if (run.unused_edits > 0)
        note(streams, fmt::format("{} of the edits concern cells that this computation does not have: {}", run.unused_edits,
                                  unused_edits(run)));
}

}  // namespace app
