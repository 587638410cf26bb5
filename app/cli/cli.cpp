#include "app/cli/cli.h"

#include <system_error>
#include <algorithm>
#include <array>
#include <new>
#include <ostream>

#include "app/cli/attribute_command.h"
#include "app/cli/chapter_command.h"
#include "app/cli/circuits_command.h"
#include "app/cli/compare_command.h"
#include "app/cli/describe_command.h"
#include "app/cli/explain_command.h"
#include "app/cli/extras_command.h"
#include "app/cli/heads_command.h"
#include "app/cli/intervene_command.h"
#include "app/cli/link_command.h"
#include "app/cli/list_command.h"
#include "app/cli/manual.h"
#include "app/cli/model_command.h"
#include "app/cli/next_command.h"
#include "app/cli/output.h"
#include "app/cli/parser.h"
#include "app/cli/render_command.h"
#include "app/cli/residual_command.h"
#include "app/cli/schema_command.h"
#include "app/cli/tokens_command.h"
#include "app/cli/trace_command.h"
#include "app/cli/train_command.h"
#include "app/cli/window_command.h"

namespace app {
namespace {

constexpr std::array kCommands = {&kTraceCommand,  &kExplainCommand, &kRenderCommand,   &kListCommand,
                                  &kSchemaCommand, &kLinkCommand,    &kDescribeCommand, &kChapterCommand,
                                  &kTrainCommand,  &kModelCommand,   &kHeadsCommand,    &kTokensCommand,
                                  &kNextCommand,   &kAttributeCommand, &kAblateCommand, &kPatchCommand, &kResidualCommand, &kCircuitsCommand, &kCompareCommand, &kExtrasCommand};

/// The program's own page and options if the first argument is not a command: a text may contain any word.
const Command& choose(std::span<const std::string> arguments) {
    const auto found = std::find_if(kCommands.begin(), kCommands.end(), [&](const Command* command) {
        return !arguments.empty() && arguments.front() == command->manual.name;
    });
    return found == kCommands.end() ? kWindowCommand : **found;
}

Exit usage_error(const Command& command, const std::string& message, Streams& streams) {
    const std::string name = command.manual.name.empty() ? "" : " " + std::string(command.manual.name);
    return fail(streams, Exit::Usage, message + "\nTry `attenscope" + name + " --help`.");
}

Exit run_command(const Command& command, std::span<const std::string> arguments, Streams& streams) {
    Parser parser;
    const Runner run = command.declare(parser);
    const Parser::Outcome outcome = parser.parse(arguments);
    switch (outcome.wish) {
        case Parser::Wish::Run:
            return run(streams);
        case Parser::Wish::Error:
            return usage_error(command, outcome.message, streams);
        case Parser::Wish::Help:
            break;
    }
    const bool program = command.manual.name.empty();
    const auto listed = program ? commands() : std::span<const Command* const>{};
    return write_output(streams, "", manual_page(command.manual, parser.options(), listed), Content::Text);
}

}  // namespace

std::span<const Command* const> commands() { return kCommands; }

int run_cli(std::span<const std::string> arguments, Streams& streams) {
    const Command& command = choose(arguments);
    if (!command.manual.name.empty()) arguments = arguments.subspan(1);
    try {
        return static_cast<int>(run_command(command, arguments, streams));
    } catch (const std::bad_alloc&) {
        return static_cast<int>(fail(streams, Exit::Failure, "there is not enough memory for this"));
    } catch (const std::system_error&) {
        return static_cast<int>(fail(streams, Exit::Failure, "the system refuses another thread (the limit of processes: ulimit -u)"));
    } catch (const std::exception& error) {
        return static_cast<int>(fail(streams, Exit::Failure, error.what()));
    }
}

}  // namespace app
