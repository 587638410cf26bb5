#pragma once
// Another run of this program, for what must not hold up the window: a picture drawn with its own OpenGL context.

#include <functional>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace app {

/// The path of this very program.
std::string own_program();

struct ChildJob {
    std::string program;                          ///< its path
    std::vector<std::string> arguments;           ///< without the program's name
    std::string input;                            ///< its standard input
    std::function<void(float share)> progress{};  ///< told by lines "progress 0.5" on its standard output
    std::function<bool()> cancelled{};            ///< asked a few times a second; true: it is told to end
};

/// Runs it to its end and waits. Error: it cannot be started, or what it said last on its standard error when it
/// failed. Must not be called on the thread that draws.
attn::Result<attn::Done> run_child(const ChildJob& job);

}  // namespace app
