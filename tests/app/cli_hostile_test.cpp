// The command line on a system that fails, with malicious input.

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <regex>

#include "places.h"
#include "tests/app/cli_fixture.h"

namespace {

using cli_test::Folder;
using cli_test::run;
using cli_test::run_program;
using testing::HasSubstr;
using testing::Not;

/// A file beyond the limit is reported, and no incomplete file remains.
TEST(CliHostile, D2_AFileSizeLimitIsAnError) {
    const Folder folder;
    const auto limited = run_program({"trace", "-o", folder / "t.json"}, {.file_limit = 1000});
    EXPECT_EQ(limited.status, 1);
    EXPECT_THAT(limited.err, HasSubstr("cannot be written"));
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
    cli_test::write_file(folder / "kept.json", "old");
    EXPECT_EQ(run_program({"trace", "--force", "-o", folder / "kept.json"}, {.file_limit = 1000}).status, 1);
    EXPECT_EQ(cli_test::bytes_of(folder / "kept.json"), "old");
}

/// "attenscope list models | head -1": the closed pipe is not reported as a full disk.
TEST(CliHostile, AClosedPipeIsNotAnError) {
    const Folder folder;
    const std::string program = std::string("'") + ATTN_PROGRAM + "'";
    const std::string error = folder / "err", status = folder / "status";
    const std::string script =
        "{ " + program + " trace --text \"the tired cat sat down\" 2> '" + error + "'; echo $? > '" + status + "'; } | true";
    ASSERT_EQ(std::system(("sh -c '" + std::regex_replace(script, std::regex("'"), "'\\''") + "'").c_str()), 0);
    EXPECT_EQ(cli_test::bytes_of(status), "1\n") << cli_test::bytes_of(error);
    EXPECT_EQ(cli_test::bytes_of(error), "");
}

/// Too little memory is reported, and leaves no file behind.
TEST(CliHostile, Row49_TooLittleMemoryIsReported) {
    if (sanitized()) return;  // it allocates terabytes of addresses itself
    const Folder folder;
    std::string text;
    for (int i = 0; i < 4000; ++i) text += "w" + std::to_string(i) + " ";
    cli_test::write_file(folder / "text", text);
    const std::string script = std::string("ulimit -v 400000; '") + ATTN_PROGRAM + "' trace --text - -o '" + folder / "t.json" + "' < '" + folder / "text" +
                               "' 2> '" + folder / "err" + "'";
    const int status = std::system(script.c_str());
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 1) << cli_test::bytes_of(folder / "err");
    EXPECT_THAT(cli_test::bytes_of(folder / "err"), HasSubstr("there is not enough memory for this"));
    EXPECT_FALSE(std::filesystem::exists(folder / "t.json"));
}

std::string source_chapter(const std::string& more) {
    return "title = { en = \"a\", zh = \"甲\" }\n" + more +
           "[[page]]\nid = \"p\"\ntitle = { en = \"b\", zh = \"乙\" }\nen = \"x\"\nzh = \"乙\"\n";
}

TEST(CliHostile, D4_OnlyAddressesOfTheWebBecomeLinks) {
    const Folder folder;
    for (const char* bad : {"javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,x", "http://a\\\" onclick=\\\"x",
                            "httpx://a", "http:///", "https://", "file:///etc/passwd", " https://a.b"}) {
        cli_test::write_file(folder / "c.toml",
                             source_chapter("[[source]]\nid = \"s\"\ntext = \"t\"\nurl = \"" + std::string(bad) + "\"\n"));
        const auto checked = run({"chapter", "check", folder / "c.toml"});
        EXPECT_EQ(checked.status, 3) << bad;
        EXPECT_THAT(checked.out, HasSubstr("an address begins with https:// or http://")) << bad;
    }
    cli_test::write_file(folder / "c.toml",
                         source_chapter("[[source]]\nid = \"s\"\ntext = \"t\"\nurl = \"https://arxiv.org/abs/1706.03762?a=b&c#d\"\n"));
    EXPECT_THAT(run({"chapter", "check", folder / "c.toml"}).out, Not(HasSubstr("an address begins")));
}

/// Control characters in a file are shown on a terminal and have no effect on it.
TEST(CliHostile, D5_ControlCharactersInFilesAreEscaped) {
    const Folder folder;
    const std::string escape = "\\u001b]0;owned\\u0007\\u001b[2J";
    cli_test::write_file(folder / "c.toml", "\"" + escape + "\" = 1\n" + source_chapter(""));
    const auto checked = run({"chapter", "check", folder / "c.toml"}, "", true);
    EXPECT_THAT(checked.out + checked.err, Not(HasSubstr("\x1b")));
    EXPECT_THAT(checked.out + checked.err, HasSubstr("owned"));
    cli_test::write_file(folder / "d.json", "{\"tokens\":[\"a" + escape + "\",\"b\"]}");
    for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
             {"trace", folder / "d.json"},
             {"trace", folder / "d.json", "--format", "csv"},
             {"trace", folder / "d.json", "--step", "weights", "--format", "markdown"},
             {"describe", folder / "d.json"},
             {"explain", folder / "d.json", "--step", "weights", "--row", "1", "--column", "1"}}) {
        const auto outcome = run(command, "", true);
        EXPECT_THAT(outcome.out + outcome.err, Not(HasSubstr("\x1b"))) << command[0];
    }
}

/// Only say() and write_output() write to the terminal.
TEST(CliHostile, D5_OnlyTwoFunctionsWriteToTheTerminal) {
    const std::regex outside("(std::cout|std::cerr|fmt::print|printf|std::puts|fputs|streams\\.(out|err) <<)");
    for (const auto& entry : std::filesystem::recursive_directory_iterator(ATTN_SOURCE_DIR "/app")) {
        const std::string name = entry.path().filename().string();
        if (entry.path().extension() != ".cpp" || name == "command.cpp" || name == "main.cpp") continue;
        std::ifstream file(entry.path());
        std::string line;
        for (int number = 1; std::getline(file, line); ++number) {
            const bool harmless = line.find("snprintf") != std::string::npos || line.find("std::cout, isatty") != std::string::npos ||
                                  line.find("progress {:.3f}") != std::string::npos || line.find("// door") != std::string::npos;
            EXPECT_TRUE(harmless || !std::regex_search(line, outside)) << name << ":" << number << ": " << line;
        }
    }
}

TEST(CliHostile, D9_TheDocumentIsNotReplacedByItsTrace) {
    const Folder folder;
    cli_test::write_file(folder / "d.json", "{}");
    std::filesystem::create_symlink(folder / "d.json", folder / "link.json");
    for (const char* out : {"d.json", "link.json", "./d.json"})
        for (const bool force : {false, true}) {
            std::vector<std::string> command = {"trace", folder / "d.json", "-o", folder / out};
            if (force) command.push_back("--force");
            const auto outcome = run(command);
            EXPECT_EQ(outcome.status, 2);
            EXPECT_THAT(outcome.err, HasSubstr("the file that is read"));
            EXPECT_EQ(cli_test::bytes_of(folder / "d.json"), "{}");
        }
}

TEST(CliHostile, D12_EmptyNamesAndExistingFiles) {
    const Folder folder;
    for (const char* option : {"-o", "--step", "--format"}) {
        const auto outcome = run({"trace", option, ""});
        EXPECT_EQ(outcome.status, 2) << option;
        EXPECT_THAT(outcome.err, HasSubstr("empty")) << option;
    }
    EXPECT_EQ(run({"trace", "--text", ""}).status, 0);
    EXPECT_EQ(run({"trace", "-o", folder / "t.json"}).status, 0);
    const auto again = run({"trace", "-o", folder / "t.json"});
    EXPECT_EQ(again.status, 2);
    EXPECT_THAT(again.err, HasSubstr("--force"));
    EXPECT_EQ(run({"trace", "--force", "-o", folder / "t.json"}).status, 0);
    EXPECT_EQ(run({"render", "-o", folder / "t.json"}).status, 2);
}

TEST(CliHostile, D12_AnOrderOutsideTheText) {
    const Folder folder;
    for (const char* order : {"order=1,99", "order=1,1", "order=0,1", "order=1,4"}) {
        const auto outcome = run({"render", "--text", "the tired cat", "--compare", order, "-o", folder / "x.png"});
        EXPECT_EQ(outcome.status, 3) << order << outcome.err;
        EXPECT_THAT(outcome.err, HasSubstr("token")) << order;
    }
}

}  // namespace
