// The command line under a system that fails.

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <regex>

#include "cli_fixture.h"
#include "places.h"

namespace {

using cli_test::Folder;
using cli_test::run_program;
using testing::HasSubstr;

/// A file beyond the limit is a sentence, and nothing half-written stays.
TEST(CliHostile, D2_AFileSizeLimitIsAnError) {
    const Folder folder;
    const auto limited = run_program({"trace", "-o", folder / "t.json"}, {.file_limit = 1000});
    EXPECT_EQ(limited.status, 1);
    EXPECT_THAT(limited.err, HasSubstr("cannot be written"));
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
    cli_test::write_file(folder / "kept.json", "old");
    EXPECT_EQ(run_program({"trace", "-o", folder / "kept.json"}, {.file_limit = 1000}).status, 1);
    EXPECT_EQ(cli_test::bytes_of(folder / "kept.json"), "old");
}

TEST(CliHostile, AReaderThatHasGoneIsASentence) {
    const Folder folder;
    const std::string program = "'" ATTN_PROGRAM "'";
    const std::string error = folder / "err", status = folder / "status";
    const std::string script =
        "{ " + program + " trace --text \"the tired cat sat down\" 2> '" + error + "'; echo $? > '" + status + "'; } | true";
    ASSERT_EQ(std::system(("sh -c '" + std::regex_replace(script, std::regex("'"), "'\\''") + "'").c_str()), 0);
    EXPECT_EQ(cli_test::bytes_of(status), "1\n") << cli_test::bytes_of(error);
    EXPECT_THAT(cli_test::bytes_of(error), HasSubstr("cannot be written"));
}

}  // namespace
