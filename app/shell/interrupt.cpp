#include "app/shell/interrupt.h"

#include <csignal>
#include <initializer_list>

namespace app {
namespace {

constexpr std::initializer_list<int> kSignals = {SIGINT, SIGTERM, SIGHUP};

bool is_ignored(int signal) {
    struct sigaction action {};
    return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

struct Interrupt::Waiting {
    sigset_t watched{};
    sigset_t before{};
};

Interrupt::Interrupt() : waiting_(std::make_unique<Waiting>()) {
    sigemptyset(&waiting_->watched);
    for (const int signal : kSignals)
        if (!is_ignored(signal)) sigaddset(&waiting_->watched, signal);
    pthread_sigmask(SIG_BLOCK, &waiting_->watched, &waiting_->before);
}

Interrupt::~Interrupt() { pthread_sigmask(SIG_SETMASK, &waiting_->before, nullptr); }

bool Interrupt::requested() const {
    sigset_t waiting;
    sigemptyset(&waiting);
    sigpending(&waiting);
    for (const int signal : kSignals)
        if (sigismember(&waiting, signal) == 1 && sigismember(&waiting_->watched, signal) == 1) return true;
    return false;
}

}  // namespace app
