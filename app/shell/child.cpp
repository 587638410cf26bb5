#include "app/shell/child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <span>
#include <system_error>
#include <utility>

#include "app/shell/child_words.h"

extern char** environ;

namespace app {
namespace {

constexpr int kPollMilliseconds = 100;
/// A child reads its input first; one that has not done so after this time is given up.
constexpr int kInputSeconds = 20;

attn::Error failure(std::string message) { return {std::move(message), {}, {}, 0}; }
attn::Error failure(int code) { return failure(std::generic_category().message(code)); }

class Descriptor {
public:
    explicit Descriptor(int fd = -1) : fd_(fd) {}
    Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    ~Descriptor() { close(); }
    void close() {
        if (fd_ >= 0) ::close(std::exchange(fd_, -1));
    }
    int get() const { return fd_; }

private:
    int fd_;
};

/// A pipe made of a socket pair, because writing to a socket whose reader has gone can be told not to raise a signal.
struct Stream {
    Descriptor ours, theirs;
    bool open() {
        std::array<int, 2> ends{};
        if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return false;
        ours = Descriptor(ends[0]);
        theirs = Descriptor(ends[1]);
        return true;
    }
};

/// How the child starts: its three streams, and with no signal blocked.
struct Setup {
    posix_spawn_file_actions_t actions{};
    posix_spawnattr_t attributes{};
    Setup() {
        posix_spawn_file_actions_init(&actions);
        posix_spawnattr_init(&attributes);
        sigset_t none;
        sigemptyset(&none);
        posix_spawnattr_setsigmask(&attributes, &none);
        // Nor with signals ignored that this program treats as errors: another program would not expect that.
        sigset_t usual;
        sigemptyset(&usual);
        for (const int signal : {SIGPIPE, SIGXFSZ}) sigaddset(&usual, signal);
        posix_spawnattr_setsigdefault(&attributes, &usual);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    }
    ~Setup() {
        posix_spawn_file_actions_destroy(&actions);
        posix_spawnattr_destroy(&attributes);
    }
    Setup(const Setup&) = delete;
    Setup& operator=(const Setup&) = delete;
};

struct Child {
    pid_t pid = -1;
    Stream in, out, error;
    ChildWords said;

    int start(const ChildJob& job);
    bool feed(std::string_view input) const;
    /// False when both of its streams have ended.
    bool listen(const ChildJob& job);
    std::string_view read(Descriptor& from, std::span<char> block) const;
};

int Child::start(const ChildJob& job) {
    if (!in.open() || !out.open() || !error.open()) return errno;
    Setup setup;
    posix_spawn_file_actions_adddup2(&setup.actions, in.theirs.get(), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&setup.actions, out.theirs.get(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&setup.actions, error.theirs.get(), STDERR_FILENO);
    std::vector<std::string> words{job.program};
    words.insert(words.end(), job.arguments.begin(), job.arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    const int failed = posix_spawn(&pid, job.program.c_str(), &setup.actions, &setup.attributes, argv.data(), environ);
    for (Stream* stream : {&in, &out, &error}) stream->theirs.close();
    return failed;
}

bool Child::feed(std::string_view input) const {
    for (int waited = 0; !input.empty();) {
        pollfd ready{in.ours.get(), POLLOUT, 0};
        if (::poll(&ready, 1, 1000) == 0 && ++waited > kInputSeconds) return false;
        const ssize_t sent = ::send(in.ours.get(), input.data(), input.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && errno != EAGAIN && errno != EINTR) return false;  // the child has ended, and reports why
        if (sent > 0) input.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
}

std::string_view Child::read(Descriptor& from, std::span<char> block) const {
    const ssize_t got = ::recv(from.get(), block.data(), block.size(), MSG_DONTWAIT);
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) from.close();
    return {block.data(), got > 0 ? static_cast<std::size_t>(got) : 0};
}

bool Child::listen(const ChildJob& job) {
    std::array<pollfd, 2> ready{{{out.ours.get(), POLLIN, 0}, {error.ours.get(), POLLIN, 0}}};
    ::poll(ready.data(), ready.size(), kPollMilliseconds);  // closed ones are -1, which poll ignores
    std::array<char, 4096> block;
    if (out.ours.get() >= 0) said.hear(read(out.ours, block), job);
    if (error.ours.get() >= 0) said.hear_error(read(error.ours, block));
    return out.ours.get() >= 0 || error.ours.get() >= 0;
}

}  // namespace

attn::Result<attn::Done> run_child(const ChildJob& job) {
    Child child;
    if (const int failed = child.start(job); failed != 0) return failure(failed);
    child.feed(job.input);
    child.in.ours.close();
    bool signalled = false;
    while (child.listen(job)) {
        if (signalled || !job.cancelled || !job.cancelled()) continue;
        signalled = ::kill(child.pid, SIGTERM) == 0;
    }
    int status = 0;
    while (::waitpid(child.pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return attn::Done{};
    std::string why = child.said.last_line();
    if (why.empty())
        why =
            WIFSIGNALED(status) ? "it was ended by signal " + std::to_string(WTERMSIG(status)) : "for no stated reason";
    return failure(std::move(why));
}

}  // namespace app
