#pragma once
// Signals that end a process: where an error would do, and where nothing is left but a sentence.

#include <string>

namespace app {

/// A file beyond the limit (SIGXFSZ), and output whose reader has gone (SIGPIPE): the write fails instead, and what
/// wrote says so in a sentence and leaves nothing half-done behind. For the whole program, before anything is written.
void take_write_signals_as_errors();

/// While one lives, a fault that ends the process (in a graphics driver that was refused memory, say) writes `sentence`
/// to the standard error before it does: the system's own handling follows, with its exit status and its core file. A
/// signal that something else already looks at is left to it. At most one at a time, on the thread that draws.
class LastSentence {
public:
    explicit LastSentence(std::string sentence);
    ~LastSentence();
    LastSentence(const LastSentence&) = delete;
    LastSentence& operator=(const LastSentence&) = delete;
};

}  // namespace app
