#pragma once
// What the system does of itself with a process, where it is in the way, and where nothing is left but a sentence.

#include <string>

namespace app {

/// A file beyond the limit (SIGXFSZ), and output whose reader has gone (SIGPIPE): the write fails instead, and what
/// wrote says so in a sentence and leaves nothing half-done behind. For the whole program, before anything is written.
/// On Windows, too, what is written are bytes in UTF-8, and HOME, XDG_… and LANG name what they name elsewhere.
void begin_process();

/// While one lives, a fault that ends the process (in a graphics driver that was refused memory, say) writes `sentence`
/// to the standard error before it does: the system's own handling follows, with its exit status and its core file. A
/// signal that something else already looks at is left to it. At most one at a time, on the thread that draws.
class LastSentence {
public:
    explicit LastSentence(std::string sentence);
    ~LastSentence();
    LastSentence(const LastSentence&) = delete;
    LastSentence& operator=(const LastSentence&) = delete;

private:
    [[maybe_unused]] bool own_stack_ = false;  ///< nothing else had put one by for handlers
};

}  // namespace app
