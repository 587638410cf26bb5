#include "tests/support/virtual_display.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

namespace test_support {
namespace {

[[noreturn]] void become_server(int says) {
    const int nowhere = ::open("/dev/null", O_RDWR);
    ::dup2(nowhere, 0);
    ::dup2(nowhere, 1);
    ::dup2(nowhere, 2);
    const std::string fd = std::to_string(says);
    ::execlp("Xvfb", "Xvfb", "-displayfd", fd.c_str(), "-screen", "0", "1024x768x24", "-nolisten", "tcp",
             static_cast<char*>(nullptr));
    ::_exit(127);
}

/// The display number, which the server writes once it accepts connections; empty: the server ended before.
std::string number_from(int fd) {
    std::string number;
    char c = 0;
    while (::read(fd, &c, 1) == 1 && c != '\n') number += c;
    return c == '\n' ? number : std::string();
}

}  // namespace

VirtualDisplay::VirtualDisplay() {
    int ends[2];
    if (::pipe(ends) != 0) return;
    server_ = ::fork();
    if (server_ == 0) {
        ::close(ends[0]);
        become_server(ends[1]);
    }
    ::close(ends[1]);
    const std::string number = server_ > 0 ? number_from(ends[0]) : std::string();
    ::close(ends[0]);
    if (number.empty()) return;
    name_ = ":" + number;
    const char* before = std::getenv("DISPLAY");
    had_ = before != nullptr;
    if (had_) before_ = before;
    ::setenv("DISPLAY", name_.c_str(), 1);
}

VirtualDisplay::~VirtualDisplay() {
    if (ok()) had_ ? ::setenv("DISPLAY", before_.c_str(), 1) : ::unsetenv("DISPLAY");
    if (server_ <= 0) return;
    ::kill(server_, SIGTERM);
    ::waitpid(server_, nullptr, 0);
}

}  // namespace test_support
