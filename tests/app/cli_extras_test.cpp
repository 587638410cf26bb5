// `attenscope extras`: completion, tested in the shells themselves, manual pages, and the files beside a program.

#include <gmock/gmock.h>

#include <array>
#include <cstdio>
#include <iterator>
#include <sstream>

#include "app/cli/command.h"
#include "app/cli/parser.h"
#include "app/cli/window_command.h"
#include "app/content/program.h"
#include "places.h"
#include "tests/app/cli_fixture.h"

namespace {

using cli_test::Folder;
using cli_test::run;
using testing::Contains;
using testing::HasSubstr;
using testing::StartsWith;

std::vector<const app::Command*> all_commands() {
    std::vector<const app::Command*> out = {&app::kWindowCommand};
    out.insert(out.end(), app::commands().begin(), app::commands().end());
    return out;
}

std::vector<app::Option> options_of(const app::Command& command) {
    app::Parser parser;
    command.declare(parser);
    return {parser.options().begin(), parser.options().end()};
}

/// What a real bash offers in place of the last word, for several lines of words in one run.
std::vector<std::vector<std::string>> offered(const std::vector<std::vector<std::string>>& lines) {
    const Folder folder;
    std::string script = run({"extras", "bash"}).out + "ask() { COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _attenscope; echo \"${COMPREPLY[*]}\"; }\n";
    for (const auto& line : lines) {
        script += "ask";
        for (const std::string& word : line) script += " '" + word + "'";
        script += '\n';
    }
    cli_test::write_file(folder / "ask", script);
    FILE* pipe = ::popen(("bash '" + (folder / "ask") + "' 2>&1").c_str(), "r");
    std::string said;
    std::array<char, 4096> part{};
    while (const std::size_t n = std::fread(part.data(), 1, part.size(), pipe)) said.append(part.data(), n);
    EXPECT_EQ(::pclose(pipe), 0) << said;
    std::vector<std::vector<std::string>> out;
    std::istringstream rows(said);
    for (std::string row; std::getline(rows, row);) {
        std::istringstream words(row);
        out.emplace_back(std::istream_iterator<std::string>(words), std::istream_iterator<std::string>());
    }
    EXPECT_EQ(out.size(), lines.size()) << said;
    out.resize(lines.size());
    return out;
}

TEST(CliExtras, BashOffersEveryCommandAndOption) {
    std::vector<std::vector<std::string>> lines = {{"attenscope", ""}};
    for (const app::Command* command : all_commands())
        if (command->manual.name.empty())
            lines.push_back({"attenscope", "-"});
        else
            lines.push_back({"attenscope", std::string(command->manual.name), "-"});
    const auto words = offered(lines);
    for (std::size_t i = 0; i < all_commands().size(); ++i) {
        const app::Command& command = *all_commands()[i];
        if (!command.manual.name.empty()) {
            EXPECT_THAT(words[0], Contains(command.manual.name));
        }
        for (const app::Option& option : options_of(command)) {
            if (option.is_argument()) continue;
            for (const std::string& name : option.names()) EXPECT_THAT(words[i + 1], Contains(name)) << command.manual.name;
        }
    }
}

TEST(CliExtras, BashOffersTheAvailableValues) {
    using Words = std::vector<std::string>;
    const auto words = offered({{"attenscope", "--theme", ""},
                                {"attenscope", "--theme", "=", "p"},
                                {"attenscope", "explain", "--format", ""},
                                {"attenscope", "trace", "--text", ""},
                                {"attenscope", "extras", ""},
                                {"attenscope", "tra"},
                                {"attenscope", "早上好", ""}});
    EXPECT_EQ(words[0], (Words{"light", "dark", "projector"}));
    EXPECT_EQ(words[1], Words{"projector"});
    EXPECT_EQ(words[2], (Words{"text", "json", "latex"}));
    EXPECT_EQ(words[3], Words{});  // bash completes files by itself
    EXPECT_THAT(words[4], testing::IsSupersetOf({"bash", "zsh", "manual", "all"}));
    EXPECT_EQ(words[5], (Words{"trace", "train"}));
    EXPECT_EQ(words[6], Words{});  // after a text there are no commands
}

TEST(CliExtras, ZshKnowsEveryCommandOptionAndValue) {
    const std::string script = run({"extras", "zsh"}).out;
    EXPECT_THAT(script, StartsWith("#compdef attenscope\n"));
    for (const app::Command* command : all_commands()) {
        const std::string name(command->manual.name);
        const std::string head = name.empty() ? "        *)\n" : "        " + name + ")\n";
        const std::size_t begin = script.find(head);
        ASSERT_NE(begin, std::string::npos) << name;
        const std::string part = script.substr(begin, script.find(";;", begin) - begin);
        if (!name.empty()) {
            const std::string_view summary = command->manual.summary;
            EXPECT_THAT(script, HasSubstr("'" + name + ":" + std::string(summary.substr(0, summary.find('\'')))));
        }
        for (const app::Option& option : options_of(*command)) {
            for (const std::string& word : option.names()) EXPECT_THAT(part, HasSubstr(word)) << name;
            for (const std::string_view choice : option.choices) EXPECT_THAT(part, HasSubstr(choice)) << name;
        }
    }
}

TEST(CliExtras, AManualPageHasTheOptionsOfItsCommand) {
    const std::string page = run({"extras", "manual", "trace"}).out;
    EXPECT_THAT(page, StartsWith(".TH ATTENSCOPE\\-TRACE 1 \"\" \"attenscope " + std::string(app::kVersion) + "\""));
    EXPECT_THAT(page, HasSubstr("\n.SH NAME\nattenscope\\-trace \\- "));
    EXPECT_THAT(page, HasSubstr("\n\\fB\\-o\\fR, \\fB\\-\\-output\\fR \\fIOUT\\fR\n"));
    for (const app::Command* command : all_commands()) {
        std::vector<std::string> words = {"extras", "manual"};
        if (!command->manual.name.empty()) words.emplace_back(command->manual.name);
        const auto outcome = run(words);
        EXPECT_EQ(outcome.status, 0);
        std::istringstream lines(outcome.out);
        // A line that groff would take for a request is escaped in the text.
        for (std::string line; std::getline(lines, line);) {
            if (!line.starts_with('.')) continue;
            EXPECT_THAT(line, testing::MatchesRegex("\\.(TH|SH|PP|TP|nf|fi)( .*)?"));
        }
    }
}

TEST(CliExtras, AllIsAShareFolder) {
    const Folder folder;
    EXPECT_EQ(run({"extras", "all"}).status, 2);
    EXPECT_EQ(run({"extras", "bash", "-o", folder / "x"}).status, 2);
    EXPECT_EQ(run({"extras", "zsh", "trace"}).status, 2);
    EXPECT_EQ(run({"extras", "all", "-o", folder / "share"}).status, 0);
    EXPECT_EQ(cli_test::bytes_of(folder / "share/bash-completion/completions/attenscope"), run({"extras", "bash"}).out);
    EXPECT_EQ(cli_test::bytes_of(folder / "share/zsh/site-functions/_attenscope"), run({"extras", "zsh"}).out);
    EXPECT_EQ(cli_test::bytes_of(folder / "share/man/man1/attenscope.1"), run({"extras", "manual"}).out);
    for (const app::Command* command : app::commands())
        EXPECT_TRUE(std::filesystem::exists(folder / ("share/man/man1/attenscope-" + std::string(command->manual.name) + ".1")));
    EXPECT_THAT(cli_test::bytes_of(folder / "share/icons/hicolor/48x48/apps/attenscope.png"), StartsWith("\x89PNG"));
    EXPECT_FALSE(std::filesystem::exists(folder / "share/UNFINISHED"));
}

}  // namespace
