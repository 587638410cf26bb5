// `attenscope heads --model`: roles of heads measured on words that are repeated, or on a text.

#include <gmock/gmock.h>

#include <set>

#include "tests/app/cli_fixture.h"
#include "core/io/json.h"
#include "places.h"

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
            EXPECT_GE(head.find("induction")->number, 0);
            EXPECT_LE(head.find("induction")->number, 1);
        }
    }
    EXPECT_EQ(run(of_checkpoint("gpt2")).out, run(of_checkpoint("gpt2")).out);
    EXPECT_NE(run(of_checkpoint("gpt2")).out, run(of_checkpoint("gpt2", {"--seed", "2"})).out);
}

TEST(CliHeads, RanksThemByEachRole) {
    const auto table = run({"heads", "--model", "induction"});
    EXPECT_EQ(table.status, 0) << table.err;
    EXPECT_THAT(table.out,
                HasSubstr("weight on the token behind the last earlier place of the same token  l2.weights"));
    EXPECT_THAT(table.out, HasSubstr("weight on the token before"));
    const auto text = run(of_checkpoint("gpt2", {"--set", R"(tokens=["the","cat","sat"])", "--json"}));
    EXPECT_EQ(text.status, 0) << text.err;
    EXPECT_THAT(text.out, HasSubstr("\"induction\": null")) << "no token stands again";
    EXPECT_EQ(run({"heads", "--text", "the cat", "--set", "variant=linear"}).status, 3);
}

}  // namespace
