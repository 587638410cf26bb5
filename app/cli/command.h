#pragma once
// The parts of a subcommand: its manual page, its options, and a function that runs it. To add one: a file, and a row
// in cli.cpp.

#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace app {

class Parser;

/// Exit statuses; the numbers are part of the command line's contract.
enum class Exit : int { Ok = 0, Failure = 1, Usage = 2, BadInput = 3, NoDisplay = 4 };

/// What a command reads and writes, so that tests can run it in their own process.
struct Streams {
    std::istream& in;
    std::ostream& out;
    std::ostream& err;
    bool out_is_terminal = false;
};

/// The manual page except for what the options say themselves. Paragraphs are separated by empty lines and wrapped;
/// lines that begin with a space are kept as they are.
struct Manual {
    std::string_view name;  ///< "trace"; empty: the program itself
    std::string_view summary;
    std::string_view synopsis;
    std::string_view description;
    std::string_view examples;
    std::string_view environment = {};
    std::string_view files = {};
};

using Runner = std::function<Exit(Streams&)>;

struct Command {
    Manual manual;
    /// Declares arguments and options; the returned function runs the command after they have been parsed.
    Runner (*declare)(Parser&);
};

/// Prints "attenscope: " and the error, with terminal control characters made visible. Returns `exit`.
Exit fail(Streams& streams, Exit exit, const attn::Error& error);
Exit fail(Streams& streams, Exit exit, std::string_view message);
/// Prints a line of the answer, with terminal control characters made visible.
void say(Streams& streams, std::string_view line);
/// Prints a line that is not an error: "attenscope: note: …".
void note(Streams& streams, std::string_view message);

}  // namespace app
