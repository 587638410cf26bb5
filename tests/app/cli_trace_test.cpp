// `attenscope trace`: every format contains exactly what was computed.

#include <gmock/gmock.h>

#include <csignal>

#include "core/document/fields.h"
#include "core/io/json.h"
#include "core/io/matrix_json.h"
#include "core/io/npz.h"
#include "tests/app/cli_fixture.h"

namespace {

using cli_test::run;
using testing::HasSubstr;
using testing::Not;

const std::vector<std::string> kCausal = {"trace", "--text",         "the tired cat", "--set",  "mask=causal",
                                          "--set", "weights=random", "--set",         "heads=2"};

attn::Document causal_document() {
    attn::Document document;
    document.text = "the tired cat";
    document.config.mask = "causal";
    document.weights = "random";
    document.config.heads = 2;
    return document;
}

std::vector<std::string> with(std::vector<std::string> arguments, std::initializer_list<std::string> more) {
    arguments.insert(arguments.end(), more);
    return arguments;
}

TEST(CliTraceJson, HoldsEveryStepExactly) {
    const auto outcome = run(kCausal);
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const auto json = attn::parse_json(outcome.out);
    ASSERT_TRUE(json.ok()) << json.error().text();
    const auto expected = attn::run(causal_document());
    ASSERT_TRUE(expected.ok());
    const auto& steps = json->find("steps")->items;
    ASSERT_EQ(steps.size(), expected->trace.steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const attn::Step& step = expected->trace.steps[i];
        EXPECT_EQ(steps[i].find("id")->integer, static_cast<int>(i) + 1);
        EXPECT_EQ(steps[i].find("name")->string, attn::step_name(step.tag));
        EXPECT_EQ(steps[i].find("op")->string, attn::op_id(step.op));
        EXPECT_EQ(steps[i].find("inputs")->items.size(), step.inputs.size());
        const auto value = attn::matrix_from_json(*steps[i].find("values"), "values", attn::Infinities::Allowed);
        ASSERT_TRUE(value.ok()) << value.error().text();
        EXPECT_TRUE(*value == step.value) << attn::step_name(step.tag);
        EXPECT_EQ(steps[i].find("rows")->find("labels")->items.size(), static_cast<std::size_t>(step.value.rows()));
        EXPECT_EQ(steps[i].find("columns")->find("labels")->items.size(), static_cast<std::size_t>(step.value.cols()));
    }
}

TEST(CliTraceJson, ColumnsAreTheSameNumbersTransposed) {
    const auto outcome = run(with(kCausal, {"--convention", "columns"}));
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const auto json = attn::parse_json(outcome.out);
    ASSERT_TRUE(json.ok()) << json.error().text();
    EXPECT_EQ(json->find("convention")->string, "columns");
    EXPECT_EQ(attn::parse_json(run(kCausal).out)->find("convention"), nullptr);
    const auto expected = attn::run(causal_document());
    const auto& steps = json->find("steps")->items;
    ASSERT_EQ(steps.size(), expected->trace.steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const attn::Step& step = expected->trace.steps[i];
        const auto value = attn::matrix_from_json(*steps[i].find("values"), "values", attn::Infinities::Allowed);
        ASSERT_TRUE(value.ok()) << value.error().text();
        EXPECT_TRUE(*value == step.value.transpose()) << attn::step_name(step.tag);
        EXPECT_EQ(steps[i].find("columns")->find("labels")->items.size(), static_cast<std::size_t>(step.value.rows()));
    }
    EXPECT_THAT(run(with(kCausal, {"--convention", "columns", "--format", "csv"})).out, HasSubstr("columns"));
    EXPECT_EQ(run(with(kCausal, {"--convention", "diagonals"})).status, 2);
}

TEST(CliTraceJson, StartsWithTheDocumentItself) {
    const auto json = attn::parse_json(run(kCausal).out);
    ASSERT_TRUE(json.ok());
    EXPECT_EQ(json->members.front().key, "document");
    // The part reads back as the same document: its text is parsed by the reader of documents.
    const std::string text = attn::document_to_json(causal_document());
    const auto own = attn::parse_json(text);
    ASSERT_TRUE(own.ok());
    const auto& written = json->members.front().value.members;
    ASSERT_EQ(written.size(), own->members.size());
    for (std::size_t i = 0; i < written.size(); ++i) EXPECT_EQ(written[i].key, own->members[i].key);
}

TEST(CliTraceJson, NotesSpecialRows) {
    const auto masked = run({"trace", "--text", "a b", "--set", "mask=drawn", "--set", "mask_pattern=[[0,0],[1,1]]"});
    EXPECT_THAT(masked.out, HasSubstr(R"("-inf")"));
    EXPECT_THAT(masked.out, HasSubstr(R"("state": "all_masked")"));
    const auto edited =
        run({"trace", "--text", "a b", "--set", R"(edits=[{"step": "scores", "row": 1, "column": 2, "value": 3}])"});
    EXPECT_THAT(edited.out, HasSubstr(R"("edited": [)"));
    const auto unused =
        run({"trace", "--text", "a b", "--set", R"(edits=[{"step": "scores", "row": 9, "column": 2, "value": 3}])"});
    EXPECT_THAT(unused.out, HasSubstr(R"("unused_edits": 1)"));
    EXPECT_THAT(unused.err, HasSubstr("1 of the edits concern cells that this computation does not have: scores[9, 2]"));
}

TEST(CliTrace, SameTextSameBytesInEveryFormat) {
    for (const char* format : {"json", "npz", "csv"}) {
        const auto first = run(with(kCausal, {"--format", format}));
        EXPECT_EQ(first.status, 0);
        EXPECT_FALSE(first.out.empty());
        EXPECT_EQ(first.out, run(with(kCausal, {"--format", format})).out) << format;
    }
}

TEST(CliTrace, TheFileExtensionChoosesTheFormat) {
    const cli_test::Folder folder;
    for (const char* name : {"t.json", "t.NPZ", "t.csv", "t.txt"})
        ASSERT_EQ(run(with(kCausal, {"-o", folder / name})).status, 0) << name;
    EXPECT_EQ(cli_test::bytes_of(folder / "t.json").substr(0, 2), "{\n");
    EXPECT_EQ(cli_test::bytes_of(folder / "t.NPZ").substr(0, 2), "PK");
    EXPECT_EQ(cli_test::bytes_of(folder / "t.csv").substr(0, 10), "# document");
    EXPECT_EQ(cli_test::bytes_of(folder / "t.txt").substr(0, 2), "{\n");
}

TEST(CliTraceNpz, HasOneArrayPerStep) {
    const auto archive = attn::read_npz(run(with(kCausal, {"--format", "npz"})).out);
    ASSERT_TRUE(archive.ok()) << archive.error().text();
    const auto expected = attn::run(causal_document());
    ASSERT_EQ(archive->arrays.size(), expected->trace.steps.size());
    for (std::size_t i = 0; i < archive->arrays.size(); ++i) {
        EXPECT_EQ(archive->arrays[i].name, attn::step_name(expected->trace.steps[i].tag));
        const auto value = attn::matrix_from_npy(archive->arrays[i].array, archive->arrays[i].name);
        ASSERT_TRUE(value.ok());
        EXPECT_TRUE(*value == expected->trace.steps[i].value);
    }
    EXPECT_THAT(archive->ignored, testing::ElementsAre("trace.json"));
}

TEST(CliTraceCsv, GuardsFormulasOnlyOnRequest) {
    const std::vector<std::string> formula = {"trace", "--format", "csv", "--set", R"(tokens=["=1+1","a,b"])"};
    EXPECT_THAT(run(formula).out, HasSubstr("\n=1+1,"));
    EXPECT_THAT(run(formula).out, HasSubstr("\n\"a,b\","));
    EXPECT_THAT(run(with(formula, {"--spreadsheet"})).out, HasSubstr("\n'=1+1,"));
}

/// A long run is announced with its estimated time, and ends at Ctrl+C.
TEST(CliTraceHostile, ALongRunIsAnnouncedAndCanBeEnded) {
    std::string text;
    for (int i = 0; i < 2500; ++i) text += "w" + std::to_string(i) + " ";
    const std::vector<std::string> hard = {"trace", "--text", text, "--set", "selection=hard", "--set", "draws=100000"};
    const auto outcome = cli_test::run_program(hard, {.signal_after_ms = 1500});
    EXPECT_EQ(outcome.status, 128 + SIGINT);
    EXPECT_THAT(outcome.err, HasSubstr("this may take "));
    EXPECT_THAT(outcome.err, HasSubstr(" s; Ctrl+C stops it"));
    EXPECT_THAT(outcome.err, HasSubstr("interrupted; nothing was written"));
    EXPECT_THAT(run({"trace", "--text", "a b"}).err, Not(HasSubstr("may take")));
}

/// S grows with the text: a note says so if a run with the cache differs from one without.
TEST(CliTrace, LocalPWhileGeneratingHasANote) {
    const std::vector<std::string> base = {"trace", "--text", "the cat sat", "--set", "variant=generate", "--set", "layers=2"};
    std::vector<std::string> local = base;
    local.insert(local.end(), {"--set", "scope=local_p"});
    EXPECT_THAT(run(local).err, HasSubstr("its places are predicted anew as the text grows"));
    EXPECT_EQ(run(base).err, "");
}

TEST(CliTraceHostile, Row25_NoTokensIsAnEmptyTrace) {
    for (const char* text : {"", "   ", "\xef\xbb\xbf"}) {
        const auto outcome = run({"trace", "--text", text});
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        EXPECT_THAT(outcome.out, HasSubstr(R"("steps": [])"));
        EXPECT_EQ(run({"trace", "--text", text, "--format", "csv"}).status, 0);
        EXPECT_EQ(run({"trace", "--text", text, "--format", "npz"}).status, 0);
    }
}

TEST(CliTraceHostile, Row26_AMegabyteOnStandardInputIsCutWithANote) {
    std::string text;
    while (text.size() < (1u << 20)) text += "word ";
    const auto outcome = run({"trace", "--text", "-", "--set", "variant=raw", "--format", "npz"}, text);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("the text is long"));
    EXPECT_EQ(run({"trace", "--text", "-", "--set", "variant=raw"}, std::string(1u << 20, '\n')).status, 0);
}

TEST(CliTraceHostile, TooMuchOnStandardInputIsRefused) {
    const auto outcome = run({"trace", "--text", "-"}, std::string((16u << 20) + 1, 'a'));
    EXPECT_EQ(outcome.status, 3);
    EXPECT_THAT(outcome.err, HasSubstr("standard input"));
}

TEST(CliTraceHostile, Row27_InvalidBytesAreReplacedAndCounted) {
    const auto outcome = run({"trace", "--text", "-"}, "a \xff\xfe b");
    EXPECT_EQ(outcome.status, 0);
    EXPECT_THAT(outcome.err, HasSubstr("2 invalid byte sequences"));
    EXPECT_TRUE(attn::parse_json(outcome.out).ok());
    const auto bytes = run({"trace", "--text", "早", "--set", "tokenizer=bytes"});
    EXPECT_THAT(bytes.out, HasSubstr(R"("tokens": ["E6", "97", "A9"])"));
}

TEST(CliTraceHostile, Row28_ControlCharactersHaveNoEffectOnATerminal) {
    std::string text = "a";
    text += '\0';
    text += "\x1b[31mb\u202e c\x07";
    for (const char* format : {"json", "csv"}) {
        const auto outcome = run({"trace", "--text", "-", "--format", format}, text);
        EXPECT_EQ(outcome.status, 0);
        for (const char c : outcome.out) EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20) << int(c);
        EXPECT_EQ(outcome.out.find("\u202e"), std::string::npos);
    }
}

}  // namespace
