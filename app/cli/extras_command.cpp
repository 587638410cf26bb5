#include "app/cli/extras_command.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "app/cli/cli.h"
#include "app/cli/completion.h"
#include "app/cli/manual.h"
#include "app/cli/output.h"
#include "app/cli/parser.h"
#include "app/cli/window_command.h"
#include "app/export/png.h"
#include "app/gfx/icon.h"
#include "core/io/files.h"

namespace app {
namespace {

constexpr int kIconSizes[] = {16, 22, 24, 32, 48, 64, 96, 128, 256, 512};  // in pixels, the sizes of hicolor's folders

struct ExtrasOptions {
    std::string what, page, folder;
};

/// The program itself, then its commands.
std::vector<const Command*> all_commands() {
    std::vector<const Command*> out = {&kWindowCommand};
    out.insert(out.end(), commands().begin(), commands().end());
    return out;
}

std::vector<std::string_view> command_names() {
    std::vector<std::string_view> out;
    for (const Command* command : commands()) out.push_back(command->manual.name);
    return out;
}

std::vector<Option> options_of(const Command& command) {
    Parser parser;
    command.declare(parser);
    return {parser.options().begin(), parser.options().end()};
}

std::vector<CompletedCommand> completed_commands() {
    std::vector<CompletedCommand> out;
    for (const Command* command : all_commands()) out.push_back({command->manual.name, command->manual.summary, options_of(*command)});
    return out;
}

std::string manual_of(const Command& command) {
    const bool program = command.manual.name.empty();
    return manual_roff(command.manual, options_of(command), program ? commands() : std::span<const Command* const>{});
}

std::string manual_of(std::string_view name) {
    for (const Command* command : all_commands())
        if (command->manual.name == name) return manual_of(*command);
    return {};
}

/// Writes each file to its place below `share`.
class ShareFolder {
public:
    explicit ShareFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

    void write(const std::string& name, std::string_view bytes) {
        if (error_) return;
        std::error_code problem;
        std::filesystem::create_directories((folder_ / name).parent_path(), problem);
        if (const auto done = attn::atomic_write(folder_ / name, bytes); !done) error_ = done.error();
    }
    const std::optional<attn::Error>& error() const { return error_; }

private:
    std::filesystem::path folder_;
    std::optional<attn::Error> error_;
};

Exit write_all(Streams& streams, const std::string& folder) {
    if (folder.empty()) return fail(streams, Exit::Usage, "all needs a folder: -o DIR");
    if (const auto begun = begin_folder(folder); !begun) return fail(streams, Exit::Failure, begun.error());
    ShareFolder share(folder);
    const std::vector<CompletedCommand> completed = completed_commands();
    share.write("bash-completion/completions/attenscope", bash_completion(completed));
    share.write("zsh/site-functions/_attenscope", zsh_completion(completed));
    for (const Command* command : all_commands()) share.write("man/man1/" + manual_name(command->manual) + ".1", manual_of(*command));
    for (const int size : kIconSizes) {
        const auto png = encode_png(gfx::app_icon(size));
        if (!png) return fail(streams, Exit::Failure, png.error());
        share.write(fmt::format("icons/hicolor/{0}x{0}/apps/attenscope.png", size), {reinterpret_cast<const char*>(png->data()), png->size()});
    }
    if (share.error()) return fail(streams, Exit::Failure, *share.error());
    finish_folder(folder);
    return Exit::Ok;
}

Exit run_extras(const ExtrasOptions& options, Streams& streams) {
    if (options.what != "manual" && !options.page.empty()) return fail(streams, Exit::Usage, "COMMAND goes with manual alone");
    if (options.what != "all" && !options.folder.empty()) return fail(streams, Exit::Usage, "-o goes with all alone");
    if (options.what == "all") return write_all(streams, options.folder);
    const std::string text = options.what == "bash"  ? bash_completion(completed_commands())
                             : options.what == "zsh" ? zsh_completion(completed_commands())
                                                     : manual_of(options.page);
    return write_output(streams, "", text, Content::Text);
}

Runner declare_extras(Parser& parser) {
    const auto options = std::make_shared<ExtrasOptions>();
    parser.add({.name = "WHAT", .help = "bash, zsh, manual or all.", .choices = {"bash", "zsh", "manual", "all"}, .required = true},
               options->what);
    parser.add({.name = "COMMAND", .help = "manual: the command whose page it is; without it the program's own.", .choices = command_names()},
               options->page);
    parser.add({.name = "-o,--output", .value = "DIR", .help = "all: the folder to write into, as share/ of an installation; made if it is missing."},
               options->folder);
    return [options](Streams& streams) { return run_extras(*options, streams); };
}

}  // namespace

const Command kExtrasCommand = {
    {
        .name = "extras",
        .summary = "prints what is installed beside the program",
        .synopsis = R"( attenscope extras bash
 attenscope extras zsh
 attenscope extras manual [COMMAND]
 attenscope extras all -o DIR)",
        .description =
            R"(bash and zsh print what these shells complete behind attenscope: commands, options, the values of options that have few, and else files. manual prints a page as man reads it. all writes them and the icons into a folder, each where it belongs below share/. A package has them in their places; this is for a program that was built or unpacked.)",
        .examples = R"( source <(attenscope extras bash)
 attenscope extras manual trace | man -l -
 attenscope extras all -o ~/.local/share)",
    },
    declare_extras,
};

}  // namespace app
