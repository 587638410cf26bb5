#include "app/shell/waker.h"

#include <pthread.h>
#include <signal.h>

#include <utility>

namespace app {
namespace {

sigset_t quit_signals() {
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&set, signal);
    return set;
}

}  // namespace

void Waker::open(std::function<void()> post) {
    const std::lock_guard lock(mutex_);
    post_ = std::move(post);
}

void Waker::close() { open({}); }

void Waker::wake() {
    const std::lock_guard lock(mutex_);
    if (post_) post_();
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
