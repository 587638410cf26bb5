// The program itself, in a process of its own: statuses, streams, environments.

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/app/cli_fixture.h"

namespace {

using cli_test::Folder;
using cli_test::run_program;
using testing::HasSubstr;

TEST(CliProgram, StatusesAreTheContract) {
    EXPECT_EQ(run_program({"schema"}).status, 0);
    EXPECT_EQ(run_program({"trace", "--bogus"}).status, 2);
    EXPECT_EQ(run_program({"trace", "missing.json"}).status, 3);
    EXPECT_EQ(run_program({"explain", "--step", "nothing", "--row", "1", "--column", "1"}).status, 3);
}

TEST(CliProgram, SameBytesTwiceWhateverTheLocale) {
    const std::vector<std::string> trace = {"trace", "--text", "早上好", "--set", "weights=random"};
    const auto plain = run_program(trace, {.environment = {"LC_ALL=C"}});
    EXPECT_EQ(plain.status, 0);
    for (const char* locale : {"LC_ALL=de_DE.UTF-8", "LC_ALL=tr_TR.UTF-8", "LC_ALL=zh_CN.UTF-8", "LC_ALL=nonsense"})
        EXPECT_EQ(run_program(trace, {.environment = {locale}}).out, plain.out) << locale;
    EXPECT_EQ(run_program(trace, {.environment = {"LANG", "LC_ALL", "HOME"}}).out, plain.out);
}

TEST(CliProgram, NeedsNoHome) {
    const auto outcome =
        run_program({"trace"}, {.environment = {"HOME", "XDG_CONFIG_HOME=relative", "XDG_STATE_HOME", "DISPLAY"}});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.err, "");
}

TEST(CliProgram, AFullDiskIsAFailure) {
    const auto piped = run_program({"trace"}, {.out_path = "/dev/full"});
    EXPECT_EQ(piped.status, 1);
    EXPECT_THAT(piped.err, HasSubstr("cannot be written"));
    EXPECT_EQ(run_program({"trace", "-o", "/dev/full"}).status, 1);
}

TEST(CliProgram, AFileSizeLimitIsReported) {
    const auto outcome = run_program({"trace"}, {.file_limit = 1000});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_THAT(outcome.err, HasSubstr("ulimit -f"));
}

/// 16 kB are less than the system gives a program initially; computation has a stack of its own.
TEST(CliProgram, ASmallStackChangesNothing) {
    const std::vector<std::vector<std::string>> commands = {{"trace", "--set", "variant=decoder", "--set", "heads=2"},
                                                            {"heads", "--set", "model=questions", "--text", "the tired cat sat down"},
                                                            {"list", "models"}};
    for (const std::vector<std::string>& command : commands)
        for (const long bytes : {64l << 10}) {
            const auto usual = run_program(command), small = run_program(command, {.stack_limit = bytes});
            EXPECT_EQ(usual.status, 0) << usual.err;
            EXPECT_EQ(small.status, 0) << bytes << command.front() << small.err;
            EXPECT_EQ(small.out, usual.out);
        }
}

/// Numbers and pictures are the same, because one thread computes them; a window, which needs another one that waits for
/// signals, reports what is missing.
TEST(CliProgram, WithoutAThreadOnlyTheWindowIsRefused) {
    const Folder folder;
    const std::vector<std::string> trace = {"trace", "--set", "variant=decoder"};
    const auto usual = run_program(trace), alone = run_program(trace, {.threads = false});
    EXPECT_EQ(alone.status, 0) << alone.err;
    EXPECT_EQ(alone.out, usual.out);
    const auto draw = [&](const char* file) { return std::vector<std::string>{"render", "--text", "the tired cat", "--size", "640x400", "-o", folder / file}; };
    const auto drawn = run_program(draw("usual.png")), drawn_alone = run_program(draw("alone.png"), {.threads = false});
    ASSERT_EQ(drawn.status, 0) << drawn.err;
    EXPECT_EQ(drawn_alone.status, 0) << drawn_alone.err;
    EXPECT_EQ(cli_test::bytes_of(folder / "alone.png"), cli_test::bytes_of(folder / "usual.png"));
    const auto trained = run_program({"train", "sort", "--seed", "1", "--steps", "2", "-o", folder / "model"}, {.threads = false});
    EXPECT_EQ(trained.status, 0) << trained.err;
    const auto window = run_program({"the tired cat"}, {.environment = {"XDG_STATE_HOME=" + (folder / "state")}, .threads = false});
    EXPECT_EQ(window.status, 1);
    EXPECT_EQ(window.err, "attenscope: there is not enough memory for a window, or the system refuses another thread\n");
}

TEST(CliProgram, Row43_PlacesThatCannotBeWritten) {
    const Folder folder;
    std::filesystem::create_directory(folder / "dir");
    EXPECT_EQ(run_program({"trace", "-o", folder / "dir"}).status, 1);
    EXPECT_EQ(run_program({"trace", "-o", folder / "no/such/folder.json"}).status, 1);
    EXPECT_EQ(run_program({"trace", "-o", folder / std::string(300, 'x')}).status, 1);
    ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
    EXPECT_EQ(run_program({"trace", "-o", folder / "pipe"}).status, 1);
    EXPECT_EQ(run_program({"trace", "-o", "/proc/attenscope.json"}).status, 1);
    if (geteuid() != 0) {  // root may write anywhere
        std::filesystem::create_directory(folder / "locked");
        chmod((folder / "locked").c_str(), 0500);
        EXPECT_EQ(run_program({"trace", "-o", folder / "locked/t.json"}).status, 1);
    }
    // The previous file is unchanged after a failed run.
    cli_test::write_file(folder / "kept.json", "old");
    EXPECT_EQ(run_program({"trace", "--set", "heads=3", "--force", "-o", folder / "kept.json"}).status, 3);
    EXPECT_EQ(cli_test::bytes_of(folder / "kept.json"), "old");
    EXPECT_EQ(run_program({"trace", "-o", folder / "a name\nwith a break.json"}).status, 0);
}

TEST(CliProgram, Row45_NoDisplayIsStatus4WithAdvice) {
    const auto outcome = run_program({"早上好"}, {.environment = {"DISPLAY", "WAYLAND_DISPLAY"}});
    EXPECT_EQ(outcome.status, 4);
    EXPECT_THAT(outcome.err, HasSubstr("attenscope render"));
}

TEST(CliProgram, Row45_NoGraphicsIsStatus4AndTracesStillWork) {
    const Folder folder;
    const std::vector<std::string> none = {"__EGL_VENDOR_LIBRARY_FILENAMES=/nonexistent"};
    const auto outcome = run_program({"render", "-o", folder / "x.png"}, {.environment = none});
    EXPECT_EQ(outcome.status, 4);
    EXPECT_THAT(outcome.err, HasSubstr("attenscope trace"));
    EXPECT_FALSE(std::filesystem::exists(folder / "x.png"));
    EXPECT_EQ(run_program({"trace"}, {.environment = none}).status, 0);
    const auto version = run_program({"--version"}, {.environment = none});
    EXPECT_EQ(version.status, 0);
    EXPECT_THAT(version.out, HasSubstr("OpenGL none"));
}

TEST(CliProgram, InterruptedAnimationLeavesNoFile) {
    const Folder folder;
    const auto outcome =
        run_program({"render", "--text", "the tired cat sat down", "-o", folder / "x.gif"}, {.signal_after_ms = 700});
    if (outcome.status == 4) GTEST_SKIP() << outcome.err;
    EXPECT_EQ(outcome.status, 128 + SIGINT);
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
