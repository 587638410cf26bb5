// app/run and tests/run: their behaviour while another program installs packages (app/packages.sh), and that app/run knows
// the program's commands.

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "app/cli/cli.h"
#include "app/cli/command.h"
#include "places.h"

namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

struct Outcome {
    int status = 0;
    std::string said;
};

/// need_packages() for one package, with an apt-get that finds a lock held on its first `held` runs.
Outcome install_with_lock(int held, int patience) {
    const fs::path folder = fs::temp_directory_path() / ("attenscope_packages_test." + std::to_string(::getpid()));
    fs::remove_all(folder);
    fs::create_directories(folder);
    std::ofstream(folder / "apt-get") << "#!/bin/sh\n"
                                         "echo \"$*\" >>\"$FOLDER/runs\"\n"
                                         "test \"$(wc -l <\"$FOLDER/runs\")\" -gt " << held << " && exit 0\n"
                                         "echo 'E: Could not get lock /var/lib/apt/lists/lock. It is held by process 12 (apt-get)' >&2\n"
                                         "exit 100\n";
    fs::permissions(folder / "apt-get", fs::perms::owner_all);
    const std::string command = "FOLDER=" + folder.string() + " PATH=" + folder.string() + ":$PATH bash -c 'set -euo pipefail; source " +
                                ATTN_SOURCE_DIR "/app/packages.sh; apt_pause=0 apt_patience=" + std::to_string(patience) +
                                "; sleep() { :; }; become=(); apt_get update; apt_get install thing' 2>&1";
    Outcome out;
    FILE* pipe = ::popen(command.c_str(), "r");
    std::array<char, 512> part{};
    while (std::fgets(part.data(), part.size(), pipe)) out.said += part.data();
    out.status = WEXITSTATUS(::pclose(pipe));
    std::ifstream runs(folder / "runs");
    out.said.append("--\n").append(std::istreambuf_iterator<char>(runs), {});
    fs::remove_all(folder);
    return out;
}

TEST(Packages, AForeignLockIsWaitedForAndNamed) {
    const Outcome outcome = install_with_lock(3, 60);
    EXPECT_EQ(outcome.status, 0) << outcome.said;
    EXPECT_THAT(outcome.said, HasSubstr("waiting for it: Could not get lock /var/lib/apt/lists/lock. It is held by process 12 (apt-get)"));
    EXPECT_THAT(outcome.said, HasSubstr("--\n-q update\n-q update\n-q update\n-q update\n-q install thing\n"));
}

TEST(Packages, ALockThatIsNeverReleasedIsAnError) {
    const Outcome outcome = install_with_lock(1000, 0);
    EXPECT_EQ(outcome.status, 100);
    EXPECT_THAT(outcome.said, HasSubstr("Run this again when it has finished"));
}

/// Without a display the program itself runs each of them; anything else is a text, of which pictures are drawn.
TEST(AppRun, KnowsTheCommandsWithoutAWindow) {
    std::ifstream file(ATTN_SOURCE_DIR "/app/run");
    std::string all(std::istreambuf_iterator<char>(file), {});
    const std::size_t end = all.find(") return 0 ;;");
    ASSERT_NE(end, std::string::npos);
    const std::size_t begin = all.rfind('\n', end);
    std::string line = all.substr(begin, end - begin) + " |";
    for (const app::Command* command : app::commands())
        EXPECT_THAT(line, HasSubstr(" " + std::string(command->manual.name) + " |"));
}

}  // namespace
