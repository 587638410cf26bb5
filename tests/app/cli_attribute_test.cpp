// `attenscope attribute`, `ablate` and `patch`: the parts of a token's logit, for the planted circuit and for other models.

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "core/io/json.h"
#include "places.h"
#include "tests/app/cli_fixture.h"

namespace {

using cli_test::run;
using testing::HasSubstr;
using testing::Not;

const std::string kCheckpointFolder = ATTN_SOURCE_DIR "/tests/data/checkpoints/";

/// Repeated words: "window" followed "seven" before.
std::vector<std::string> of_planted(const std::vector<std::string>& more = {}) {
    std::vector<std::string> out = {"attribute", "--model", ATTN_SOURCE_DIR "/tests/data/planted", "--text",
                                    "green winter cloud table stone bread river horse seven window night apple green winter cloud table stone "
                                    "bread river horse seven"};
    out.insert(out.end(), more.begin(), more.end());
    return out;
}

TEST(CliAttribute, NamesTheHeadThatPredictsTheWord) {
    const auto said = run(of_planted({"--top", "3"}));
    ASSERT_EQ(said.status, 0) << said.err;
    EXPECT_THAT(said.out, HasSubstr("after 21 \"seven\": the logit of \"window\" (the likeliest) is 18.393; its parts sum to 18.393\n"));
    EXPECT_THAT(said.out, testing::ContainsRegex("\\+18\\.441  head +1     2  \\+18\\.441 \"window\" 10\n"));
    EXPECT_THAT(said.out, HasSubstr("the 14 others together"));
    EXPECT_THAT(said.out, HasSubstr("layer  head 0  head 1   head 2  head 3  attention bias  feed forward\n"));
    EXPECT_THAT(run(of_planted({"--target", "window", "--against", "seven"})).out, HasSubstr("the logit of \"window\" minus that of \"seven\" is 14.624"));
    EXPECT_THAT(run(of_planted({"--at", "14"})).out, HasSubstr("after 14 \"winter\": the logit of \"cloud\" (the likeliest)"));
}

/// The head that the induction head reads has almost no direct effect, but a large one through that head.
TEST(CliAttribute, IncludesGradientTimesValue) {
    const auto direct = run(of_planted()), gradient = run(of_planted({"--measure", "gradient"}));
    ASSERT_EQ(gradient.status, 0) << gradient.err;
    EXPECT_THAT(gradient.out, testing::ContainsRegex("-1\\.549  head +0     1"));
    EXPECT_THAT(direct.out, testing::ContainsRegex("\\+0\\.014  head +0     1"));
    EXPECT_THAT(gradient.out, Not(HasSubstr("sum to")));
}

/// Integrated gradients sum to the change from the baseline; what followed "seven" is what the prediction is from. From
/// zeros a model with layer norms changes nearly all at once, so that the sum comes close only with many points.
TEST(CliAttribute, IntegratedGradientsSumToTheWay) {
    const auto missing = [](const std::string& baseline, int points) {
        const auto json = run(of_planted({"--measure", "integrated", "--baseline", baseline, "--points", std::to_string(points), "--json"}));
        EXPECT_EQ(json.status, 0) << json.err;
        const auto parsed = attn::parse_json(json.out);
        if (!parsed) return 1.0;
        const double way = parsed->find("logit")->number - parsed->find("logit_of_baseline")->number;
        EXPECT_GT(std::abs(way), 1);
        const auto& sources = parsed->find("parts")->items.at(0).find("sources")->items;
        EXPECT_EQ(sources.size(), 21U);
        double sum = 0;
        for (const auto& source : sources) sum += source.number;
        EXPECT_NEAR(sum, parsed->find("sum")->number, 1e-9);
        const auto most = std::max_element(sources.begin(), sources.end(), [](const auto& a, const auto& b) { return a.number < b.number; });
        EXPECT_THAT(most - sources.begin(), testing::AnyOf(9, 20)) << baseline << ": window, or the last seven";
        return std::abs(sum - way) / std::abs(way);
    };
    EXPECT_LT(missing("mean", 64), 0.01);
    EXPECT_LT(missing("zero", 200), 0.9 * missing("zero", 20));
    EXPECT_THAT(run(of_planted({"--measure", "integrated", "--top", "2"})).out, HasSubstr("with their mean for its vectors; the tokens have"));
    const auto two = run({"attribute", "--model", "translation", "--text", "the small girl saw a black cat .", "--measure", "integrated", "--points", "8"});
    EXPECT_THAT(two.out, HasSubstr("of the encoder")) << two.err;
}

TEST(CliAttribute, JsonHasEveryPart) {
    const auto json = run(of_planted({"--json", "--target", "window", "--against", "seven"}));
    ASSERT_EQ(json.status, 0) << json.err;
    const auto parsed = attn::parse_json(json.out);
    ASSERT_TRUE(parsed);
    double sum = 0;
    int heads = 0;
    for (const attn::JsonValue& part : parsed->find("parts")->items) {
        const double value = part.find("value")->number;
        sum += value;
        EXPECT_EQ(part.find("part")->string == "head", part.find("sources") != nullptr);
        if (!part.find("sources")) continue;
        ++heads;
        double sources = 0;
        for (const attn::JsonValue& source : part.find("sources")->items) sources += source.number;
        EXPECT_NEAR(sources, value, 1e-4);
        EXPECT_EQ(part.find("sources")->items.size(), parsed->find(part.find("of")->string)->items.size());
    }
    EXPECT_EQ(heads, 8);
    EXPECT_NEAR(sum, parsed->find("logit")->number, 1e-3);
    EXPECT_NEAR(sum, parsed->find("sum")->number, 1e-9);
    EXPECT_EQ(parsed->find("target")->find("text")->string, "window");
    EXPECT_EQ(parsed->find("against")->find("text")->string, "seven");
    EXPECT_EQ(parsed->find("measure")->string, "direct");
    EXPECT_EQ(parsed->find("place")->integer, 21);
}

/// An encoder and decoder has a second attention after its first; a picture has patches as tokens.
TEST(CliAttribute, WorksForTwoTextsAndAPicture) {
    const auto written = run({"attribute", "--model", "translation", "--text", "the small girl saw a black cat .", "--json"});
    ASSERT_EQ(written.status, 0) << written.err;
    EXPECT_THAT(written.out, HasSubstr("\"of\": \"source_tokens\""));
    EXPECT_THAT(run({"attribute", "--model", "translation", "--text", "the small girl saw a black cat ."}).out, HasSubstr("cross head"));
    const auto seen = run({"attribute", "--model", kCheckpointFolder + "vit", "--picture", kCheckpointFolder + "vit/picture.png"});
    ASSERT_EQ(seen.status, 0) << seen.err;
    EXPECT_THAT(seen.out, HasSubstr("its parts sum to"));
    const auto capped = run({"attribute", "--model", kCheckpointFolder + "gemma2", "--text", "the cat sat"});
    ASSERT_EQ(capped.status, 0) << capped.err;
    EXPECT_THAT(capped.out, HasSubstr("before its cap"));
}

TEST(CliAttribute, ReportsWhatItCannotDecompose) {
    const auto bert = run({"attribute", "--model", kCheckpointFolder + "bert", "--text", "the cat", "--at", "1"});
    EXPECT_EQ(bert.status, 3);
    EXPECT_THAT(bert.err, HasSubstr("a layer with an activation is between the last block and the words"));
    // It does not ask for a position only to refuse there; integrated gradients go through that layer.
    EXPECT_THAT(run({"attribute", "--model", kCheckpointFolder + "bert", "--text", "the cat"}).err, HasSubstr("a layer with an activation is between"));
    const auto through = run({"attribute", "--model", kCheckpointFolder + "bert", "--text", "the cat", "--at", "1", "--measure", "integrated", "--points", "4"});
    EXPECT_EQ(through.status, 0) << through.err;
    EXPECT_THAT(run({"attribute", "--model", kCheckpointFolder + "bert", "--text", "the cat", "--measure", "integrated"}).err, HasSubstr("--at"));
    for (const auto& [option, value] : {std::pair("--points", "8"), std::pair("--baseline", "zero")}) {
        const auto alone = run(of_planted({option, value}));
        EXPECT_EQ(alone.status, 2);
        EXPECT_THAT(alone.err, HasSubstr(std::string(option) + ": it is for integrated gradients alone: add --measure integrated"));
    }
    const auto wordless = run({"attribute", "--text", "the cat"});
    EXPECT_EQ(wordless.status, 3);
    EXPECT_THAT(wordless.err, HasSubstr("there is no matrix from its outputs to words"));
    EXPECT_THAT(run(of_planted({"--target", "qqqq"})).err, HasSubstr("--target: the vocabulary has no token \"qqqq\""));
    EXPECT_THAT(run(of_planted({"--against", "qqqq"})).err, HasSubstr("--against: the vocabulary has no token \"qqqq\""));
    EXPECT_EQ(run(of_planted({"--measure", "guess"})).status, 2);
    EXPECT_EQ(run(of_planted({"--at", "22"})).status, 3);
}

std::vector<std::string> with_planted(std::string command, const std::vector<std::string>& more) {
    std::vector<std::string> out = of_planted(more);
    out.front() = std::move(command);
    return out;
}

/// Removing either head of the circuit removes the prediction; removing any other head does not.
TEST(CliAblate, FindsTheCircuitAndReportsTheChange) {
    const auto swept = run(with_planted("ablate", {"--top", "2", "--first-order"}));
    ASSERT_EQ(swept.status, 0) << swept.err;
    EXPECT_THAT(swept.out, HasSubstr("after 21 \"seven\": the logit of \"window\" (the likeliest) is 18.393; what it changes by with zeros in one place\n"));
    EXPECT_THAT(swept.out, testing::ContainsRegex(" change  first order +logit  place\n-18\\.431 +-2\\.022 +-0\\.038  head 1\\.2\n-18\\.149 +\\+1\\.549 +0\\.244  head 0\\.1\n"));
    const auto one = run(with_planted("ablate", {"--place", "head 0.1", "--place", "head 1.0", "--by", "mean"}));
    ASSERT_EQ(one.status, 0) << one.err;
    EXPECT_THAT(one.out, HasSubstr("with the mean over the tokens at head 0.1, the mean over the tokens at head 1.0; KL divergence of the prediction "));
    EXPECT_THAT(one.out, HasSubstr("before   after"));
    // Counted from 1 it is the same head; JSON always counts from 1.
    const auto from_one = run(with_planted("ablate", {"--place", "head 1.2", "--json", "--count-from", "1"}));
    EXPECT_EQ(from_one.out, run(with_planted("ablate", {"--place", "head 0.1", "--json"})).out);
    EXPECT_THAT(run(with_planted("ablate", {"--count-from", "1"})).out, HasSubstr("  head 2.3\n"));
    const auto json = attn::parse_json(from_one.out);
    ASSERT_TRUE(json);
    EXPECT_NEAR(json->find("logit")->number - json->find("logit_after")->number, 18.149, 1e-3);
    EXPECT_GT(json->find("kl_divergence")->number, 1);
    EXPECT_EQ(json->find("interventions")->items.front().find("at")->string, "head");
    EXPECT_EQ(json->find("interventions")->items.front().find("layer")->integer, 1);
    EXPECT_EQ(json->find("interventions")->items.front().find("head")->integer, 2);
    const auto mean = run(with_planted("ablate", {"--by", "mean"}));
    EXPECT_THAT(mean.out, HasSubstr("with the mean over the tokens in one place"));
    EXPECT_NE(mean.out.substr(mean.out.find("layer")), swept.out.substr(swept.out.find("layer")));
    const auto feed = run(with_planted("ablate", {"--what", "feed_forward"}));
    EXPECT_THAT(feed.out, HasSubstr("layer  feed_forward\n"));
    // Resampling: what the model makes of unrelated words.
    const std::string unrelated = "apple night window seven horse river bread stone table cloud winter green apple night window seven horse river bread stone table";
    const auto resampled = run(with_planted("ablate", {"--by", "resample", "--from", unrelated, "--top", "2"}));
    ASSERT_EQ(resampled.status, 0) << resampled.err;
    EXPECT_THAT(resampled.out, HasSubstr("what it changes by with what \"apple night"));
    EXPECT_THAT(resampled.out, testing::ContainsRegex("head 1\\.2\n"));
    EXPECT_THAT(run(with_planted("ablate", {"--by", "resample"})).err, HasSubstr("name one of as many tokens with --from"));
    EXPECT_THAT(run(with_planted("ablate", {"--from", unrelated})).err, HasSubstr("--by resample"));
}

/// Forced to look uniformly, the induction head no longer predicts the word; forced to the token that it looks at
/// anyway, the head that it reads stays what it is.
TEST(CliAblate, ForcesHeadsIntoAPattern) {
    const auto uniform = run(with_planted("ablate", {"--by", "uniform", "--top", "2"}));
    ASSERT_EQ(uniform.status, 0) << uniform.err;
    EXPECT_THAT(uniform.out, HasSubstr("what it changes by with the pattern \"uniform\" in one place\n"));
    EXPECT_THAT(uniform.out, HasSubstr("layer  head 0   head 1   head 2  head 3\n"));
    EXPECT_THAT(uniform.out, HasSubstr("pattern 1.2\n"));
    const auto change = [](std::vector<std::string> more) {
        more.insert(more.end(), {"--json", "--count-from", "1"});
        const auto said = run(with_planted("ablate", more));
        EXPECT_EQ(said.status, 0) << said.err;
        const auto json = attn::parse_json(said.out);
        if (!json) return 0.0;
        const attn::JsonValue& put = json->find("interventions")->items.front();
        EXPECT_EQ(put.find("at")->string, "pattern");
        return json->find("logit_after")->number - json->find("logit")->number;
    };
    EXPECT_NEAR(change({"--by", "previous", "--place", "head 1.2"}), 0, 0.2) << "it is the previous-token head";
    EXPECT_LT(change({"--by", "first", "--place", "pattern 1.2"}), -10);
    EXPECT_LT(change({"--by", "self", "--place", "head 2.3"}), -10);
    EXPECT_EQ(run(with_planted("ablate", {"--by", "first", "--place", "head 0.1"})).out, run(with_planted("ablate", {"--by", "first", "--place", "pattern 0.1"})).out);
    const auto layer = run(with_planted("ablate", {"--by", "uniform", "--what", "feed_forward"}));
    EXPECT_EQ(layer.status, 3);
    EXPECT_THAT(layer.err, HasSubstr("--by: uniform is a pattern for the weights of a head, and feed_forward has none: choose --what head"));
    EXPECT_EQ(run(with_planted("ablate", {"--by", "uniform", "--place", "layer 1"})).status, 3);
    const auto cross = run({"ablate", "--model", "translation", "--text", "the small girl saw a black cat .", "--by", "previous", "--place", "pattern 1.1 of cross"});
    EXPECT_THAT(cross.err, HasSubstr("choose \"uniform\" or \"first\""));
}

/// In the other text "seven" and "horse" change places at first, so that another word follows.
TEST(CliPatch, FindsTheDecidingPosition) {
    const std::string from = "green winter cloud table stone bread river window seven horse night apple green winter cloud table stone bread river horse seven";
    const auto printed = run(with_planted("patch", {"--from", from, "--target", "window", "--against", "horse"}));
    ASSERT_EQ(printed.status, 0) << printed.err;
    EXPECT_THAT(printed.out, HasSubstr("with the other text; how much of the way from one to the other there is with what \"green winter cloud"));
    EXPECT_THAT(printed.out, testing::ContainsRegex("\n10 \"window\" +\\+1\\.0[0-9]+ +\\+1\\.0[0-9]+ +0\\.000\n"));
    const auto json = attn::parse_json(run(with_planted("patch", {"--from", from, "--target", "window", "--against", "horse", "--what", "head", "--first-order", "--json"})).out);
    ASSERT_TRUE(json);
    for (const attn::JsonValue& place : json->find("places")->items) {
        const attn::JsonValue& put = *place.find("intervention");
        const bool induction = put.find("layer")->integer == 2 && put.find("head")->integer == 3;
        EXPECT_NEAR(place.find("recovered")->number, induction ? 1.0 : 0.0, 0.05);
        EXPECT_TRUE(place.find("first_order"));
    }
    const auto same = run(with_planted("patch", {"--from", "green winter cloud table stone bread river horse seven window night apple green winter cloud table stone bread river horse seven"}));
    EXPECT_EQ(same.status, 3);
    EXPECT_THAT(same.err, HasSubstr("--from: it has the same tokens as the text"));
    const auto shorter = run(with_planted("patch", {"--from", "green winter"}));
    EXPECT_EQ(shorter.status, 3);
    EXPECT_THAT(shorter.err, HasSubstr("has 2 tokens, this one 21"));
    EXPECT_THAT(run(with_planted("patch", {"--from", from, "--place", "head 9.1"})).err, HasSubstr("--place: there is no layer 9: there are 2, counted from 0"));
    EXPECT_THAT(run(with_planted("patch", {"--from", from, "--place", "nose 1"})).err, HasSubstr("is no place"));
    // An encoder reads the other text.
    const auto translated = run({"patch", "--model", "translation", "--text", "the small girl saw a black cat .", "--from", "the small boy saw a black cat .", "--what", "attention"});
    ASSERT_EQ(translated.status, 0) << translated.err;
    EXPECT_THAT(translated.out, HasSubstr("encoder 1"));
    EXPECT_THAT(run({"ablate", "--text", "the cat"}).err, HasSubstr("says no"));
}

}  // namespace
