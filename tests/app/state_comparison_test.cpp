// The second run of the comparison and the difference between the two.

#include "app/screens/compare/comparison.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/document/fields.h"
#include "core/document/link.h"
#include "core/train/tasks.h"
#include "tests/app/state_fixture.h"

namespace {

using namespace app;
using app_test::Bench;
using app_test::document_of;
using app_test::large_document;
using attn::Role;

Comparison comparison_of(std::string_view kind, std::string_view choice, int first, int second, std::string_view shown) {
    Comparison c;
    c.kind = kind;
    c.choice = choice;
    c.first = first;
    c.second = second;
    c.shown = shown;
    return c;
}

/// The compare screen with a choice made, computed.
struct Comparing : Bench {
    Comparing(const attn::Document& doc, Comparison comparison) : Bench(doc) {
        ViewState changed = view();
        changed.screen = Screen::Compare;
        changed.part<Comparison>() = std::move(comparison);
        act(becomes(changed));
        deriver.finish(state, derived);
    }
};

TEST(Compare, TwoScoresOnTheSameTokens) {
    const attn::Document doc = document_of("the tired cat");
    const Comparing b(doc, comparison_of("score", "cosine", 0, 1, "weights"));
    attn::Document other = doc;
    other.config.score = "cosine";
    const auto run = attn::run(other);
    ASSERT_TRUE(run);
    const attn::Matrix &left = attn::find(b.derived.run->trace, {Role::Weights})->value,
                       &right = attn::find(run->trace, {Role::Weights})->value;
    EXPECT_EQ(b.derived.part<ComparisonData>().choice, "cosine");
    EXPECT_EQ(*b.derived.part<ComparisonData>().compared.difference.value, attn::Matrix(right - left));
    EXPECT_FLOAT_EQ(b.derived.part<ComparisonData>().compared.difference.largest, (right - left).cwiseAbs().maxCoeff());
}

/// Of two texts the heads that attend elsewhere are ranked, whichever of their matrices is shown; of two scores on one text
/// there is no ranking.
TEST(Compare, RanksTheHeadsOfTwoTexts) {
    attn::Document doc = document_of("the tired cat");
    doc.config.heads = 4;
    doc.config.form = "multi_head";
    Comparison texts = comparison_of("text", "", 0, 1, "weights");
    texts.text = "the tired old dog sat";
    Comparing b(doc, texts);
    const auto changes = b.derived.part<ComparisonData>().compared.changes;
    ASSERT_TRUE(changes);
    ASSERT_EQ(changes->heads.size(), 4U);
    EXPECT_GE(changes->heads[0].distance, changes->heads[3].distance);
    EXPECT_GT(changes->heads[0].distance, 0);
    EXPECT_EQ(changes->tokens, (std::vector<int>{0, 1, -1}));
    const Compared& compared = b.derived.part<ComparisonData>().compared;
    EXPECT_FALSE(compared.same_shape);
    ASSERT_TRUE(compared.aligned);
    EXPECT_EQ(compared.row_place, (std::vector<int>{0, 1, -1}));
    EXPECT_EQ(compared.col_place, compared.row_place);
    const attn::Matrix &left = b.derived.run->trace[compared.left].value, &right = b.derived.compared_with()->run.trace[compared.right].value;
    const attn::Matrix& difference = *compared.difference.value;
    ASSERT_EQ(difference.rows(), 3);
    EXPECT_EQ(difference(1, 0), right(1, 0) - left(1, 0));
    EXPECT_TRUE(std::isnan(difference(2, 0)) && std::isnan(difference(0, 2)));
    ViewState scores = b.view();
    scores.part<Comparison>().shown = "scores";
    b.act(becomes(scores));
    b.deriver.finish(b.state, b.derived);
    EXPECT_EQ(b.derived.part<ComparisonData>().compared.changes, changes) << "the same two runs";
    scores.part<Comparison>().text = "the cat";
    b.act(becomes(scores));
    b.deriver.finish(b.state, b.derived);
    ASSERT_TRUE(b.derived.part<ComparisonData>().compared.changes);
    EXPECT_NE(b.derived.part<ComparisonData>().compared.changes, changes);
    const Comparing other_score(doc, comparison_of("mask", "causal", 0, 1, "weights"));
    EXPECT_FALSE(other_score.derived.part<ComparisonData>().compared.changes);
}

/// Every choice of every kind gives a document that runs, or says why it cannot.
TEST(Compare, EveryChoiceRuns) {
    for (const attn::Form& form : attn::forms()) {
        attn::Document doc = document_of("the tired cat");
        attn::choose_form(doc, form.id);
        doc.edits = {{{Role::Embeddings}, 0, 0, 2}};
        for (const ComparisonKind& kind : comparison_kinds()) {
            if (kind.applies && !kind.applies(doc)) continue;
            for (const ComparisonChoice& choice : choices_of(kind, doc)) {
                if (!choice.why_not.empty() || choice.current) continue;
                const attn::Document other = other_document(doc, comparison_of(kind.id, choice.id, 0, 1, "weights"));
                const auto run = attn::run(other);
                EXPECT_TRUE(run) << kind.id << " " << choice.id << ": " << run.error().text();
                EXPECT_EQ(other == doc, kind.what == Compares::Head) << kind.id << " " << choice.id;
            }
        }
    }
}

TEST(Compare, WithoutPositionWordsThatChangePlacesPermuteTheOutputs) {
    for (const char* vectors : {"meaning", "one_hot", "random"}) {
        attn::Document doc = document_of("the tired cat sat down");
        doc.vectors = vectors;
        const Comparing b(doc, comparison_of("order", "", 1, 3, "output"));
        ASSERT_TRUE(b.derived.other.trace()) << b.derived.other.error->text();
        EXPECT_EQ(b.derived.other.trace()->tokens[1], "sat");
        EXPECT_EQ(b.derived.part<ComparisonData>().compared.row_place, (std::vector<int>{0, 3, 2, 1, 4}));
        EXPECT_GE(b.derived.part<ComparisonData>().compared.output_largest, 0) << vectors;
        EXPECT_LT(b.derived.part<ComparisonData>().compared.output_largest, 1e-5f) << vectors;
        const attn::Matrix &own = attn::find(b.derived.run->trace, {Role::Output})->value,
                           &swapped = attn::find(*b.derived.other.trace(), {Role::Output})->value;
        EXPECT_GT((own.row(1) - swapped.row(1)).norm(), 1e-3f);  // only the place has changed
    }
}

TEST(Compare, WithPositionTheOrderCounts) {
    for (const char* position : {"sinusoidal", "rope", "alibi", "relative"}) {
        attn::Document doc = document_of("the tired cat sat down");
        doc.config.position = position;
        const Comparing b(doc, comparison_of("order", "", 1, 3, "weights"));
        EXPECT_GT(b.derived.part<ComparisonData>().compared.output_largest, 1e-4f) << position;
    }
}

TEST(Compare, SwappedWordsOfACrossAttentionLeaveTheKeysInPlace) {
    attn::Document doc = document_of("early morning light");
    attn::choose_form(doc, "cross");
    doc.source = "one two three four";
    const Comparing b(doc, comparison_of("order", "", 0, 2, "weights"));
    ASSERT_TRUE(b.derived.other.trace()) << b.derived.other.error->text();
    EXPECT_EQ(b.derived.part<ComparisonData>().compared.row_place, (std::vector<int>{2, 1, 0}));
    EXPECT_EQ(b.derived.part<ComparisonData>().compared.col_place, (std::vector<int>{0, 1, 2, 3}));
    EXPECT_LT(b.derived.part<ComparisonData>().compared.difference.largest, 1e-6f);
}

TEST(Compare, BeforeAndAfterEdits) {
    attn::Document doc = document_of("the tired cat");
    doc.edits = {{{Role::Scores}, 0, 1, 4}};
    const Comparing b(doc, comparison_of("edits", "", 0, 1, "scores"));
    ASSERT_EQ(b.derived.part<ComparisonData>().compared.difference.value->rows(), 3);
    EXPECT_NE((*b.derived.part<ComparisonData>().compared.difference.value)(0, 1), 0);
    EXPECT_EQ((*b.derived.part<ComparisonData>().compared.difference.value)(1, 1), 0);
}

TEST(Compare, DifferentShapesAreNotSubtracted) {
    attn::Document doc = document_of("the tired cat");
    const Comparing b(doc, comparison_of("variant", "cross", 0, 1, "weights"));
    EXPECT_EQ(b.derived.part<ComparisonData>().compared.difference.size(), 0);
    const Compared& c = b.derived.part<ComparisonData>().compared;
    EXPECT_EQ((*b.derived.run).trace[c.left].value.cols(), 3);
    EXPECT_EQ((*b.derived.other.trace())[c.right].value.cols(), 2);
}

TEST(Compare, TheAttentionNearestToThePlayheadIsShown) {
    attn::Document doc = document_of("the tired cat");
    attn::choose_form(doc, "decoder");
    doc.source = "one two";
    Comparing b(doc, comparison_of("score", "dot", 0, 1, "weights"));
    for (const attn::Part part : {attn::Part::Encoder, attn::Part::Main, attn::Part::Cross}) {
        const attn::Tag tag{Role::Weights, attn::kNoHead, 0, attn::kNoTime, part};
        const attn::StepId step = attn::find_id(b.derived.run->trace, tag);
        ASSERT_NE(step, attn::kNoStep) << attn::step_name(tag);
        b.act(GoToStop{stop_of(b.derived.timeline, b.derived.run->trace, step), 1});
        EXPECT_EQ(b.derived.part<ComparisonData>().compared.left, step) << attn::step_name(tag);
        EXPECT_EQ(b.derived.other.trace()->steps[static_cast<std::size_t>(b.derived.part<ComparisonData>().compared.right)].tag, tag);
    }
}

TEST(Compare, TwoTextsOfTheSameLengthCellByCell) {
    Comparison comparison = comparison_of("text", "", 0, 1, "weights");
    comparison.text = "the happy dog";
    const Comparing b(document_of("the tired cat"), comparison);
    const auto other = attn::run(document_of("the happy dog"));
    const attn::Matrix &left = attn::find(b.derived.run->trace, {Role::Weights})->value,
                       &right = attn::find(other->trace, {Role::Weights})->value;
    EXPECT_EQ(*b.derived.part<ComparisonData>().compared.difference.value, attn::Matrix(right - left));
    EXPECT_EQ(b.derived.part<ComparisonData>().labels.tokens[2], "dog");
    EXPECT_EQ(b.derived.labels.tokens[2], "cat");
}

TEST(Compare, TextsOfOtherLengthsAreShownAndNotSubtracted) {
    Comparison comparison = comparison_of("text", "", 0, 1, "weights");
    comparison.text = "one two three four";
    const Comparing b(document_of("the tired cat"), comparison);
    ASSERT_NE(b.derived.part<ComparisonData>().compared.right, attn::kNoStep);
    EXPECT_EQ((*b.derived.other.trace())[b.derived.part<ComparisonData>().compared.right].value.rows(), 4);
    EXPECT_EQ(b.derived.part<ComparisonData>().compared.difference.size(), 0);
}

TEST(Compare, TwoHeadsOfOneRunAndNoSecondRun) {
    const Comparing b(document_of("the tired cat", 4), comparison_of("head", "3", 0, 1, "output"));
    const attn::Trace& trace = b.derived.run->trace;
    EXPECT_FALSE(b.derived.other.trace()) << "one run has both";
    ASSERT_TRUE(b.derived.compared_with());
    EXPECT_EQ(trace[b.derived.part<ComparisonData>().compared.left].tag, (attn::Tag{Role::HeadOutput, 0}));
    EXPECT_EQ(trace[b.derived.part<ComparisonData>().compared.right].tag, (attn::Tag{Role::HeadOutput, 2}));
    EXPECT_GT(b.derived.part<ComparisonData>().compared.difference.largest, 0);
}

TEST(Compare, ATrainedModelWithWhatItWasBefore) {
    const attn::Document doc = attn::train::task_document(
        attn::train::find_task("questions")->examples.front(), attn::shipped_model("questions"));
    const Comparison comparison = comparison_of("untrained", "", 0, 1, "weights");
    const Comparing b(doc, comparison);
    ASSERT_TRUE(b.derived.other.trace());
    EXPECT_EQ(b.derived.other.trace()->tokens, b.derived.run->trace.tokens);
    EXPECT_GT(b.derived.part<ComparisonData>().compared.difference.largest, 0.1f) << "it has learned where to look";
    const attn::Document before = other_document(doc, comparison);
    EXPECT_EQ(before.model->name, "questions@0");
    const auto again = attn::document_from_link(attn::document_link(before));
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(*again, before) << "it can be kept and sent";
    EXPECT_NE(kind_of(comparison, before).what, Compares::Untrained) << "before it there is nothing";
    EXPECT_NE(kind_of(comparison, document_of("the tired cat")).what, Compares::Untrained);
}

TEST(Compare, AStoredRunWithALaterOne) {
    const attn::Document before = document_of("the tired cat", 2, "causal");
    Comparison comparison = comparison_of("kept", "", 0, 1, "weights");
    comparison.stored_link = attn::document_link(before);
    const Comparing b(document_of("the tired cat", 1), comparison);
    ASSERT_TRUE(b.derived.other.trace());
    EXPECT_EQ(other_document(b.state.document, comparison), before);
    const attn::Matrix& weights =
        b.derived.other.trace()->steps[static_cast<std::size_t>(b.derived.part<ComparisonData>().compared.right)].value;
    EXPECT_EQ(weights(0, 2), 0) << "causal";
    comparison.stored_link = "attenscope:1:damaged";
    EXPECT_EQ(other_document(before, comparison), before);
}

TEST(Compare, MaskedCellsHaveNoDifference) {
    attn::Document doc = document_of("the tired cat", 1, "causal");
    const Comparing b(doc, comparison_of("score", "dot", 0, 1, "masked"));
    EXPECT_EQ((*b.derived.part<ComparisonData>().compared.difference.value)(0, 2), 0);
    EXPECT_NE((*b.derived.part<ComparisonData>().compared.difference.value)(2, 0), 0);
}

/// In a long text a few numbers are so large that all others would look alike; in a short one the colours span all numbers.
TEST(Compare, ColoursSpanNearlyAllOfADifference) {
    const Comparing few(document_of("the tired cat"), comparison_of("mask", "causal", 0, 1, "weights"));
    EXPECT_EQ(few.derived.part<ComparisonData>().compared.difference.shown, few.derived.part<ComparisonData>().compared.difference.largest);
    std::string text;
    for (int i = 0; i < 64; ++i) text += i % 3 == 0 ? "the " : i % 3 == 1 ? "tired " : "cat ";
    const Comparing many(document_of(text), comparison_of("mask", "causal", 0, 1, "weights"));
    const Difference& difference = many.derived.part<ComparisonData>().compared.difference;
    EXPECT_LT(difference.shown, difference.largest / 2);
    const auto within = (difference.value->array().abs() <= difference.shown).count();
    EXPECT_NEAR(static_cast<double>(within) / static_cast<double>(difference.size()), 0.99, 0.005);
}

TEST(Compare, OtherScreensComputeNoSecondRun) {
    Comparing b(document_of("the tired cat"), {});
    EXPECT_TRUE(b.derived.other.trace());
    ViewState view = b.view();
    view.screen = Screen::Stage;
    b.act(becomes(view));
    EXPECT_FALSE(b.derived.other.trace());
    EXPECT_EQ(b.derived.part<ComparisonData>().compared.difference.size(), 0);
}

TEST(Compare, ALargeSecondRunIsComputedOnItsThread) {
    Bench b(large_document());
    ViewState view = b.view();
    view.screen = Screen::Compare;
    b.act(becomes(view));
    EXPECT_TRUE(b.derived.other.computing);
    EXPECT_FALSE(b.derived.part<ComparisonData>().choices.empty());
    b.deriver.finish(b.state, b.derived);
    EXPECT_FALSE(b.derived.other.computing);
    ASSERT_FALSE(b.derived.other.error) << b.derived.other.error->text();
    ASSERT_TRUE(b.derived.other.trace());
    EXPECT_EQ(b.derived.part<ComparisonData>().choice, "dot");
    EXPECT_EQ((*b.derived.run).trace[b.derived.part<ComparisonData>().compared.left].value.rows(), 400);
    EXPECT_EQ(b.derived.part<ComparisonData>().compared.difference.value->rows(), 400);
}

TEST(Screens, NamesRoundTrip) {
    for (int i = 0; i < kScreenCount; ++i) {
        const auto screen = static_cast<Screen>(i);
        EXPECT_EQ(find_screen(screen_id(screen)), screen);
    }
    EXPECT_FALSE(find_screen("nowhere"));
}

}  // namespace
