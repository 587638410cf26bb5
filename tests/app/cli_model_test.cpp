// `attenscope train`, `model` and `heads`: a model is trained, described, used and measured.

#include <gmock/gmock.h>

#include <fstream>

#include "core/io/files.h"
#include "tests/app/cli_fixture.h"

namespace {

using cli_test::Folder;
using cli_test::run;
using testing::HasSubstr;
using testing::Not;

std::string content(const std::string& path) {
    const auto bytes = attn::read_file(path, std::size_t{1} << 24);
    EXPECT_TRUE(bytes) << path;
    return bytes ? *bytes : "";
}

/// Two trainings with one seed: results of both, a table, two folders; the first equals a training without a second.
TEST(CliModel, TrainsAVariationBesideIt) {
    const Folder folder;
    const std::string both = folder / "both", alone = folder / "alone";
    const auto shown = run({"train", "copy", "--beside", "no_position", "--steps", "6", "--threads", "1"});
    ASSERT_EQ(shown.status, 0) << shown.err;
    EXPECT_THAT(shown.err, HasSubstr("step 6 of 6  unchanged: loss "));
    EXPECT_THAT(shown.err, HasSubstr("without position: loss "));
    EXPECT_THAT(shown.out, HasSubstr("right on unseen examples"));
    const auto kept = run({"train", "copy", "--beside", "no_position", "--steps", "6", "--threads", "3", "-o", both});
    ASSERT_EQ(kept.status, 0) << kept.err;
    EXPECT_EQ(kept.out, shown.out) << "the same numbers with any number of threads";
    ASSERT_EQ(run({"train", "copy", "--steps", "6", "-o", alone}).status, 0);
    EXPECT_EQ(content(both + "/model.safetensors"), content(alone + "/model.safetensors"));
    EXPECT_EQ(content(both + "/config.json"), content(alone + "/config.json"));
    EXPECT_THAT(content(both + "/no_position/config.json"), HasSubstr("\"variation\": \"no_position\""));
    EXPECT_EQ(run({"model", both + "/no_position"}).status, 0);
    // A variation that the task does not have is refused, and so is a missing folder.
    const auto none = run({"train", "copy", "--beside", "one_head"});
    EXPECT_EQ(none.status, 2);
    EXPECT_THAT(none.err, HasSubstr("changes nothing of the task copy"));
    EXPECT_EQ(run({"train", "copy"}).status, 2);
    EXPECT_THAT(run({"list", "variations"}).out, HasSubstr("no_position"));
}

TEST(CliModel, IsTrainedAndUsedByADocument) {
    const Folder folder;
    const std::string one = folder / "one", three = folder / "three";
    const auto trained = run({"train", "questions", "--steps", "12", "--threads", "1", "-o", one});
    ASSERT_EQ(trained.status, 0) << trained.err;
    EXPECT_THAT(trained.out, HasSubstr("verb_subject"));
    ASSERT_EQ(run({"train", "questions", "--steps", "12", "--threads", "3", "-o", three}).status, 0);
    const auto again = run({"train", "questions", "--steps", "12", "-o", one});
    EXPECT_EQ(again.status, 2);
    EXPECT_THAT(again.err, HasSubstr("--force"));
    for (const char* file : {"/config.json", "/vocab.json", "/model.safetensors"})
        EXPECT_EQ(content(one + file), content(three + file)) << file;
    const auto printed = run({"model", one});
    EXPECT_EQ(printed.status, 0) << printed.err;
    for (const char* part : {"query_weight", "16 × 16", "它形容什么？", "unseen_words", "questions, seed 0, 12 steps"})
        EXPECT_THAT(printed.out, HasSubstr(part));
    const auto measured = run({"heads", one + "/document.json", "--text", "the cat zyzzyva"});
    EXPECT_EQ(measured.status, 0) << measured.err;
    EXPECT_THAT(measured.out, HasSubstr("previous"));
    EXPECT_THAT(measured.out, HasSubstr("under a causal mask"));
    EXPECT_THAT(measured.err, HasSubstr("not in the model's vocabulary: zyzzyva"));
    EXPECT_THAT(measured.err, Not(HasSubstr("trained on texts of")));
    std::string long_text;
    for (int i = 0; i < 21; ++i) long_text += "the cat ";
    const auto longer = run({"heads", one + "/document.json", "--text", long_text});
    EXPECT_THAT(longer.err, HasSubstr("the text has 42 tokens; the model was trained on texts of 40 at most"));
    EXPECT_THAT(printed.out, HasSubstr("40 tokens"));
    const auto explained = run({"explain", "--set", "model=" + one, "--text", "the cat", "--step", "query_weight", "--row", "1",
                                "--column", "1", "--format", "json"});
    EXPECT_EQ(explained.status, 0) << explained.err;
    EXPECT_THAT(explained.out, HasSubstr("\"source\": \"model\""));
}

TEST(CliModel, ReportsErrorsInAFolder) {
    const Folder folder;
    std::ofstream(folder / "config.json") << "{}";
    const auto printed = run({"model", folder.path().string()});
    EXPECT_EQ(printed.status, 3);
    EXPECT_THAT(printed.err, HasSubstr("there are no weights beside config.json"));
    EXPECT_EQ(run({"model", folder / "nothing"}).status, 3);
    EXPECT_EQ(run({"model"}).status, 2);
}

TEST(CliModel, KeepsTheBestOfSeveralSeeds) {
    const Folder folder;
    const auto trained = run({"train", "questions", "--steps", "6", "--best-of", "2", "-o", folder / "best"});
    ASSERT_EQ(trained.status, 0) << trained.err;
    EXPECT_THAT(trained.out, HasSubstr("seed 1: score on unseen examples "));
    EXPECT_THAT(trained.out, HasSubstr("stays"));
    EXPECT_EQ(run({"train", "questions", "--best-of", "2", "--resume", "-o", folder / "best"}).status, 2);
}

TEST(CliModel, ShippedOnesPerformAsDescribed) {
    const auto printed = run({"model", "questions"});
    ASSERT_EQ(printed.status, 0) << printed.err;
    EXPECT_THAT(run({"list", "models"}).out, HasSubstr("questions"));
    EXPECT_EQ(run({"heads", "--set", "model=questions", "--text", "the tired cat sat down"}).status, 0);
}

}  // namespace
