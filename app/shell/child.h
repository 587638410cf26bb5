#pragma once
// Another process of this program, for work that must not hold up the window: a picture drawn with its own OpenGL
// context.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace app {

/// The path of this program.
std::string own_program();

struct ChildJob {
    std::string program;                          ///< its path
    std::vector<std::string> arguments;           ///< without the program's name
    std::string input;                            ///< its standard input
    std::function<void(float share)> progress{};  ///< called for lines "progress 0.5" on its standard output
    std::function<bool()> cancelled{};            ///< called a few times per second; true: the process is asked to end
};

/// Runs it and waits until it ends. Error: it cannot be started, or the last message on its standard error if it
/// failed. Must not be called on the thread that draws.
attn::Result<attn::Done> run_child(const ChildJob& job);

/// What an export says that ended for want of memory.
inline attn::Error no_memory_to_write() { return {"there is not enough memory for this; nothing was written", "", "", 0}; }

/// A process that runs while its owner goes on. When it is destroyed, it is cancelled first.
class RunningChild {
public:
    virtual ~RunningChild() = default;
    /// Asks it to end.
    virtual void cancel() = 0;
};

/// Starts it; `job.cancelled` is not used. `ended` is called once with the result that run_child() would return; it and
/// `job.progress` may be called on another thread, and where no thread can be started, before this returns.
std::unique_ptr<RunningChild> start_child(ChildJob job, std::function<void(attn::Result<attn::Done>)> ended);

}  // namespace app
