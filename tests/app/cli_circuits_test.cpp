// `attenscope residual`, `circuits`, `compare` and `attribute --neurons`, for the planted circuit and for other models.

#include <gmock/gmock.h>

#include <cmath>

#include "core/io/json.h"
#include "places.h"
#include "tests/app/cli_fixture.h"

namespace {

using cli_test::run;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

const std::string kFamilies = ATTN_SOURCE_DIR "/tests/data/checkpoints/";
const std::string kRepeated = "green winter cloud table stone bread river horse seven window night apple green winter cloud table stone bread river horse seven";

std::vector<std::string> on_planted(const std::string& command, const std::vector<std::string>& more = {}) {
    std::vector<std::string> out = {command, "--model", ATTN_SOURCE_DIR "/tests/data/planted", "--text", kRepeated};
    out.insert(out.end(), more.begin(), more.end());
    return out;
}

/// The induction head adds most, and turns the vector towards its final direction.
TEST(CliResidual, FollowsATokenThroughTheBlocks) {
    const auto said = run(on_planted("residual"));
    ASSERT_EQ(said.status, 0) << said.err;
    EXPECT_THAT(said.out, HasSubstr("the residual stream at 21 \"seven\"\nbehind            norm  cosine before  cosine end  added norm  added cosine\n"));
    EXPECT_THAT(said.out, HasSubstr("attention 1     14.177         +0.327      +1.000      13.400        -0.006\n"));
    EXPECT_THAT(said.out, HasSubstr("norm behind  inputs  layer 0  layer 1\n1 \"green\" "));
    EXPECT_THAT(run(on_planted("residual", {"--at", "2"})).out, HasSubstr("the residual stream at 2 \"winter\"\n"));
    EXPECT_THAT(run(on_planted("residual", {"--at", "22"})).err, HasSubstr("--at: there is no token 22: the text has 21"));
    const auto json = attn::parse_json(run(on_planted("residual", {"--json"})).out);
    ASSERT_TRUE(json);
    const auto& points = json->find("stacks")->items.front().find("points")->items;
    ASSERT_EQ(points.size(), 5U);
    EXPECT_EQ(points.front().find("behind")->string, "inputs");
    EXPECT_FALSE(points.front().find("added"));
    EXPECT_EQ(points[3].find("added")->string, "l2.attended");
    EXPECT_EQ(points[3].find("layer")->integer, 2);
    EXPECT_NEAR(points[3].find("added_norm")->items[20].number, 13.400, 1e-3);
}

TEST(CliResidual, NotesNormsOfSumsAndTwoStreams) {
    EXPECT_THAT(run({"residual", "--model", kFamilies + "bert", "--text", "the cat"}).out, HasSubstr("each block normalises its sum"));
    const auto two = run({"residual", "--model", "translation", "--text", "the small girl saw a black cat ."});
    EXPECT_THAT(two.out, HasSubstr("the residual stream of the encoder at 8"));
    EXPECT_THAT(two.out, HasSubstr("\ncross attention 1 "));
    EXPECT_THAT(run({"residual", "--text", "the cat"}).err, HasSubstr("the form has no blocks"));
}

TEST(CliCircuits, NamesThePairThatComposes) {
    const auto said = run({"circuits", "--model", ATTN_SOURCE_DIR "/tests/data/planted", "--top", "2"});
    ASSERT_EQ(said.status, 0) << said.err;
    EXPECT_THAT(said.out, HasSubstr("folded in: the norm's γ (W_Q, W_K, W_V); the last norm's γ (W_U); that a layer norm takes the mean off (all that reads or writes the stream); "
                                    "left out: the norms' scales, 1/√d_k, biases\n"));
    EXPECT_THAT(said.out, ContainsRegex("\n1\\.2 +9\\.058 +8\\.0 +\\+1\\.000 +11\\.305 +8\\.0\n"));
    EXPECT_THAT(said.out, HasSubstr("by chance 0.146\n"));
    EXPECT_THAT(said.out, HasSubstr("0.351  0.1 → 1.2"));
    EXPECT_THAT(said.out, Not(HasSubstr("RoPE")));
    // No text is read, so another one changes nothing.
    EXPECT_EQ(run(on_planted("circuits", {"--top", "2"})).out, said.out);
    const auto json = attn::parse_json(run(on_planted("circuits", {"--json"})).out);
    ASSERT_TRUE(json);
    EXPECT_NEAR(json->find("composition")->find("k")->items[6].items[1].number, 0.3506, 1e-3);
    EXPECT_EQ(json->find("composition")->find("k")->items[1].items[6].kind, attn::JsonKind::Null);
    EXPECT_EQ(json->find("heads")->items[6].find("name")->string, "l2.weights.h3");
    EXPECT_EQ(json->find("heads")->items[6].find("ov")->find("singular_values")->items.size(), 12U);
    EXPECT_TRUE(json->find("folding")->find("gain")->boolean);
}

TEST(CliCircuits, PrintsWhatAHeadMoves) {
    const auto one = run(on_planted("circuits", {"--head", "1.2"}));
    ASSERT_EQ(one.status, 0) << one.err;
    EXPECT_THAT(one.out, HasSubstr("head 1.2: ‖W_OV‖ 9.058, copying +1.000; ‖W_QK‖ 11.305\nsingular values of W_OV\n  3.306 3.276"));
    EXPECT_THAT(one.out, ContainsRegex("\"river\" +\\+25\\.7 +1 +\"river\" \\+25\\.7, "));
    EXPECT_THAT(one.out, HasSubstr("0.351  0.1 → 1.2"));
    EXPECT_THAT(one.out, Not(HasSubstr("→ 1.1")));
    EXPECT_EQ(run(on_planted("circuits", {"--head", "L2H3", "--count-from", "1", "--json"})).out, run(on_planted("circuits", {"--head", "1.2", "--json"})).out);
    const auto json = attn::parse_json(run(on_planted("circuits", {"--head", "1.2", "--json"})).out);
    ASSERT_TRUE(json);
    EXPECT_EQ(json->find("heads")->items.size(), 1U);
    EXPECT_EQ(json->find("tokens")->items.size(), 12U) << "each token once";
    EXPECT_EQ(json->find("queries")->items.size(), 12U);
    EXPECT_THAT(one.out, HasSubstr("\n  query "));
    EXPECT_EQ(json->find("composition")->find("k")->items.front().find("writer")->string, "l1.weights.h2");
    EXPECT_THAT(run(on_planted("circuits", {"--head", "2.0"})).err, HasSubstr("--head: there is no head \"2.0\"; the last one is 1.3"));
    EXPECT_THAT(run(on_planted("circuits", {"--head", "first"})).err, HasSubstr("--head: \"first\" is no head"));
}

/// The output lists everything that changes the numbers before the numbers.
TEST(CliCircuits, NotesWhatIsFoldedIn) {
    const auto of = [](const std::string& family) { return run({"circuits", "--model", kFamilies + family, "--text", "the cat sat"}).out; };
    EXPECT_THAT(of("llama"), HasSubstr("(RoPE): W_QK is that of a distance of 0"));
    EXPECT_THAT(of("llama"), HasSubstr("2 heads share W_K and W_V\n"));
    EXPECT_THAT(of("llama"), Not(HasSubstr("takes the mean off")));
    EXPECT_THAT(of("qwen3"), HasSubstr("γ of the norms of queries and keys"));
    EXPECT_THAT(of("gemma2"), HasSubstr("γ of the norm of what attention made (W_O)"));
    EXPECT_THAT(of("gemma2"), HasSubstr("left out: the norms' scales, 1/√d_k, the cap on scores"));
    EXPECT_THAT(of("llama"), Not(HasSubstr("the cap")));
    EXPECT_THAT(of("bert"), HasSubstr("nothing is folded in; left out: the norms of each block's sum"));
    EXPECT_THAT(of("t5"), HasSubstr("cross-attention is not among the heads"));
    EXPECT_THAT(of("t5"), HasSubstr("numbers by distance"));
    EXPECT_THAT(run({"circuits", "--text", "the cat"}).err, HasSubstr("the form has no blocks"));
}

TEST(CliAttribute, NamesNeuronsAndTheirWords) {
    const auto said = run(on_planted("attribute", {"--neurons", "3"}));
    ASSERT_EQ(said.status, 0) << said.err;
    EXPECT_THAT(said.out, HasSubstr("neuron  activation  speaks for"));
    const auto json = attn::parse_json(run(on_planted("attribute", {"--neurons", "32", "--json"})).out);
    ASSERT_TRUE(json);
    ASSERT_EQ(json->find("neurons")->items.size(), 32U) << "all of two layers";
    double of_neurons = 0, of_layers = 0;
    for (const attn::JsonValue& one : json->find("neurons")->items) of_neurons += one.find("value")->number;
    for (const attn::JsonValue& part : json->find("parts")->items)
        if (part.find("part")->string == "feed_forward") of_layers += part.find("value")->number;
    EXPECT_NEAR(of_neurons, of_layers, 1e-6);
    EXPECT_EQ(json->find("neurons")->items.front().find("most")->items.size(), 5U);
    EXPECT_FALSE(attn::parse_json(run(on_planted("attribute", {"--json"})).out)->find("neurons"));
}

/// Leaving out a word changes where heads look; the output says which heads, from where and to where.
TEST(CliCompare, RanksTheHeadsOfTwoTexts) {
    const std::string other = "green winter cloud table stone bread river horse seven window night apple green winter cloud table stone river bread horse seven music";
    const auto said = run(on_planted("compare", {"--with-text", other}));
    ASSERT_EQ(said.status, 0) << said.err;
    EXPECT_THAT(said.out, HasSubstr("weights of 8 heads: planted (21 tokens) and planted, "));
    EXPECT_THAT(said.out, HasSubstr("(22 tokens); 20 tokens correspond to each other\n"));
    EXPECT_THAT(said.out, HasSubstr("layer  head 0  head 1  head 2  head 3\n"));
    const auto json = attn::parse_json(run(on_planted("compare", {"--with-text", other, "--json"})).out);
    ASSERT_TRUE(json);
    const auto& heads = json->find("heads")->items;
    ASSERT_EQ(heads.size(), 8U);
    for (std::size_t i = 1; i < heads.size(); ++i) EXPECT_GE(heads[i - 1].find("difference")->number, heads[i].find("difference")->number);
    EXPECT_GT(heads.front().find("difference")->number, 0.01);
    EXPECT_EQ(heads.front().find("queries")->integer, 20);
    EXPECT_EQ(json->find("tokens_aligned")->items.size(), 21U);
}

TEST(CliCompare, ComparesTwoModelsAndChanges) {
    const auto same = run(on_planted("compare", {"--with-model", ATTN_SOURCE_DIR "/tests/data/planted", "--json"}));
    ASSERT_EQ(same.status, 0) << same.err;
    const auto alike = attn::parse_json(same.out);
    ASSERT_TRUE(alike);
    for (const attn::JsonValue& head : alike->find("heads")->items) EXPECT_EQ(head.find("difference")->number, 0);
    // Without the head that it reads, the induction head attends elsewhere, and no other head does.
    const auto changed = run(on_planted("compare", {"--json", "--set", R"(interventions=[{"at":"head","layer":1,"head":2,"by":"zero"}])"}));
    ASSERT_EQ(changed.status, 0) << changed.err;
    const auto json = attn::parse_json(changed.out);
    ASSERT_TRUE(json);
    const auto& heads = json->find("heads")->items;
    EXPECT_EQ(heads[0].find("name")->string, "l2.weights.h3");
    EXPECT_GT(heads[0].find("difference")->number, 0.4);
    EXPECT_LT(heads[1].find("difference")->number, 0.05);
    // Before is without the intervention: there the head looks at one token.
    EXPECT_THAT(json->find("runs")->items[0].find("name")->string, HasSubstr("without that"));
    EXPECT_THAT(json->find("runs")->items[1].find("name")->string, HasSubstr(", changed"));
    EXPECT_GT(heads[0].find("before")->number, heads[0].find("after")->number + 0.4);
    EXPECT_THAT(run(on_planted("compare", {"--set", R"(interventions=[{"at":"head","layer":1,"head":2,"by":"zero"}])"})).out, testing::ContainsRegex("after  change\n.*-0\\.[4-9]"));
    EXPECT_THAT(run(on_planted("compare")).err, HasSubstr("there is nothing to compare it with"));
    EXPECT_EQ(run(on_planted("compare", {"--with-model", "no such folder"})).status, 3);
    const auto two = run({"compare", "--model", "translation", "--text", "the small cat .", "--with-text", "the very small cat ."});
    EXPECT_THAT(two.out, HasSubstr("(4 source tokens, 1 token) and translation, \"the very small cat .\" (5 source tokens, 1 token); 5 tokens correspond"));
    EXPECT_THAT(two.out, HasSubstr("cross 1.1"));
}

}  // namespace
