// A head's weights forced into a pattern by a rule: the rows, what they mix, and what the document says of them.
#include "core/ops/pattern_rules.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/analysis/patching.h"
#include "core/analysis/prediction.h"
#include "core/document/fields.h"
#include "core/document/intervene.h"
#include "core/document/link.h"
#include "tests/core/support.h"

namespace attn::test {
namespace {

using testing::HasSubstr;

constexpr float kNear = 1e-6F;
const std::string kCausal = R"({"variant": "encoder", "layers": 2, "heads": 2, "mask": "causal", "unembedding": "tied", "text": "the black cat saw it")";

Document with_rule(const std::string& json, PutBy by, int layer = 1, int head = 1) {
    return with_intervention(document_of(json), {.at = Site::Pattern, .by = by, .layer = layer, .head = head, .tokens = {}, .text = {}});
}

const Step& step_of(const attn::Run& run, Role role, int layer, int head, Part part = Part::Main) { return *find(run.trace, {role, head, layer, kNoTime, part}); }

/// Under the causal mask row i has i + 1 keys, so each has 1/(i + 1); the other rules put all on one key.
TEST(PatternRules, FillEachRowByHand) {
    for (const PutBy by : {PutBy::Uniform, PutBy::Previous, PutBy::First, PutBy::Self}) {
        const attn::Run run = run_valid(with_rule(kCausal + "}", by));
        const Matrix& weights = step_of(run, Role::Weights, 1, 1).value;
        ASSERT_EQ(weights.rows(), 5);
        for (int i = 0; i < 5; ++i)
            for (int j = 0; j < 5; ++j) {
                const int on = by == PutBy::Previous ? std::max(i - 1, 0) : by == PutBy::First ? 0 : i;
                const float wanted = by == PutBy::Uniform ? (j <= i ? 1.0F / static_cast<float>(i + 1) : 0.0F) : j == on ? 1.0F : 0.0F;
                EXPECT_NEAR(weights(i, j), wanted, kNear) << put_by_id(by) << ' ' << i << ' ' << j;
            }
        // No other head's weights are replaced, and the computed numbers are noted.
        EXPECT_TRUE(step_of(run, Role::Weights, 1, 0).replaced.empty());
        EXPECT_EQ(step_of(run, Role::Weights, 1, 1).replaced.size(), 25U);
    }
}

/// The values are what they were without the rule; the head's output is what the forced weights make of them.
TEST(PatternRules, LeaveTheValuesWhatTheyAre) {
    const attn::Run plain = run_valid(document_of(kCausal + "}"));
    const Matrix& values = step_of(plain, Role::Values, 1, 1).value;
    for (const PutBy by : {PutBy::Uniform, PutBy::Previous, PutBy::First, PutBy::Self}) {
        const attn::Run run = run_valid(with_rule(kCausal + "}", by));
        EXPECT_EQ(step_of(run, Role::Values, 1, 1).value.matrix(), values);
        const Matrix& output = step_of(run, Role::HeadOutput, 1, 1).value;
        for (int i = 0; i < 5; ++i) {
            const RowVector wanted = by == PutBy::Uniform    ? RowVector(values.topRows(i + 1).colwise().mean())
                                     : by == PutBy::Previous ? RowVector(values.row(std::max(i - 1, 0)))
                                     : by == PutBy::First    ? RowVector(values.row(0))
                                                             : RowVector(values.row(i));
            EXPECT_LT((RowVector(output.row(i)) - wanted).cwiseAbs().maxCoeff(), kNear) << put_by_id(by) << ' ' << i;
        }
        EXPECT_NE(run.trace[logits_step(run.trace)].value.matrix(), plain.trace[logits_step(plain.trace)].value.matrix());
    }
}

/// Only the named tokens' rows; under another mask other keys are left.
TEST(PatternRules, FollowTheTokensAndTheMask) {
    Document document = with_rule(kCausal + "}", PutBy::Uniform);
    const attn::Run plain = run_valid(unaltered(document));
    document.interventions.front().tokens = {2};
    const attn::Run one = run_valid(document);
    const Matrix &before = step_of(plain, Role::Weights, 1, 1).value, &after = step_of(one, Role::Weights, 1, 1).value;
    for (int i = 0; i < 5; ++i)
        if (i != 2) {
            EXPECT_EQ(RowVector(before.row(i)), RowVector(after.row(i)));
        }
    EXPECT_NEAR(after(2, 2), 1.0F / 3, kNear);

    const std::string encoder = R"({"variant": "encoder", "layers": 1, "heads": 2, "text": "the black cat", "mask": "padding", "padding": 2})";
    const attn::Run padded = run_valid(with_rule(encoder, PutBy::Uniform, 0, 0));
    const Matrix& weights = step_of(padded, Role::Weights, 0, 0).value;
    ASSERT_EQ(weights.cols(), 5);
    for (int j = 0; j < 5; ++j) EXPECT_NEAR(weights(1, j), j < 3 ? 1.0F / 3 : 0.0F, kNear) << j;

    // Where each token is computed at its own time, a row is one query further on.
    const attn::Run written = run_valid(with_rule(R"({"variant": "generate", "layers": 1, "heads": 2, "text": "the black cat", "generate": 3})", PutBy::Previous, 0, 0));
    int rows = 0;
    for (const Step& step : written.trace.steps) {
        if (step.tag.role != Role::Weights || step.tag.head != 0 || step.tag.pass != 0 || step.op != Op::Softmax) continue;
        for (int row = 0; row < static_cast<int>(step.value.rows()); ++row, ++rows) EXPECT_EQ(step.value(row, std::max(step.rows.first + row - 1, 0)), 1) << rows;
    }
    EXPECT_EQ(rows, 5);
}

/// The estimate from one reverse pass knows the rows of the rule, too: for a last layer's head under tied words without
/// a final norm it need not be exact, but a rule that changes nothing is estimated at 0.
TEST(PatternRules, AreEstimatedFromTheGradient) {
    const Document plain = document_of(kCausal + "}");
    const attn::Run run = run_valid(plain);
    const Attribution base{.of = {.row = 0, .target = 1}, .logits = summed_logits(run.trace), .parts = {}};
    const auto places = places_of(plain, run, Site::Pattern, PutBy::Self);
    ASSERT_EQ(places.size(), 4U);
    // The first row has one key, so that every rule leaves it as it is; it alone reaches the first row's logits.
    const auto changes = estimated_changes(plain, run, base, places);
    ASSERT_TRUE(changes);
    for (const double change : *changes) EXPECT_NEAR(change, 0, kNear);
    const Attribution last{.of = {.row = 4, .target = 1}, .logits = summed_logits(run.trace), .parts = {}};
    const auto others = estimated_changes(plain, run, last, places);
    ASSERT_TRUE(others);
    EXPECT_GT(std::abs(others->back()), 1e-4);
}

TEST(PatternRules, AreKeptInDocumentsAndLinks) {
    for (const PatternRule& rule : kPatternRules) {
        const std::string json = fmt::format(R"({}, "interventions": [{{"at": "pattern", "layer": 2, "head": 1, "by": "{}"}}]}})", kCausal, rule.id);
        const Document document = document_of(json);
        ASSERT_EQ(document.interventions.size(), 1U);
        EXPECT_EQ(rule_of(document.interventions.front().by), &rule);
        EXPECT_EQ(document_of(document_to_json(document)), document);
        const auto linked = document_from_link(document_link(document));
        ASSERT_TRUE(linked);
        EXPECT_EQ(*linked, document);
    }
}

/// Elsewhere nothing looks at tokens, and another text has no token before one of this.
TEST(PatternRules, AreRefusedWhereThereIsNoPattern) {
    for (const std::string_view site : {"head", "attention", "feed_forward", "layer", "residual"}) {
        Document document = document_of(kCausal + "}");
        const auto at = std::find(kSites.begin(), kSites.end(), site) - kSites.begin();
        document.interventions = {{.at = static_cast<Site>(at), .by = PutBy::Uniform, .layer = 1, .head = site == "head" ? 0 : kNoHead, .tokens = {}, .text = {}}};
        const auto wrong = problems(document);
        ASSERT_EQ(wrong.size(), 1U) << site;
        EXPECT_THAT(wrong.front().message, HasSubstr("choose \"at\": \"pattern\" with a layer and a head"));
        EXPECT_EQ(wrong.front().key, "interventions[0]");
    }
    Document two = document_of(R"({"variant": "decoder", "layers": 1, "heads": 2, "text": "le chat", "source": "the cat"})");
    Intervention put{.at = Site::Pattern, .by = PutBy::Previous, .part = Part::Cross, .layer = 0, .head = 0, .tokens = {}, .text = {}};
    two.interventions = {put};
    EXPECT_THAT(problems(two).front().message, HasSubstr("choose \"uniform\" or \"first\""));
    two.interventions.front().by = PutBy::Uniform;
    const attn::Run run = run_valid(two);
    EXPECT_NEAR(step_of(run, Role::Weights, 0, 0, Part::Cross).value(1, 0), 0.5F, kNear);
    for (const Intervention& one : places_of(unaltered(two), run, Site::Pattern, PutBy::Self)) EXPECT_NE(one.part, Part::Cross);
}

}  // namespace
}  // namespace attn::test
