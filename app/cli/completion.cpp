#include "app/cli/completion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace app {
namespace {

bool takes_value(const Option& option) { return !option.is_argument() && !option.value.empty(); }

/// "trace|explain|…": the commands by name.
std::string names_of(std::span<const CompletedCommand> commands) {
    std::string out;
    for (const CompletedCommand& command : commands) out.append(out.empty() ? "" : "|").append(command.name);
    return out;
}

/// Quoted for a shell.
std::string shell_quoted(std::string_view text) {
    std::string out = "'";
    for (const char c : text) c == '\'' ? out += "'\\''" : out += c;
    return out + "'";
}

/// The first sentence without its full stop.
std::string_view first_sentence(std::string_view text) {
    text = text.substr(0, std::min(text.find(". "), text.find("; ")));
    if (text.ends_with('.')) text.remove_suffix(1);
    return text;
}

/// Escapes what zsh's _arguments and _describe would take for a delimiter.
std::string zsh_escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
        out += c;
    }
    return out;
}

/// "MESSAGE:ACTION", for a value or an argument.
std::string zsh_value(std::string_view message, const Option& option) {
    const std::string action = option.choices.empty() ? "_files" : fmt::format("({})", fmt::join(option.choices, " "));
    return fmt::format("{}:{}", zsh_escaped(message), action);
}

std::string zsh_argument(const Option& option) {
    return shell_quoted(fmt::format("{}:{}", option.repeated ? "*" : "", zsh_value(option.name, option)));
}

std::string zsh_option(const Option& option) {
    const std::vector<std::string> names = option.names();
    std::string rest = fmt::format("[{}]", zsh_escaped(first_sentence(option.help)));
    if (takes_value(option)) rest += ":" + zsh_value(option.value, option);
    if (names.size() == 1) return shell_quoted((option.repeated ? "*" : "") + names.front() + rest);
    return fmt::format("'({})'{{{}}}{}", fmt::join(names, " "), fmt::join(names, ","), shell_quoted(rest));
}

}  // namespace

std::string bash_completion(std::span<const CompletedCommand> commands) {
    std::string values, others, options, arguments;
    for (const CompletedCommand& command : commands) {
        std::vector<std::string> names;
        std::vector<std::string_view> words;
        for (const Option& option : command.options) {
            if (option.is_argument()) {
                words.insert(words.end(), option.choices.begin(), option.choices.end());
                continue;
            }
            for (const std::string& name : option.names()) {
                names.push_back(name);
                if (!takes_value(option)) continue;
                if (option.choices.empty())
                    others += fmt::format("{}'{} {}'", others.empty() ? "" : "|", command.name, name);
                else
                    values += fmt::format("        '{} {}') words=\"{}\" ;;\n", command.name, name, fmt::join(option.choices, " "));
            }
        }
        if (command.name.empty())
            for (const CompletedCommand& other : commands.subspan(1)) words.push_back(other.name);
        options += fmt::format("                '{}') words=\"{}\" ;;\n", command.name, fmt::join(names, " "));
        arguments += fmt::format("                '{}') words=\"{}\" ;;\n", command.name, fmt::join(words, " "));
    }
    return fmt::format(
        R"(# What bash completes behind attenscope: file names where nothing here fits. Made by `attenscope extras bash`.
_attenscope() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} command= words=
    # --theme=light is three words.
    if [[ $current == = ]]; then
        current=
    elif [[ $before == = ]]; then
        before=${{COMP_WORDS[COMP_CWORD - 2]}}
    fi
    if ((COMP_CWORD > 1)); then
        case ${{COMP_WORDS[1]}} in
            {}) command=${{COMP_WORDS[1]}} ;;
        esac
    fi
    case "$command $before" in
{}        {}) ;;
        *)
            if [[ $current == -* ]]; then
                case $command in
{}                esac
            elif [[ -n $command ]] || ((COMP_CWORD == 1)); then
                case $command in
{}                esac
            fi
            ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}}
complete -o default -F _attenscope attenscope
)",
        names_of(commands.subspan(1)), values, others, options, arguments);
}

std::string zsh_completion(std::span<const CompletedCommand> commands) {
    std::string rows, cases;
    for (const CompletedCommand& command : commands.subspan(1))
        rows += fmt::format("        {}\n", shell_quoted(fmt::format("{}:{}", command.name, zsh_escaped(command.summary))));
    for (const CompletedCommand& command : commands) {
        const bool program = command.name.empty();
        cases += program ? "        *)\n            _arguments" : fmt::format("        {})\n            _arguments", command.name);
        for (const Option& option : command.options)
            if (!option.is_argument()) cases += " \\\n                " + zsh_option(option);
        if (program) cases += " \\\n                '1: :_attenscope_first'";
        for (const Option& option : command.options)
            if (option.is_argument()) cases += " \\\n                " + zsh_argument(option);
        cases += "\n            ;;\n";
    }
    // The program's own case comes first in the table, but last in the script, because it matches everything.
    const std::size_t own = cases.find("            ;;\n") + std::string_view("            ;;\n").size();
    cases = cases.substr(own) + cases.substr(0, own);
    return fmt::format(
        R"(#compdef attenscope
# What zsh completes behind attenscope. Made by `attenscope extras zsh`.

_attenscope_first() {{
    local -a rows=(
{})
    _describe -t commands command rows
    _files
}}

_attenscope() {{
    local command=
    if ((CURRENT > 2)); then
        case $words[2] in
            {}) command=$words[2] && shift words && ((CURRENT--)) ;;
        esac
    fi
    case $command in
{}    esac
}}

_attenscope "$@"
)",
        rows, names_of(commands.subspan(1)), cases);
}

}  // namespace app
