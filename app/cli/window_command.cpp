#include "app/cli/window_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <ostream>
#include <utility>

#include "app/cli/document_arguments.h"
#include "app/cli/output.h"
#include "app/cli/parser.h"
#include "app/cli/version.h"
#include "app/shell/open_files.h"
#include "app/state/state.h"
#include "app/ui/theme.h"
#include "core/document/link.h"
#include "core/model/attention_file/given_attention.h"
#include "core/model/given_picture.h"
#include "core/train/tasks.h"

namespace app {
namespace {

/// Whether the argument is a document: "-" is one on standard input; a file has one of the endings .json, .npz, .npy or
/// .safetensors; a link has its prefix; a model's folder is named with a slash, such as ./gpt2 or gpt2/.
bool is_document(const std::vector<std::string>& words) {
    if (words.size() != 1) return false;
    const std::string& word = words.front();
    std::error_code problem;
    return word == "-" || word.ends_with(".json") || attn::is_attention_name(word) || attn::is_link(word) ||
           (std::filesystem::path(word).has_parent_path() && std::filesystem::is_directory(word, problem));
}

Runner declare_window(Parser& parser) {
    const auto arguments = std::make_shared<WindowArguments>();
    parser.add({.name = "FILE|TEXT",
                .help = "A document (one name that ends in .json, a link attenscope:1:…, or - for standard input), a file "
                        "of attention (.npz, .npy, .safetensors, .json), the folder of a model (./gpt2), or the words of a text. "
                        "Without either the last document comes back."},
               arguments->words);
    parser.add({.name = "--model",
                .value = "MODEL",
                .help = "Opens a model with the text: one of `attenscope list models`, or a folder in Hugging Face's layout."},
               arguments->model);
    parser.add({.name = "--picture",
                .value = "FILE.png",
                .help = "The picture, a PNG or a JPEG, that a model of pictures (ViT) looks at: with --model, or with its folder."},
               arguments->picture);
    parser.add({.name = "--language",
                .value = "LANGUAGE",
                .help = "en or zh; without it as the last time.",
                .choices = {"en", "zh"}},
               arguments->language);
    parser.add(
        {.name = "--theme", .value = "THEME", .help = "light, dark or projector.", .choices = ids_of(themes())},
        arguments->theme);
    parser.add({.name = "--scale",
                .value = "K",
                .help = "Size of the interface, on top of the display's own.",
                .check = number_between(double(kMinScale), double(kMaxScale))},
               arguments->scale);
    declare_memory(parser, arguments->memory);
    declare_count_from(parser, arguments->count_from);
    parser.add({.name = "--assets",
                .value = "DIR",
                .help = "Reads shaders and assets from this folder, not from the program."},
               arguments->assets);
    parser.add({.name = "--chapter",
                .value = "FILE",
                .help = "Opens a chapter of your own, and shows each edit of it when it is saved."},
               arguments->chapter);
    parser.add({.name = "--notes",
                .help = "Writes the teacher's notes of each page, the answer to its question and the next page to this "
                        "terminal, while the window is before the class."},
               arguments->notes);
    parser.add({.name = "--no-restore", .help = "Begins with an example, not with the last document."},
               arguments->no_restore);
    parser.add({.name = "--report",
                .value = "OUT",
                .help = "Writes what the window shows to this file, as JSON, whenever it has changed; for tests."},
               arguments->report);
    parser.add({.name = "--version",
                .help = "Prints the versions of the program, Dear ImGui, OpenGL, Eigen and the compiler, and the SIMD "
                        "instructions in use."},
               arguments->version);
    return [arguments](Streams& streams) { return run_window_command(*arguments, streams); };
}

}  // namespace

const Command kWindowCommand = {
    {
        .name = "",
        .summary = "attention, computed and shown number by number",
        .synopsis = R"( attenscope [OPTIONS] [FILE|TEXT...]
 attenscope COMMAND [OPTIONS] [ARGUMENTS])",
        .description =
            R"(Opens a window in which a sentence is turned into attention step by step, in English or in Chinese, with every number explained by the numbers that made it. Space plays, the arrow keys step, pointing at a number shows the sum behind it, F1 lists the keys.

With a command it does the same work without a window. A text that begins with a command's name goes behind --.)",
        .examples = R"( attenscope
 attenscope 早上好
 attenscope the tired cat sat down
 attenscope --language zh --theme projector chapter.json
 attenscope -- list of words
 attenscope trace --text 早上好 -o trace.json)",
        .environment =
            R"(DISPLAY: the X display; Wayland sessions provide one, too.

LC_ALL, LC_MESSAGES, LANG: the language of the first start; zh... is Chinese, all else English.

XDG_CONFIG_HOME, XDG_STATE_HOME: where settings and the last document are stored; relative values are ignored.)",
        .files = R"( $XDG_CONFIG_HOME/attenscope (~/.config/attenscope)      settings (settings.json: "fonts" is a
                                                         folder of typefaces that come first,
                                                         "memory" the MiB of --memory)
 $XDG_STATE_HOME/attenscope (~/.local/state/attenscope)  the last document)",
    },
    declare_window,
};

attn::Result<WindowOptions> window_options(const WindowArguments& arguments, std::istream& in) {
    WindowOptions options;
    if (is_document(arguments.words)) {
        auto read = document_from(arguments.words.front(), in);
        if (!read) return read.error();
        options.document = std::move(*read);
    } else if (!arguments.words.empty()) {
        options.text = fmt::format("{}", fmt::join(arguments.words, " "));
    }
    if (!arguments.model.empty()) {
        const Language language = find_language(arguments.language).value_or(system_language());
        auto read = open_model(arguments.model, language);
        if (!read) return read.error();
        if (options.text) attn::train::give_task_sentence(*read, *std::exchange(options.text, std::nullopt), language == Language::Chinese);
        options.document = std::move(*read);
    }
    if (!arguments.picture.empty()) {
        auto read = attn::find_picture(arguments.picture, {.folders = true});
        if (!read) return read.error();
        if (!options.document || !take_picture(*options.document, std::move(*read)))
            return attn::Error{"a picture is looked at by a model of pictures (ViT); name its folder with --model", "--picture", "", 0};
    }
    options.language = find_language(arguments.language);
    if (!arguments.theme.empty()) options.theme = arguments.theme;
    options.scale = arguments.scale;
    options.memory = arguments.memory;
    options.count_from = attn::find_count_from(arguments.count_from);
    options.assets = arguments.assets;
    options.chapter = arguments.chapter;
    options.restore = !arguments.no_restore;
    options.notes = arguments.notes;
    options.report = arguments.report;
    return options;
}

Exit run_window_command(const WindowArguments& arguments, Streams& streams) {
    if (arguments.version) return write_output(streams, "", version_text(), Content::Text);
    const auto options = window_options(arguments, streams.in);
    if (!options) return fail(streams, Exit::BadInput, options.error());
    return static_cast<Exit>(run_window(*options));
}

}  // namespace app
