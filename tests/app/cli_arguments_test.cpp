// How the command line interprets its arguments: usage, help, documents, texts.

#include <gmock/gmock.h>

#include <fstream>

#include "app/cli/columns.h"
#include "app/cli/manual.h"
#include "app/cli/version.h"
#include "app/cli/window_command.h"
#include "core/model/model.h"
#include "core/text/unicode.h"
#include "places.h"
#include "tests/app/cli_fixture.h"

namespace {

using cli_test::run;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class CliHelp : public testing::TestWithParam<const char*> {};

TEST_P(CliHelp, IsAPageOfTheManual) {
    const std::string command = GetParam();
    const auto arguments =
        command.empty() ? std::vector<std::string>{"--help"} : std::vector<std::string>{command, "--help"};
    const auto page = run(arguments);
    EXPECT_EQ(page.status, 0);
    EXPECT_EQ(page.err, "");
    for (const char* section : {"NAME\n", "SYNOPSIS\n", "DESCRIPTION\n", "OPTIONS\n", "EXIT STATUS\n", "EXAMPLES\n"})
        EXPECT_THAT(page.out, HasSubstr(section));
    std::istringstream lines(page.out);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(app::terminal_width(line), 100u) << line;
}
INSTANTIATE_TEST_SUITE_P(All, CliHelp, testing::Values("", "trace", "explain", "render", "list", "schema", "train", "model", "heads"));

/// A text without tokens gives a run without steps, of which nothing can be said.
TEST(CliText, AnEmptyOneIsRefusedWithAWayOut) {
    const std::string planted = ATTN_SOURCE_DIR "/tests/data/planted";
    const std::pair<std::vector<std::string>, const char*> commands[] = {
        {{"next"}, "predict from"},
        {{"next", "--lens"}, "predict from"},
        {{"next", "--sample", "2"}, "predict from"},
        {{"attribute"}, "predict from"},
        {{"ablate"}, "predict from"},
        {{"ablate", "--place", "head 0.1"}, "predict from"},
        {{"patch", "--from", "green"}, "predict from"},
        {{"residual"}, "follow through the model"},
        {{"heads"}, "measure heads on"},
        {{"heads", "--through", "rollout"}, "measure heads on"},
        {{"heads", "--measure", "norm"}, "measure heads on"},
        {{"compare", "--with-text", "green"}, "compare"},
    };
    for (const std::string text : {"", " "})
        for (const auto& [command, purpose] : commands)
            for (const std::string& model : {planted, std::string("translation")}) {
                if (model != planted && command.size() > 1 && command[1] == "--place") continue;  // its heads have other names
                SCOPED_TRACE(command.front() + " of " + model + " \"" + text + "\"");
                std::vector<std::string> arguments = command;
                arguments.insert(arguments.end(), {"--model", model, "--text", text});
                const auto outcome = run(arguments);
                EXPECT_EQ(outcome.status, 3);
                EXPECT_EQ(outcome.out, "");
                EXPECT_THAT(outcome.err, testing::EndsWith("there is no text to " + std::string(purpose) + ": write one with --text\n"));
            }
    for (const char* form : {"variant=raw", "variant=encoder", "variant=generate"})
        EXPECT_THAT(run({"next", "--set", form, "--text", ""}).err, HasSubstr("there is no text to predict from")) << form;
    const auto second = run({"heads", "--set", "variant=cross", "--text", "the cat", "--source", ""});
    EXPECT_EQ(second.status, 3);
    EXPECT_THAT(second.err, HasSubstr("there is no second text to measure heads on: write one with --source"));
    const auto compared = run({"compare", "--model", planted, "--text", "green winter", "--with-text", " "});
    EXPECT_THAT(compared.err, HasSubstr("--with-text: there are no tokens in it"));
}

TEST(CliUsage, UnknownOptionIsStatus2AndSaysWhereHelpIs) {
    const auto outcome = run({"trace", "--bogus"});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, HasSubstr("--bogus"));
    EXPECT_THAT(outcome.err, HasSubstr("attenscope trace --help"));
}

TEST(CliUsage, AnExtraWordGetsAdvice) {
    const auto words = run({"tokens", "--model", "language", "hello", "world"});
    EXPECT_EQ(words.status, 2);
    EXPECT_THAT(words.err, HasSubstr("hello world"));
    EXPECT_THAT(words.err, HasSubstr("A text goes behind --text.\n"));
    EXPECT_THAT(run({"tokens", "--model", "language", "--bogus"}).err, Not(HasSubstr("A text goes")));
    EXPECT_THAT(run({"model", "language", "more"}).err, Not(HasSubstr("A text goes"))) << "it takes none";
}

/// A recurrent network has hundreds of steps: only the most similar name is suggested.
TEST(CliUsage, AnUnknownStepOfManyIsAnsweredInOneLine) {
    const auto outcome = run({"explain", "--model", "alignment", "--step", "weights.t9", "--row", "1", "--column", "1"});
    EXPECT_EQ(outcome.status, 3);
    EXPECT_THAT(outcome.err, HasSubstr("did you mean"));
    EXPECT_LT(outcome.err.size(), 300u);
}

TEST(CliUsage, MissingAndImpossibleArgumentsAreStatus2) {
    EXPECT_EQ(run({"explain", "--step", "weights"}).status, 2);
    EXPECT_EQ(run({"list"}).status, 2);
    EXPECT_EQ(run({"list", "unicorns"}).status, 2);
    EXPECT_EQ(run({"trace", "--format", "xml"}).status, 2);
    EXPECT_EQ(run({"render"}).status, 2);
    EXPECT_EQ(run({"render", "-o", "x.bmp"}).status, 2);
    EXPECT_EQ(run({"render", "-o", "x.gif", "--step", "weights"}).status, 2);
    EXPECT_EQ(run({"render", "-o", "x.png", "--row", "1"}).status, 2);
    EXPECT_EQ(run({"render", "-o", "x.png", "--time", "1,5"}).status, 2);
    EXPECT_EQ(run({"render", "-o", "x.png", "--progress", "nan"}).status, 2);
    EXPECT_EQ(run({"--theme", "pink"}).status, 2);
}

TEST(CliUsage, MessagesEscapeControlCharacters) {
    const auto outcome = run({"render", "-o", "x.png", "--theme", "a\x1b[31mb\u202e"});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.err.find('\x1b'), std::string::npos);
    EXPECT_EQ(outcome.err.find("\u202e"), std::string::npos);
    EXPECT_EQ(run({"trace", "no\x1b[2J.json"}).err.find('\x1b'), std::string::npos);
    EXPECT_EQ(run({"trace", "--set", "\x1b[2J=1"}).err.find('\x1b'), std::string::npos);
}

TEST(CliUsage, BinaryIsNotWrittenToATerminal) {
    const auto outcome = run({"trace", "--format", "npz"}, "", true);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.out, "");
}

app::WindowArguments words(std::vector<std::string> list) {
    app::WindowArguments arguments;
    arguments.words = std::move(list);
    return arguments;
}

TEST(CliWindow, WordsAreAText) {
    std::istringstream in;
    const auto options = app::window_options(words({"the", "tired", "cat"}), in);
    ASSERT_TRUE(options.ok());
    EXPECT_FALSE(options->document.has_value()) << "the numbers are those that the window opens with";
    EXPECT_EQ(options->text, "the tired cat");
    EXPECT_FALSE(app::window_options(words({}), in)->text.has_value());
}

/// With an encoder and decoder they are the encoder's input.
TEST(CliWindow, WordsAreReadByTheNamedModel) {
    app::WindowArguments arguments = words({"the", "red", "hat"});
    std::istringstream in;
    const std::vector<std::pair<std::string, std::string>> models = {
        {ATTN_SOURCE_DIR "/tests/data/checkpoints/marian", ""}, {"translation", "fr"}, {ATTN_SOURCE_DIR "/tests/data/checkpoints/gpt2", "the red hat"}};
    for (const auto& [model, text] : models) {
        arguments.model = model;
        const auto options = app::window_options(arguments, in);
        ASSERT_TRUE(options.ok()) << model;
        ASSERT_TRUE(options->document.has_value()) << model;
        EXPECT_EQ(options->document->text, text) << model;
        EXPECT_EQ(text == "the red hat" ? text : options->document->source, "the red hat") << model;
        EXPECT_FALSE(options->text.has_value()) << model;
    }
}

TEST(CliWindow, OneJsonNameIsAFile) {
    const cli_test::Folder folder;
    cli_test::write_file(folder / "a.json", R"({"text": "小猫", "heads": 2})");
    std::istringstream in;
    const auto options = app::window_options(words({folder / "a.json"}), in);
    ASSERT_TRUE(options.ok());
    EXPECT_EQ(options->document->text, "小猫");
    EXPECT_EQ(options->document->config.heads, 2);
    EXPECT_FALSE(app::window_options(words({folder / "missing.json"}), in).ok());
    EXPECT_EQ(app::window_options(words({"two", "a.json"}), in)->text, "two a.json");
}

TEST(CliWindow, TheLookIsPassedOn) {
    app::WindowArguments arguments;
    arguments.language = "zh";
    arguments.theme = "dark";
    arguments.scale = 1.5f;
    arguments.no_restore = true;
    std::istringstream in;
    const auto options = app::window_options(arguments, in);
    ASSERT_TRUE(options.ok());
    EXPECT_EQ(options->language, app::Language::Chinese);
    EXPECT_EQ(options->theme, "dark");
    EXPECT_EQ(options->scale, 1.5f);
    EXPECT_FALSE(options->restore);
}

/// A model of the program's own opens with its task's example, in which it knows every word.
TEST(CliWindow, AModelWithoutATextHasItsOwn) {
    for (const char* model : {"translation", "alignment", "it", "sort"}) {
        app::WindowArguments arguments;
        arguments.model = model;
        arguments.language = "en";
        std::istringstream in;
        const auto options = app::window_options(arguments, in);
        ASSERT_TRUE(options.ok() && options->document) << model;
        const attn::Document& doc = *options->document;
        for (const std::vector<std::string>& tokens : {attn::tokens_of(doc), attn::source_tokens_of(doc)})
            for (const std::string& token : tokens) EXPECT_TRUE(doc.model->row_of(token)) << model << ": " << token;
        EXPECT_NE(doc.source, "the cat sat on the mat") << model;
    }
}

TEST(CliDocument, SettingsApplyAfterTextAndFile) {
    const auto outcome = run({"trace", "-", "--text", "a b", "--set", "variant=raw", "--set", "position=sinusoidal"},
                             R"({"text": "x"})");
    EXPECT_EQ(outcome.status, 0);
    EXPECT_THAT(outcome.out, HasSubstr(R"("text": "a b")"));
    EXPECT_THAT(outcome.out, HasSubstr(R"("variant": "raw")"));
    EXPECT_THAT(outcome.out, HasSubstr(R"("position": "sinusoidal")"));
}

TEST(CliDocument, BadSettingsAreBadInput) {
    for (const char* setting : {"heads", "heads=two", "heads=3", "hedas=2", "mask=purple", "temperature=-1",
                                "temperature=1,5", "temperature=NaN", "W_Q=[[1,2],[3]]", "=1", ""}) {
        const auto outcome = run({"trace", "--set", setting});
        EXPECT_EQ(outcome.status, 3) << setting;
        EXPECT_THAT(outcome.err, StartsWith("attenscope: ")) << setting;
        EXPECT_EQ(outcome.out, "") << setting;
    }
}

TEST(CliDocument, ErrorsNameFileLineAndKey) {
    const auto outcome = run({"trace", "-"}, "{\n  \"text\": \"a\",\n  \"heads\": \"two\"\n}");
    EXPECT_EQ(outcome.status, 3);
    EXPECT_THAT(outcome.err, HasSubstr("standard input:3: heads:"));
    EXPECT_EQ(run({"trace", "/nowhere/at/all.json"}).status, 3);
    EXPECT_EQ(run({"trace", "-", "--text", "-"}, "{}").status, 3);
}

/// In this place the window takes a text, a command a file.
TEST(CliDocument, WordsInPlaceOfAFileGetAdvice) {
    for (const char* words : {"The Lord is my", "早上好", "the cat sat."}) {
        const auto outcome = run({"trace", words});
        EXPECT_EQ(outcome.status, 3);
        EXPECT_THAT(outcome.err, HasSubstr("there is no such file or folder. A text goes behind --text."));
    }
    EXPECT_THAT(run({"trace", "missing.json"}).err, Not(HasSubstr("--text")));
}

TEST(CliManual, WrapsBetweenWords) {
    EXPECT_EQ(app::wrapped("one two", 2), "  one two\n");
    const std::string long_text = app::wrapped(std::string(200, 'x') + " " + std::string(30, 'y'), 4);
    EXPECT_THAT(long_text, HasSubstr("\n    y"));
    EXPECT_EQ(app::wrapped("", 4), "");
}

TEST(CliColumns, CountCellsNotBytes) {
    EXPECT_EQ(app::terminal_width("早a"), 3u);
    EXPECT_EQ(app::in_columns({{"早", "x"}, {"abc", "y"}}), "早   x\nabc  y\n");
    EXPECT_EQ(app::in_columns({{"1", "x"}, {"12", ""}}, {app::Side::Right}, 2), "   1  x\n  12\n");
}

TEST(CliVersion, AgreesWithTheBuild) {
    std::ifstream file(std::string(ATTN_SOURCE_DIR) + "/CMakeLists.txt");
    const std::string cmake{std::istreambuf_iterator<char>(file), {}};
    EXPECT_THAT(cmake, HasSubstr("project(attenscope VERSION " + std::string(app::kVersion) + " "));
    EXPECT_EQ(app::kProgram, "attenscope " + std::string(app::kVersion));
    const auto outcome = run({"--version"});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.out.substr(0, outcome.out.find('\n')), app::kProgram);
    for (const char* part : {"Dear ImGui ", "OpenGL ", "Eigen ", "SIMD in use", "compiler "})
        EXPECT_THAT(outcome.out, HasSubstr(part));
}

TEST(CliArguments, AnUnreadSecondTextIsRefused) {
    for (const std::vector<std::string>& said : {std::vector<std::string>{"--set", "source=the dog"}, {"--source", "the dog"}}) {
        std::vector<std::string> words = {"trace"};
        words.insert(words.end(), said.begin(), said.end());
        const auto refused = cli_test::run(words);
        EXPECT_EQ(refused.status, 3);
        EXPECT_THAT(refused.err, testing::HasSubstr("reads one text, and a second one would be passed over"));
        EXPECT_THAT(refused.err, testing::HasSubstr(said.front()));
        words.insert(words.end(), {"--set", "variant=cross"});
        EXPECT_EQ(cli_test::run(words).status, 0);
    }
}

/// BERT reads it after the first text.
TEST(CliArguments, ASecondTextOfBertIsTheSecondOfAPair) {
    const std::string bert = ATTN_SOURCE_DIR "/tests/data/cases/16-sentence-pair";
    const auto alone = cli_test::run({"trace", "--model", bert, "--text", "the cat"}), pair = cli_test::run({"trace", "--model", bert, "--text", "the cat", "--source", "the dog"}),
               set = cli_test::run({"trace", "--model", bert, "--text", "the cat", "--set", "source=the dog"});
    EXPECT_EQ(alone.status, 0) << alone.err;
    EXPECT_EQ(pair.status, 0) << pair.err;
    EXPECT_EQ(pair.out, set.out);
    EXPECT_THAT(pair.out, HasSubstr("segment_vectors"));
    EXPECT_THAT(alone.out, testing::Not(HasSubstr("segment_vectors")));
    EXPECT_THAT(pair.out, HasSubstr("dog"));
}

}  // namespace
