#pragma once
// Ctrl-C during long work: noticed between two pieces of it, so that nothing half-done is left behind.

#include <memory>

namespace app {

/// While it lives, SIGINT, SIGTERM and SIGHUP wait (for this thread and for threads begun later); `requested` says
/// whether one does. When it goes, a waiting signal does what it always does, which usually is to end the process.
/// Signals that were ignored stay ignored.
class Interrupt {
public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    bool requested() const;

private:
    struct Waiting;
    std::unique_ptr<Waiting> waiting_;
};

}  // namespace app
