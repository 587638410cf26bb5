#include "tests/app/cli_fixture.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <thread>
#include "places.h"

namespace cli_test {
namespace {

[[noreturn]] void become_program(const std::vector<std::string>& arguments, const Start& start, const Folder& folder) {
    signal(SIGINT, SIG_DFL);  // a shell that starts the tests behind itself has it ignored
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
