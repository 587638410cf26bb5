#include "app/cli/interrupt.h"

#include <initializer_list>

namespace app {
namespace {

constexpr std::initializer_list<int> kSignals = {SIGINT, SIGTERM, SIGHUP};

bool is_ignored(int signal) {
    struct sigaction action {};
    return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

Interrupt::Interrupt() {
    sigemptyset(&watched_);
    for (const int signal : kSignals)
        if (!is_ignored(signal)) sigaddset(&watched_, signal);
    pthread_sigmask(SIG_BLOCK, &watched_, &before_);
}

Interrupt::~Interrupt() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

bool Interrupt::requested() const {
    sigset_t waiting;
    sigemptyset(&waiting);
    sigpending(&waiting);
    for (const int signal : kSignals)
        if (sigismember(&waiting, signal) == 1 && sigismember(&watched_, signal) == 1) return true;
    return false;
}

}  // namespace app
