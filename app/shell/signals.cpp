#include "app/shell/signals.h"

#include <pthread.h>
#include <signal.h>

#include <initializer_list>

#include "app/shell/waker.h"

namespace app {
namespace {

sigset_t quit_signals() {
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&set, signal);
    return set;
}

}  // namespace

void begin_process() {
    struct sigaction action {};
    action.sa_handler = SIG_IGN;
    sigemptyset(&action.sa_mask);
    for (const int signal : {SIGXFSZ, SIGPIPE}) sigaction(signal, &action, nullptr);
}

QuitSignals::QuitSignals(Waker& waker) {
    const sigset_t set = quit_signals();
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    thread_ = std::thread([this, &waker, set] {
        int signal = 0;
        while (sigwait(&set, &signal) == 0 && !ending_) {
            came_ = true;
            waker.wake();
        }
    });
}

QuitSignals::~QuitSignals() {
    ending_ = true;
    pthread_kill(thread_.native_handle(), SIGTERM);  // to that thread alone: ends its wait
    thread_.join();
    const sigset_t set = quit_signals();
    pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

}  // namespace app
