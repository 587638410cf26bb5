#pragma once
// What every subcommand is made of: a page of the manual, options, and a function that runs. To add one: a file and
// a row in cli.cpp.

#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace app {

class Parser;

/// How the program ends; the numbers are part of the command line's contract.
enum class Exit : int { Ok = 0, Failure = 1, Usage = 2, BadInput = 3, NoDisplay = 4 };

/// What a command reads and writes, so that tests can run it in their own process.
struct Streams {
    std::istream& in;
    std::ostream& out;
    std::ostream& err;
    bool out_is_terminal = false;
};

/// Everything of a page of the manual that the options do not say themselves. Paragraphs are parted by empty lines and
/// wrapped; lines that begin with a blank stay as they are.
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
    /// Declares arguments and options; what it returns runs the command once they have been read.
    Runner (*declare)(Parser&);
};

/// "attenscope: " and the error, with nothing in it that acts on a terminal. Returns `exit`.
Exit fail(Streams& streams, Exit exit, const attn::Error& error);
Exit fail(Streams& streams, Exit exit, std::string_view message);
/// A line of the answer, with nothing in it that acts on a terminal.
void say(Streams& streams, std::string_view line);
/// A line that is no failure: "attenscope: note: …".
void note(Streams& streams, std::string_view message);

}  // namespace app
