// Where a head looks when a token stands again.
#include "core/analysis/induction.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/model/model.h"
#include "tests/core/support.h"

namespace attn::test {
namespace {

/// a b a b: row 3 looks for what is behind the first a, row 4 behind the first b.
TEST(InductionShare, IsTheWeightBehindTheEarlierPlace) {
    Document doc;
    doc.tokens = {"a", "b", "a", "b"};
    doc.config.mask = "causal";
    const attn::Run run = run_valid(doc);
    const auto maps = attention_maps(run.trace);
    ASSERT_EQ(maps.size(), 1U);
    const Matrix w = weights_of(run.trace, maps[0]);
    EXPECT_DOUBLE_EQ(induction_share(run.trace, maps[0]),
                     (static_cast<double>(w(2, 1)) + static_cast<double>(w(3, 2))) / 2);
    doc.tokens = {"a", "b", "c"};
    const attn::Run once = run_valid(doc);
    EXPECT_TRUE(std::isnan(induction_share(once.trace, attention_maps(once.trace)[0]))) << "no token stands again";
}

/// The last earlier place counts, not the first.
TEST(InductionShare, OfSeveralEarlierPlacesTheLastCounts) {
    Document doc;
    doc.tokens = {"a", "b", "a", "c", "a"};
    const attn::Run run = run_valid(doc);
    const auto maps = attention_maps(run.trace);
    const Matrix w = weights_of(run.trace, maps[0]);
    EXPECT_DOUBLE_EQ(induction_share(run.trace, maps[0]),
                     (static_cast<double>(w(2, 1)) + static_cast<double>(w(4, 3))) / 2);
}

/// The model that was trained for it has such a head in its second layer, and none in its first.
TEST(InductionShare, FindsTheHeadThatWasTrainedForIt) {
    Document doc;
    take_model(doc, shipped_model("induction"));
    doc.text = "k q b z m k q b z";
    const attn::Run run = run_valid(doc);
    const auto maps = attention_maps(run.trace);
    ASSERT_EQ(maps.size(), 2U);
    EXPECT_LT(induction_share(run.trace, maps[0]), 0.5);
    EXPECT_GT(induction_share(run.trace, maps[1]), 0.7);
}

}  // namespace
}  // namespace attn::test
