#include "app/cli/manual.h"

#include "app/cli/columns.h"
#include "app/ui/rich_text.h"

namespace app {
namespace {

constexpr std::size_t kColumns = 80;
constexpr std::size_t kManualIndent = 4;
constexpr std::size_t kDeeper = 8;

constexpr std::string_view kExitStatus =
    "    0  done\n"
    "    1  failure: a file cannot be written, memory is short\n"
    "    2  usage: an unknown option, a missing or impossible argument\n"
    "    3  bad input: a document, a text, a step or a cell that cannot be used\n"
    "    4  no display, or no OpenGL 3.3\n";

void section(std::string& out, std::string_view title, std::string_view body) {
    if (body.empty()) return;
    if (!out.empty()) out += '\n';
    out += title;
    out += '\n';
    out += body;
    if (out.back() != '\n') out += '\n';
}

/// Paragraphs are wrapped; lines that begin with a blank are kept.
std::string paragraphs(std::string_view text) {
    std::string out, open;
    const auto close = [&] {
        if (!open.empty()) out += wrapped(open, kManualIndent);
        open.clear();
    };
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.empty() || line.front() == ' ') {
            close();
            out += line.empty() ? "\n" : std::string(kManualIndent, ' ') + std::string(line) + "\n";
        } else {
            if (!open.empty()) open += ' ';
            open += line;
        }
    }
    close();
    return out;
}

std::string option_line(const Option& option) {
    std::string line;
    for (const char c : option.name) line += c == ',' ? std::string(", ") : std::string(1, c);
    return option.value.empty() ? line : line + ' ' + option.value;
}

std::string option_lines(std::span<const Option> options, bool arguments) {
    std::string out;
    for (const Option& option : options)
        if (option.is_argument() == arguments)
            out += std::string(kManualIndent, ' ') + option_line(option) + '\n' + wrapped(option.help, kDeeper);
    return out;
}

std::string command_lines(std::span<const Command* const> commands) {
    std::string out;
    for (const Command* command : commands) {
        std::string name(command->manual.name);
        name.resize(10, ' ');
        out += std::string(kManualIndent, ' ') + name + std::string(command->manual.summary) + '\n';
    }
    if (!out.empty()) out += "\n    `attenscope COMMAND --help` prints the page of each.\n";
    return out;
}

}  // namespace

std::string wrapped(std::string_view text, std::size_t indent) {
    const auto cells = [](std::string_view part) { return static_cast<float>(terminal_width(part)); };
    std::string out;
    for (const std::string_view line : wrap_lines(text, static_cast<float>(kColumns - indent), cells))
        if (!line.empty()) out.append(indent, ' ').append(line) += '\n';
    return out;
}

std::string manual_page(const Manual& manual, std::span<const Option> options,
                        std::span<const Command* const> commands) {
    const std::string name = manual.name.empty() ? "attenscope" : "attenscope " + std::string(manual.name);
    std::string out;
    section(out, "NAME", wrapped(name + " - " + std::string(manual.summary), kManualIndent));
    section(out, "SYNOPSIS", paragraphs(manual.synopsis));
    section(out, "DESCRIPTION", paragraphs(manual.description));
    section(out, "COMMANDS", command_lines(commands));
    section(out, "ARGUMENTS", option_lines(options, true));
    section(out, "OPTIONS", option_lines(options, false));
    section(out, "EXIT STATUS", kExitStatus);
    section(out, "ENVIRONMENT", paragraphs(manual.environment));
    section(out, "FILES", paragraphs(manual.files));
    section(out, "EXAMPLES", paragraphs(manual.examples));
    return out;
}

}  // namespace app
