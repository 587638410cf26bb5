// The roles of heads, measured over the rows where they are defined, and their chance levels.
#include "core/analysis/head_roles.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/analysis/measures.h"
#include "core/document/take.h"
#include "core/model/model.h"
#include "tests/core/support.h"

namespace attn::test {
namespace {

HeadRoles roles_of(const attn::Run& run, std::size_t map = 0) { return head_roles_of(run.trace, attention_maps(run.trace).at(map)); }

Document of_tokens(std::vector<std::string> tokens, std::string mask = "causal") {
    Document doc;
    doc.tokens = std::move(tokens);
    doc.config.mask = std::move(mask);
    return doc;
}

/// Eleven tokens under a causal mask. Row 1 can only attend to itself, with weight 1, and is not counted; the chance
/// level is the mean of 1/2 … 1/11 over the ten other rows.
TEST(HeadRoles, ChanceIsOverTheRowsOfARole) {
    std::vector<std::string> tokens;
    for (int i = 0; i < 11; ++i) tokens.push_back("w" + std::to_string(i));
    const HeadRoles roles = roles_of(run_valid(of_tokens(tokens)));
    double chance = 0;
    for (int i = 2; i <= 11; ++i) chance += 0.1 / i;
    for (const HeadRole role : {HeadRole::Previous, HeadRole::Same, HeadRole::First}) {
        EXPECT_NEAR(roles[role].chance, chance, 1e-12);
        EXPECT_EQ(roles[role].rows, 10);
    }
    EXPECT_EQ(roles[HeadRole::Next].rows, 0) << "masked everywhere";
    EXPECT_TRUE(std::isnan(roles[HeadRole::Next].share));
    EXPECT_TRUE(std::isnan(roles[HeadRole::Induction].chance)) << "no token stands again";
}

/// All earlier copies count: for row 5 of "a b a c a" both copies, and the tokens after them, b and c.
TEST(HeadRoles, AllEarlierCopiesCount) {
    const attn::Run run = run_valid(of_tokens({"a", "b", "a", "c", "a"}));
    const Matrix w = weights_of(run.trace, attention_maps(run.trace)[0]);
    const auto at = [&](int r, int c) { return static_cast<double>(w(r, c)); };
    const HeadRoles roles = roles_of(run);
    EXPECT_NEAR(roles[HeadRole::Induction].share, (at(2, 1) + at(4, 1) + at(4, 3)) / 2, 1e-12);
    EXPECT_NEAR(roles[HeadRole::Induction].chance, (1.0 / 3 + 2.0 / 5) / 2, 1e-12);
    EXPECT_NEAR(roles[HeadRole::Duplicate].share, (at(2, 0) + at(4, 0) + at(4, 2)) / 2, 1e-12);
    EXPECT_EQ(roles[HeadRole::Duplicate].rows, 2);
}

/// The comma and the separator count in every row that sees one; the first token does not, nor a word with an apostrophe.
TEST(HeadRoles, DelimitersArePunctuationAndSeparators) {
    for (const std::string_view token : {",", " .", "\u0120.", "\u2581!", "...", "。", "[SEP]", "</s>", "<|endoftext|>"}) EXPECT_TRUE(is_delimiter(token)) << token;
    for (const std::string_view token : {"a", "", " ", "\u0120", "it's", "3.5", "早"}) EXPECT_FALSE(is_delimiter(token)) << token;
    const attn::Run run = run_valid(of_tokens({"[CLS]", "a", ",", "b", "[SEP]"}));
    const Matrix w = weights_of(run.trace, attention_maps(run.trace)[0]);
    const auto at = [&](int r, int c) { return static_cast<double>(w(r, c)); };
    const HeadRoles roles = roles_of(run);
    EXPECT_EQ(roles[HeadRole::Delimiter].rows, 3);
    EXPECT_NEAR(roles[HeadRole::Delimiter].share, (at(2, 2) + at(3, 2) + at(4, 2) + at(4, 4)) / 3, 1e-12);
    EXPECT_NEAR(roles[HeadRole::Delimiter].chance, (1.0 / 3 + 1.0 / 4 + 2.0 / 5) / 3, 1e-12);
}

/// A weight of 0 is not a mask: under sparsemax, at temperature 0 and for top-1 the keys that a row may attend to are
/// those that the mask allows.
TEST(HeadRoles, VisibleKeysAreThoseOfTheMask) {
    for (const auto& [selection, temperature] : {std::pair("sparsemax", 0.01F), std::pair("soft", 0.0F), std::pair("top_k", 1.0F)}) {
        Document doc = of_tokens({"the", "cat", "sat"}, "none");
        doc.config.selection = selection;
        doc.config.temperature = temperature;
        if (doc.config.selection == "top_k") doc.config.top_k = 1;
        const HeadRoles roles = roles_of(run_valid(doc));
        EXPECT_NEAR(roles[HeadRole::Same].chance, 1.0 / 3, 1e-12) << selection;
        EXPECT_NEAR(roles.spread, 0, 1e-6) << selection << ": one key has all";
    }
}

/// A wholly masked row is counted in no role, induction included.
TEST(HeadRoles, MaskedRowsCountInNoRole) {
    Document doc = of_tokens({"a", "b", "a", "b"}, "drawn");
    doc.mask_pattern = Matrix::Ones(4, 4);
    doc.mask_pattern.row(3).setZero();
    const attn::Run run = run_valid(doc);
    const Matrix w = weights_of(run.trace, attention_maps(run.trace)[0]);
    const HeadRoles roles = roles_of(run);
    EXPECT_EQ(roles[HeadRole::Induction].rows, 1);
    EXPECT_NEAR(roles[HeadRole::Induction].share, static_cast<double>(w(2, 1)), 1e-12);
    EXPECT_EQ(roles[HeadRole::Same].rows, 3);
}

/// The model that was trained for induction has an induction head in its second layer, and none in its first.
TEST(HeadRoles, FindTheHeadThatWasTrainedForInduction) {
    Document doc;
    take_model(doc, shipped_model("induction"));
    doc.text = "k q b z m k q b z";
    const attn::Run run = run_valid(doc);
    EXPECT_LT(roles_of(run, 0)[HeadRole::Induction].share, 0.5);
    EXPECT_GT(roles_of(run, 1)[HeadRole::Induction].share, 0.7);
}

/// A head that is switched off adds nothing, however large its values, and the shares of the others sum to 1.
TEST(Measures, AHeadThatIsOffHasNoShare) {
    Document doc;
    doc.text = "the cat sat down";
    doc.config.heads = 2;
    doc.weights = "random";
    doc.config.heads_off = {1};
    const attn::Run run = run_valid(doc);
    const auto maps = attention_maps(run.trace);
    ASSERT_EQ(maps.size(), 2U);
    EXPECT_EQ(map_in(run.trace, maps[1], Measure::Norm)->cwiseAbs().maxCoeff(), 0.0F);
    EXPECT_EQ(map_in(run.trace, maps[1], Measure::Part)->cwiseAbs().maxCoeff(), 0.0F);
    EXPECT_GT(map_in(run.trace, maps[0], Measure::Norm)->minCoeff(), 0.0F);
    const Matrix part = *map_in(run.trace, maps[0], Measure::Part);
    for (Eigen::Index r = 0; r < part.rows(); ++r) EXPECT_NEAR(part.row(r).sum(), 1, 1e-5);
}

}  // namespace
}  // namespace attn::test
