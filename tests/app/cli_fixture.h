#pragma once
// Commands run in the test's own process, and the program itself in one of its own.

#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/cli.h"

namespace cli_test {

struct Outcome {
    int status = -1;
    std::string out, err;
};

/// `attenscope ARGUMENTS` with `input` on standard input.
inline Outcome run(const std::vector<std::string>& arguments, const std::string& input = "", bool terminal = false) {
    std::istringstream in(input);
    std::ostringstream out, err;
    app::Streams streams{in, out, err, terminal};
    const int status = app::run_cli(arguments, streams);
    return {status, out.str(), err.str()};
}

/// How the program is started: variables set ("NAME=value") or removed ("NAME"), and where its output goes.
struct Start {
    std::vector<std::string> environment{};
    std::string input{};
    std::string out_path{};   ///< standard output goes there; empty: into the outcome
    int signal_after_ms = 0;  ///< SIGINT after this long; 0: none
    long file_limit = -1;     ///< maximal size of a file in bytes; below 0: no limit
    long stack_limit = -1;    ///< stack size in bytes; below 0: unchanged
    bool threads = true;      ///< false: creating a thread always fails, as if the limit of processes were reached
};

/// The program that was built together with the tests. A status of 128 + n: ended by signal n.
Outcome run_program(const std::vector<std::string>& arguments, const Start& start = {});

/// A folder that is removed when the test ends.
class Folder {
public:
    Folder();
    ~Folder();
    std::string operator/(const std::string& name) const { return (path_ / name).string(); }
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

std::string bytes_of(const std::string& path);
void write_file(const std::string& path, const std::string& bytes);

}  // namespace cli_test
