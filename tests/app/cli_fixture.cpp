#include "tests/app/cli_fixture.h"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <thread>
#include "places.h"

namespace cli_test {
namespace {

/// From now on creating a thread fails as if the limit of processes were reached, which root is exempt from.
bool refuse_threads() {
    std::array<sock_filter, 8> rules = {sock_filter BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                                        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1),
                                        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),  // the C library then uses the older call
                                        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3),
                                        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args)),
                                        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 1),
                                        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EAGAIN),
                                        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    const sock_fprog filter{rules.size(), rules.data()};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

[[noreturn]] void become_program(const std::vector<std::string>& arguments, const Start& start, const Folder& folder) {
    signal(SIGINT, SIG_DFL);  // a shell that starts the tests in the background has it ignored
    const std::string out = start.out_path.empty() ? folder / "out" : start.out_path;
    dup2(open((folder / "in").c_str(), O_RDONLY), STDIN_FILENO);
    dup2(open(out.c_str(), O_WRONLY | O_CREAT, 0600), STDOUT_FILENO);
    dup2(open((folder / "err").c_str(), O_WRONLY | O_CREAT, 0600), STDERR_FILENO);
    for (const std::string& variable : start.environment) {
        const std::size_t equals = variable.find('=');
        if (equals == std::string::npos)
            unsetenv(variable.c_str());
        else
            setenv(variable.substr(0, equals).c_str(), variable.substr(equals + 1).c_str(), 1);
    }
    std::vector<char*> argv = {const_cast<char*>("attenscope")};
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    if (start.file_limit >= 0) {
        const rlimit limit{static_cast<rlim_t>(start.file_limit), static_cast<rlim_t>(start.file_limit)};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    if (start.stack_limit >= 0) {
        const rlimit limit{static_cast<rlim_t>(start.stack_limit), static_cast<rlim_t>(start.stack_limit)};
        setrlimit(RLIMIT_STACK, &limit);
    }
    if (!start.threads) {
        alarm(300);  // otherwise code that waits for a thread that was never created waits for ever
        if (!refuse_threads()) _exit(126);
    }
    execv(ATTN_PROGRAM, argv.data());
    _exit(127);
}

}  // namespace

Folder::Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "attenscope-test-XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    path_ = name;
}

Folder::~Folder() {
    std::error_code error;
    std::filesystem::permissions(path_, std::filesystem::perms::owner_all, error);
    std::filesystem::remove_all(path_, error);
}

std::string bytes_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void write_file(const std::string& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

Outcome run_program(const std::vector<std::string>& arguments, const Start& start) {
    const Folder folder;
    write_file(folder / "in", start.input);
    const pid_t child = fork();
    if (child == 0) become_program(arguments, start, folder);
    if (start.signal_after_ms > 0) {
        std::this_thread::sleep_for(std::chrono::milliseconds(start.signal_after_ms));
        kill(child, SIGINT);
    }
    int status = 0;
    waitpid(child, &status, 0);
    Outcome outcome{WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), "", bytes_of(folder / "err")};
    if (start.out_path.empty()) outcome.out = bytes_of(folder / "out");
    return outcome;
}

}  // namespace cli_test
