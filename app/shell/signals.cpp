#include "app/shell/signals.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <initializer_list>
#include <utility>

#include "app/shell/waker.h"

namespace app {
namespace {

constexpr std::array kFaults = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
constexpr std::size_t kStackBytes = std::size_t{64} << 10;  // more than any system requires

/// The data of the handler, which must not allocate or lock and gets only a number from the system.
std::string& last_sentence() {
    static std::string sentence;
    return sentence;
}
/// A stack for the handler, in case the thread's own has overflowed.
std::byte* spare_stack() {
    alignas(16) static std::array<std::byte, kStackBytes> stack;
    return stack.data();
}

/// Sets the signal's handler to `next`, but only if it is `before` now.
void hand_over(int signal, void (*before)(int), void (*next)(int), int flags) {
    struct sigaction now {};
    if (sigaction(signal, nullptr, &now) != 0 || (now.sa_flags & SA_SIGINFO) || now.sa_handler != before) return;
    struct sigaction action {};
    action.sa_handler = next;
    action.sa_flags = flags;
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, nullptr);
}

/// The signal's handler has been reset by now: raised again, the signal has its usual effect.
void say_last_sentence(int signal) {
    const std::string& sentence = last_sentence();
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, sentence.data(), sentence.size());
    ::raise(signal);
}

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

LastSentence::LastSentence(std::string sentence) {
    last_sentence() = std::move(sentence) + '\n';
    stack_t before{};
    own_stack_ = sigaltstack(nullptr, &before) == 0 && (before.ss_flags & SS_DISABLE);
    const stack_t stack{spare_stack(), 0, kStackBytes};
    if (own_stack_) sigaltstack(&stack, nullptr);
    for (const int signal : kFaults) hand_over(signal, SIG_DFL, say_last_sentence, static_cast<int>(SA_RESETHAND | SA_NODEFER | SA_ONSTACK));
}

LastSentence::~LastSentence() {
    for (const int signal : kFaults) hand_over(signal, say_last_sentence, SIG_DFL, 0);
    const stack_t none{nullptr, SS_DISABLE, 0};
    if (own_stack_) sigaltstack(&none, nullptr);
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
    pthread_kill(thread_.native_handle(), SIGTERM);  // to that thread only; ends its wait
    thread_.join();
    const sigset_t set = quit_signals();
    pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

}  // namespace app
