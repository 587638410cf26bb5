// `attenscope heads --model`: roles of heads measured on repeated words or on a text.

#include <gmock/gmock.h>

#include <map>
#include <set>

#include "core/io/json.h"
#include "core/model/model.h"
#include "core/train/shipped/texts.h"
#include "places.h"
#include "tests/app/cli_fixture.h"

namespace {

using cli_test::run;
using testing::HasSubstr;

std::vector<std::string> of_checkpoint(const std::string& name, const std::vector<std::string>& more = {}) {
    std::vector<std::string> out = {"heads", "--model", std::string(ATTN_SOURCE_DIR "/tests/data/checkpoints/") + name};
    out.insert(out.end(), more.begin(), more.end());
    return out;
}

TEST(CliHeads, MeasuresACheckpointOnRepeatedWords) {
    for (const char* name : {"gpt2", "llama", "bert"}) {
        SCOPED_TRACE(name);
        const auto json = run(of_checkpoint(name, {"--json"}));
        ASSERT_EQ(json.status, 0) << json.err;
        EXPECT_THAT(json.err, HasSubstr("repeated once (seed 1)"));
        const auto parsed = attn::parse_json(json.out);
        ASSERT_TRUE(parsed);
        const auto& tokens = parsed->find("tokens")->items;
        const std::size_t half = tokens.size() / 2;
        ASSERT_EQ(tokens.size(), 2 * half);
        std::set<std::string> different;
        for (std::size_t i = 0; i < half; ++i) {
            EXPECT_EQ(tokens[i].string, tokens[half + i].string);
            different.insert(tokens[i].string);
        }
        EXPECT_EQ(different.size(), half);
        for (const auto& head : parsed->find("heads")->items) {
            EXPECT_GE(head.find("layer")->integer, 1);
            const auto* induction = head.find("induction");
            EXPECT_GE(induction->find("share")->number, 0);
            EXPECT_LE(induction->find("share")->number, 1);
            EXPECT_EQ(induction->find("rows")->integer, static_cast<long long>(half)) << "each token of the repeat";
        }
    }
    EXPECT_EQ(run(of_checkpoint("gpt2")).out, run(of_checkpoint("gpt2")).out);
    EXPECT_NE(run(of_checkpoint("gpt2")).out, run(of_checkpoint("gpt2", {"--seed", "2"})).out);
}

/// All layers as one map, and what each head adds: rows and columns are named, in JSON as in text.
TEST(CliHeads, PrintsMapsThroughLayersAndOtherMeasures) {
    const std::vector<std::string> text = {"heads", "--model", "language", "--text", "the river bank"};
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), text.begin(), text.end());
        return run(more);
    };
    const auto rollout = with({"--through", "rollout", "--json"});
    ASSERT_EQ(rollout.status, 0) << rollout.err;
    const auto parsed = attn::parse_json(rollout.out);
    ASSERT_TRUE(parsed);
    EXPECT_EQ(parsed->find("through")->string, "rollout");
    const auto& map = parsed->find("maps")->items.at(0);
    EXPECT_EQ(map.find("layers")->integer, 4);
    EXPECT_EQ(map.find("rows")->items.size(), 3U);
    for (const auto& row : map.find("values")->items) {
        double sum = 0;
        for (const auto& value : row.items) sum += value.number;
        EXPECT_NEAR(sum, 1, 1e-6);
    }
    const auto flow = with({"--through", "flow"});
    EXPECT_EQ(flow.status, 0) << flow.err;
    EXPECT_THAT(flow.out, HasSubstr("flow through 4 layers"));
    const auto part = with({"--measure", "part", "--json"});
    ASSERT_EQ(part.status, 0) << part.err;
    const auto measured = attn::parse_json(part.out);
    ASSERT_TRUE(measured);
    ASSERT_EQ(measured->find("maps")->items.size(), 16U);
    double all = 0;
    for (std::size_t head = 4; head < 8; ++head)
        for (const auto& value : measured->find("maps")->items[head].find("values")->items.at(2).items) all += value.number;
    EXPECT_NEAR(all, 1, 1e-4) << "of the second layer's heads together";
    EXPECT_EQ(with({"--measure", "part", "--through", "flow"}).status, 2);
    std::string long_text;
    for (int i = 0; i < 60; ++i) long_text += "the ";
    const auto too_long = run({"heads", "--model", "language", "--text", long_text, "--through", "flow"});
    EXPECT_EQ(too_long.status, 3);
    EXPECT_THAT(too_long.err, HasSubstr("texts of up to 48"));
    EXPECT_EQ(run({"heads", "--text", "the cat", "--set", "variant=linear", "--measure", "norm"}).status, 3);
}

/// Without a text; the texts that one of the models was trained on are rarely installed.
TEST(CliHeads, MeasuresEveryIncludedModel) {
    for (const std::string_view id : attn::shipped_ids()) {
        const bool has_texts = attn::train::missing_packages().empty();
        if (id == "language" && has_texts) continue;  // it is measured on them, which takes a minute
        const auto heads = run({"heads", "--model", std::string(id)});
        EXPECT_EQ(heads.status, 0) << id << ": " << heads.err;
        EXPECT_THAT(heads.out, HasSubstr("weights")) << id;
        EXPECT_THAT(heads.out, testing::Not(testing::ContainsRegex("[a-z](l[0-9]+\\.|cross\\.)?weights"))) << "a name adjoins what it does: " << id;
        // The words are generated: no more of them than the model takes.
        // One has only cross-attention.
        EXPECT_EQ(run({"heads", "--model", std::string(id), "--through", "flow"}).status, id == "alignment" ? 3 : 0) << id;
        EXPECT_EQ(heads.err.find("its texts are not installed (apt-get install ") != std::string::npos, id == "language") << heads.err;
    }
}

/// Encoder, decoder and cross-attention have rows; with two texts only the roles that need no common positions.
TEST(CliHeads, PrintsAllThreeAttentionsOfATranslation) {
    const auto heads = run({"heads", "--model", "translation", "--text", "the small girl saw a black cat .", "--json"});
    ASSERT_EQ(heads.status, 0) << heads.err;
    const auto parsed = attn::parse_json(heads.out);
    ASSERT_TRUE(parsed);
    // How many rows each counts: the encoder's eight words except the first, the decoder's one token, both texts.
    std::map<std::string, std::pair<long long, long long>> rows;
    for (const auto& head : parsed->find("heads")->items)
        rows[head.find("name")->string] = {head.find("previous")->find("rows")->integer, head.find("first")->find("rows")->integer};
    const std::map<std::string, std::pair<long long, long long>> expected = {
        {"encoder.l1.weights", {7, 7}}, {"l1.weights", {0, 0}}, {"cross.l1.weights", {0, 1}}};
    EXPECT_EQ(rows, expected);
    EXPECT_THAT(run({"heads", "--model", "translation", "--text", "the small girl saw a black cat ."}).out, HasSubstr("(by chance)"));
}

TEST(CliHeads, RanksThemByEachRole) {
    const auto table = run({"heads", "--model", "induction"});
    EXPECT_EQ(table.status, 0) << table.err;
    EXPECT_THAT(table.out,
                HasSubstr("weight on what follows earlier copies of the same token  l2.weights"));
    EXPECT_THAT(table.out, HasSubstr("weight on the token before"));
    const auto text = run(of_checkpoint("gpt2", {"--set", R"(tokens=["the","cat","sat"])", "--json"}));
    EXPECT_EQ(text.status, 0) << text.err;
    EXPECT_THAT(text.out, HasSubstr("\"induction\": {\n        \"share\": null")) << "no token stands again";
    EXPECT_EQ(run({"heads", "--text", "the cat", "--set", "variant=linear"}).status, 3);
}

/// A file of texts: each line is a text, blank lines are skipped, and the model is opened once.
TEST(CliHeads, MeasuresOverTheTextsOfAFile) {
    const std::vector<std::string> with = {"heads", "--model", ATTN_SOURCE_DIR "/tests/data/planted", "--texts", "-"};
    const std::string texts = "river stone river stone\n\nsilver window bread silver window bread\r\n";
    const auto said = run(with, texts);
    ASSERT_EQ(said.status, 0) << said.err;
    EXPECT_THAT(said.err, HasSubstr("measured on 2 texts of 10 tokens in all"));
    EXPECT_THAT(said.out, HasSubstr("mean weight by how many tokens back"));
    auto as_json = with;
    as_json.emplace_back("--json");
    const auto parsed = attn::parse_json(run(as_json, texts).out);
    ASSERT_TRUE(parsed);
    EXPECT_EQ(parsed->find("texts")->integer, 2);
    const auto& heads = parsed->find("heads")->items;
    ASSERT_EQ(heads.size(), 8U);
    const auto* previous = heads.at(1).find("previous");
    EXPECT_GT(previous->find("mean")->number, 0.9) << "planted";
    EXPECT_EQ(previous->find("texts")->integer, 2);
    EXPECT_GT(previous->find("deviation")->number, 0);
    EXPECT_GT(heads.at(1).find("by_distance")->items.at(1).find("mean")->number, 0.9);
    EXPECT_THAT(run(with, "\n \n").err, HasSubstr("there is no text in it"));
    EXPECT_EQ(run(with, "\n").status, 3);
    EXPECT_EQ(run({"heads", "--texts", "a.txt", "--text", "b"}).status, 2);
}

}  // namespace
