#pragma once
// Replaces default signal handling where it is in the way, and reports crashes with a sentence.

#include <string>

namespace app {

/// Makes writing fail with an error, instead of a signal, for a file beyond the size limit (SIGXFSZ) and for output
/// whose reader has gone (SIGPIPE), so that the writer can report it and leave nothing half-done. For the whole
/// program; call before anything is written. On Windows it also switches output to raw UTF-8 bytes and sets HOME, XDG_…
/// and LANG as on other systems.
void begin_process();

/// While it exists, a fault that ends the process (in a graphics driver that ran out of memory, say) first writes
/// `sentence` to the standard error; then the system's own handling follows, with its exit status and core file. A
/// signal that already has a handler is left alone. At most one at a time, on the thread that draws.
class LastSentence {
public:
    explicit LastSentence(std::string sentence);
    ~LastSentence();
    LastSentence(const LastSentence&) = delete;
    LastSentence& operator=(const LastSentence&) = delete;

private:
    [[maybe_unused]] bool own_stack_ = false;  ///< nobody else had set an alternative signal stack
};

}  // namespace app
