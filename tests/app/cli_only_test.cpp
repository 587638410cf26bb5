// `attenscope trace --only`: selected steps.

#include <gmock/gmock.h>

#include "core/io/json.h"
#include "core/io/npz.h"
#include "tests/app/cli_fixture.h"

namespace {

using cli_test::run;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

const std::vector<std::string> kGpt2 = {"trace", "--model", ATTN_SOURCE_DIR "/tests/data/checkpoints/gpt2", "--text", "the cat sat", "--count-from", "1"};
const std::vector<std::string> kHeads = {"trace", "--text", "the tired cat", "--set", "heads=2", "--set", "weights=random"};

std::vector<std::string> only(std::vector<std::string> arguments, const std::string& wishes, std::initializer_list<std::string> more = {}) {
    arguments.insert(arguments.end(), {"--only", wishes});
    arguments.insert(arguments.end(), more);
    return arguments;
}

attn::JsonValue json_of(const std::vector<std::string>& arguments) {
    const auto outcome = run(arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    auto json = attn::parse_json(outcome.out);
    EXPECT_TRUE(json.ok()) << outcome.out;
    return json.ok() ? *json : attn::JsonValue();
}

std::vector<std::string> names_in(const attn::JsonValue& json) {
    std::vector<std::string> out;
    if (const attn::JsonValue* steps = json.find("steps"))
        for (const attn::JsonValue& step : steps->items) out.push_back(step.find("name")->string);
    return out;
}

std::vector<std::string> names(const std::vector<std::string>& arguments) { return names_in(json_of(arguments)); }

std::string refusal(const std::vector<std::string>& arguments, int status) {
    const auto outcome = run(arguments);
    EXPECT_EQ(outcome.status, status) << outcome.out;
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
}

TEST(CliOnly, OneHeadOfOneLayerOfACheckpoint) {
    const attn::JsonValue json = json_of(only(kGpt2, "role=weights,layer=2,head=2"));
    EXPECT_THAT(names_in(json), ElementsAre("l2.weights.h2"));
    EXPECT_EQ(json.find("only")->string, "role=weights,layer=2,head=2");
    EXPECT_EQ(json_of(kGpt2).find("only"), nullptr) << "where all are there, none were chosen";
}

/// A checkpoint's layers and heads count from 0 by default; the file counts from 1.
TEST(CliOnly, ALayerIsTypedAsItIsNumbered) {
    const std::vector<std::string> usual(kGpt2.begin(), kGpt2.end() - 2);
    EXPECT_THAT(names(only(usual, "role=weights,layer=1,head=0")), ElementsAre("l2.weights.h1"));
    EXPECT_THAT(names(only(usual, "role=weights,layer=0-1,head=1")), ElementsAre("l1.weights.h2", "l2.weights.h2"));
    EXPECT_THAT(refusal(only(usual, "layer=2"), 3), HasSubstr("there is layer=0-1"));
    EXPECT_THAT(refusal(only(kGpt2, "layer=0"), 3), HasSubstr("give a number (from 1)"));
}

/// For every filter, the steps that are written equal those of the whole file, byte for byte.
TEST(CliOnly, EqualsTheStepsOfTheWholeFile) {
    const attn::JsonValue whole = json_of(kGpt2);
    const auto text = [](const attn::JsonValue& step) {
        std::string out;
        for (const attn::JsonValue& row : step.find("values")->items)
            for (const attn::JsonValue& number : row.items) out += std::to_string(number.number) + number.string + " ";
        return out;
    };
    for (int layer = 1; layer <= 2; ++layer)
        for (const std::string role : {"weights", "queries", "residual", "up"}) {
            const attn::JsonValue part = json_of(only(kGpt2, "role=" + role + ",layer=" + std::to_string(layer)));
            std::size_t found = 0;
            for (const attn::JsonValue& step : whole.find("steps")->items) {
                if (step.find("role")->string != role || step.find("layer")->integer != layer) continue;
                const attn::JsonValue& same = part.find("steps")->items.at(found++);
                for (const std::string member : {"id", "layer", "head"})
                    EXPECT_EQ(same.find(member)->integer, step.find(member)->integer) << role << " " << member;
                EXPECT_EQ(text(same), text(step)) << role;
                EXPECT_EQ(same.find("inputs")->items.size(), step.find("inputs")->items.size());
            }
            EXPECT_THAT(part.find("steps")->items, SizeIs(found)) << role;
            EXPECT_GT(found, 0u) << role;
        }
}

TEST(CliOnly, CombinesValuesWithOrAndKeysWithAnd) {
    EXPECT_THAT(names(only(kGpt2, "role=queries,keys,layer=1,head=2")), ElementsAre("l1.keys.h2", "l1.queries.h2"));
    EXPECT_THAT(names(only(kGpt2, "role=queries,layer=1,role=keys,head=2")), ElementsAre("l1.keys.h2", "l1.queries.h2"));
    EXPECT_THAT(names(only(kGpt2, "layer=1-2,role=weights,head=1")), ElementsAre("l1.weights.h1", "l2.weights.h1"));
    EXPECT_THAT(names(only(kGpt2, "op=softmax,layer=2")), ElementsAre("l2.weights.h1", "l2.weights.h2"));
    EXPECT_THAT(names(only(kGpt2, "part=ffn,role=residual")), ElementsAre("ffn.l1.residual", "ffn.l2.residual"));
    EXPECT_THAT(names(only(kGpt2, "part=main,role=residual,layer=1")), ElementsAre("l1.residual"));
    EXPECT_THAT(names(only(kGpt2, "role=W_Q")), ElementsAre("l1.query_weight", "l2.query_weight"));
    EXPECT_THAT(names({"trace", "--text", "a b", "--gradient", "output,1,1", "--only", "role=weights"}), ElementsAre("weights", "grad.weights", "grad2.weights"));
    EXPECT_THAT(names({"trace", "--text", "a b", "--gradient", "output,1,1", "--only", "role=weights,pass=1"}), ElementsAre("grad.weights"));
    EXPECT_THAT(names({"trace", "--text", "a b", "--gradient", "output,1,1", "--only", "role=weights,pass=0"}), ElementsAre("weights"));
}

TEST(CliOnly, ASingleHeadOrLayerIsTheFirst) {
    EXPECT_THAT(names({"trace", "--text", "a b", "--only", "role=weights,head=1,layer=1"}), ElementsAre("weights"));
    EXPECT_THAT(names(only(kHeads, "head=2,role=weights,layer=1")), ElementsAre("weights.h2"));
    // A step that belongs to no head does not count as the first head's.
    EXPECT_THAT(refusal(only(kHeads, "role=inputs,embeddings,head=1"), 3), HasSubstr("none has a head"));
}

TEST(CliOnly, StepsHaveTheirPartAndTime) {
    const attn::JsonValue ffn = json_of(only(kGpt2, "part=ffn,role=residual,layer=1"));
    EXPECT_EQ(ffn.find("steps")->items.at(0).find("part")->string, "ffn");
    const attn::JsonValue main = json_of(only(kGpt2, "role=weights,layer=1,head=1"));
    EXPECT_EQ(main.find("steps")->items.at(0).find("part"), nullptr);
    EXPECT_EQ(main.find("steps")->items.at(0).find("time"), nullptr);
    const attn::JsonValue second = json_of({"trace", "--text", "a b", "--set", "variant=bahdanau", "--only", "role=weights,time=2"});
    ASSERT_THAT(second.find("steps")->items, Not(IsEmpty()));
    for (const attn::JsonValue& step : second.find("steps")->items) EXPECT_EQ(step.find("time")->integer, 2);
}

TEST(CliOnly, InEveryFormatAndConvention) {
    const auto npz = run(only(kGpt2, "role=weights,layer=2", {"--format", "npz"}));
    ASSERT_EQ(npz.status, 0) << npz.err;
    const auto archive = attn::read_npz(npz.out);
    ASSERT_TRUE(archive.ok()) << archive.error().text();
    ASSERT_THAT(archive->arrays, SizeIs(2));
    EXPECT_EQ(archive->arrays[0].name, "l2.weights.h1");
    EXPECT_EQ(archive->arrays[1].name, "l2.weights.h2");
    const auto csv = run(only(kGpt2, "role=weights,layer=2", {"--format", "csv"}));
    EXPECT_THAT(csv.out, HasSubstr("role=weights"));
    EXPECT_THAT(csv.out, HasSubstr("l2.weights.h1: softmax"));
    EXPECT_THAT(csv.out, Not(HasSubstr("l1.weights.h1: softmax")));
    const attn::JsonValue rows = json_of(only(kGpt2, "role=queries,layer=2,head=1"));
    const attn::JsonValue columns = json_of(only(kGpt2, "role=queries,layer=2,head=1", {"--convention", "columns"}));
    const auto& upright = rows.find("steps")->items.at(0).find("values")->items;
    const auto& turned = columns.find("steps")->items.at(0).find("values")->items;
    ASSERT_EQ(turned.size(), upright.at(0).items.size());
    for (std::size_t i = 0; i < turned.size(); ++i)
        for (std::size_t j = 0; j < upright.size(); ++j) EXPECT_EQ(turned[i].items.at(j).number, upright[j].items.at(i).number);
}

TEST(CliOnlyHostile, ErrorsListTheAvailableValues) {
    EXPECT_THAT(refusal(only(kGpt2, "role=weights,layer=3"), 3), HasSubstr("no step with role=weights has layer=3; there is layer=1-2"));
    EXPECT_THAT(refusal(only(kGpt2, "layer=1,role=context"), 3), HasSubstr("there is role="));
    EXPECT_THAT(refusal(only(kGpt2, "role=final_normed,layer=1"), 2), HasSubstr("there is no role \"final_normed\""));
    EXPECT_THAT(refusal(only(kGpt2, "role=W_O,head=1"), 3), HasSubstr("none has a head"));
    EXPECT_THAT(refusal(only(kGpt2, "role=wieghts"), 2), HasSubstr("there is no role \"wieghts\"; the closest is weights"));
    EXPECT_THAT(refusal(only(kGpt2, "role=l1.weights"), 2), HasSubstr("there is no role \"l1.weights\""));
    EXPECT_THAT(refusal(only(kGpt2, "rol=weights"), 2), HasSubstr("there are role, op, part, layer, head, time, pass"));
    EXPECT_THAT(refusal(only(kGpt2, "weights"), 2), HasSubstr("is not KEY=VALUE"));
    for (const std::string layer : {"-1", "x", "", "3-1", "1-", "-2", "99999999999", "1 ", "1.5", "+1"})
        EXPECT_THAT(refusal(only(kGpt2, "layer=" + layer), 2), HasSubstr("is not possible; give a number")) << layer;
    EXPECT_THAT(refusal(only(kGpt2, "role=weights,,head=1"), 2), HasSubstr("there is no role \"\""));
    EXPECT_THAT(refusal(only(kGpt2, "role=weights\x1b[31m"), 2), Not(HasSubstr("\x1b")));
    EXPECT_THAT(refusal(only(kGpt2, "role=weights", {"--step", "weights"}), 2), HasSubstr("--step"));
    EXPECT_THAT(names({"trace", "--text", "", "--only", "role=weights,layer=3"}), IsEmpty()) << "no tokens, no steps, as without it";
}

}  // namespace
