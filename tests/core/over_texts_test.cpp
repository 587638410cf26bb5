// Heads over many texts: means, deviations between texts, and weights by distance.
#include "core/analysis/over_texts.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "core/analysis/repeated_words.h"
#include "core/model/model.h"
#include "tests/core/support.h"
#include "places.h"

namespace attn::test {
namespace {

Document two_heads(std::string text) {
    Document doc;
    doc.text = std::move(text);
    doc.weights = "random";
    doc.config.heads = 2;
    doc.config.form = "multi_head";
    doc.config.mask = "causal";
    return doc;
}

TEST(OverTexts, AMeanOfMeansAndHowFarTheTextsLieApart) {
    const std::vector<attn::Run> runs = {run_valid(two_heads("the cat sat on the mat")), run_valid(two_heads("a dog saw the dog")),
                                         run_valid(two_heads("one two three"))};
    HeadsOverTexts over;
    std::vector<double> previous, induction;
    for (const attn::Run& run : runs) {
        over.add(run.trace);
        const HeadRoles roles = measured_heads(run.trace).at(1);
        previous.push_back(roles[HeadRole::Previous].share);
        if (!std::isnan(roles[HeadRole::Induction].share)) induction.push_back(roles[HeadRole::Induction].share);
    }
    ASSERT_EQ(over.texts(), 3);
    ASSERT_EQ(over.heads().size(), 2U);
    const HeadOverTexts& head = over.heads()[1];
    const Moments& shares = head.shares[static_cast<std::size_t>(HeadRole::Previous)];
    const double mean = std::reduce(previous.begin(), previous.end()) / 3;
    double squares = 0;
    for (const double one : previous) squares += (one - mean) * (one - mean);
    EXPECT_EQ(shares.count(), 3);
    EXPECT_NEAR(shares.mean(), mean, 1e-12);
    EXPECT_NEAR(shares.deviation(), std::sqrt(squares / 2), 1e-12);
    ASSERT_EQ(induction.size(), 2U) << "three different words have no earlier copy";
    EXPECT_EQ(head.shares[static_cast<std::size_t>(HeadRole::Induction)].count(), 2);
    EXPECT_NEAR(head.shares[static_cast<std::size_t>(HeadRole::Induction)].mean(), (induction[0] + induction[1]) / 2, 1e-12);
    EXPECT_TRUE(std::isnan(head.shares[static_cast<std::size_t>(HeadRole::Next)].mean())) << "masked in every text";
}

/// All visible pairs of all texts count; the first row can only attend to itself and is left out.
TEST(OverTexts, WeightsByDistanceAreOfAllPairs) {
    HeadsOverTexts over;
    double one_back = 0;
    int pairs = 0;
    for (const char* text : {"the cat sat on the mat", "a dog saw the dog"}) {
        const attn::Run run = run_valid(two_heads(text));
        over.add(run.trace);
        const Matrix w = weights_of(run.trace, attention_maps(run.trace)[0]);
        for (Eigen::Index r = 1; r < w.rows(); ++r, ++pairs) one_back += static_cast<double>(w(r, r - 1));
    }
    const auto& by_distance = over.heads()[0].by_distance;
    ASSERT_TRUE(by_distance.contains(1));
    EXPECT_EQ(by_distance.at(1).count(), pairs);
    EXPECT_NEAR(by_distance.at(1).mean(), one_back / pairs, 1e-9);
    EXPECT_FALSE(by_distance.contains(-1)) << "the mask hides what comes after";
    EXPECT_EQ(by_distance.rbegin()->first, 5) << "six tokens";
}

TEST(RepeatedWords, OccurTwiceAndAreNotSpecial) {
    const auto model = find_model(ATTN_SOURCE_DIR "/tests/data/planted", {.folders = true});
    ASSERT_TRUE(model);
    const std::vector<std::string> words = repeated_words(*model, 3);
    ASSERT_FALSE(words.empty());
    const std::size_t half = words.size() / 2;
    for (std::size_t i = 0; i < half; ++i) EXPECT_EQ(words[i], words[half + i]);
    EXPECT_LE(repeated_words(*model, 3, 7).size(), 7U);
}

}  // namespace
}  // namespace attn::test
