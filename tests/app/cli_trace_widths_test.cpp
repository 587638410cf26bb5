// trace.json is the same to the last byte for all vector widths and all numbers of threads.
#include <gtest/gtest.h>

#include "tests/app/cli_fixture.h"
#include "tests/core/widths.h"

namespace {

void expect_same_bytes(const std::vector<std::string>& arguments) {
    const auto expected = cli_test::run(arguments);
    ASSERT_EQ(expected.status, 0) << expected.err;
    ASSERT_GT(expected.out.size(), 1000u);
    attn::test::with_every_width([&](const std::string& forced) {
        EXPECT_TRUE(cli_test::run(arguments).out == expected.out) << forced << ": " << arguments.back();
    });
}

std::vector<std::string> traced(std::initializer_list<std::string> settings, const std::string& text = "the tired cat sat down") {
    std::vector<std::string> arguments = {"trace", "--text", text};
    for (const std::string& setting : settings) {
        arguments.push_back("--set");
        arguments.push_back(setting);
    }
    return arguments;
}

TEST(CliTraceWidths, ASentence) { expect_same_bytes(traced({"weights=random", "heads=2", "mask=causal"})); }

TEST(CliTraceWidths, BlocksWithEachActivation) {
    for (const char* activation : {"relu", "gelu", "gelu_tanh", "swiglu"})
        expect_same_bytes(traced({"variant=encoder", "weights=random", "layers=2", std::string("activation=") + activation}));
    expect_same_bytes(traced({"variant=decoder", "weights=random", "norm=rms_norm", "block=pre_norm"}));
}

TEST(CliTraceWidths, OtherScoresAndVariants) {
    for (const char* score : {"additive", "cosine", "general"})
        expect_same_bytes(traced({"weights=random", std::string("score=") + score}));
    for (const char* form : {"linear", "online", "bahdanau", "generate"})
        expect_same_bytes(traced({std::string("variant=") + form, "weights=random"}));
}

/// Wide enough for every part of a tile, and for work that threads share.
TEST(CliTraceWidths, ALongTextOfWideVectors) {
    std::string text;
    for (int i = 0; i < 70; ++i) text += "word" + std::to_string(i % 23) + " ";
    expect_same_bytes(traced({"vectors=random", "width=120", "heads=3", "weights=random", "temperature=0.7"}, text));
}

}  // namespace
