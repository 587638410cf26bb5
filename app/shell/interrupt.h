#pragma once
// Ctrl+C during long work: noticed between two pieces of it, so that nothing half-done is left.

#include <memory>

namespace app {

/// While it exists, SIGINT, SIGTERM and SIGHUP are blocked (for this thread and threads started later), and `requested`
/// tells whether one is pending. When it is destroyed, a pending signal takes its usual effect, which mostly ends the
/// process. Signals that were ignored stay ignored.
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
