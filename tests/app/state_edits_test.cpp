// Typed-over numbers, painted masks, messages.

#include "app/state/edits.h"

#include <gtest/gtest.h>

#include "app/state/reasons.h"
#include "core/document/fields.h"
#include "core/document/take.h"
#include "core/model/model.h"
#include "tests/app/state_fixture.h"

namespace {

using namespace app;
using app_test::Bench;
using app_test::document_of;
using attn::Role;

TEST(Edits, ASecondNumberReplacesTheFirst) {
    attn::Document doc;
    const CellRef cell{{Role::Scores}, 1, 2}, other{{Role::Scores, 0}, 1, 2};
    type_over(doc, cell, 1);
    type_over(doc, other, 3);
    type_over(doc, cell, 2);
    ASSERT_EQ(doc.edits.size(), 2u);
    ASSERT_TRUE(edit_at(doc, cell));
    EXPECT_EQ(edit_at(doc, cell)->value, 2);
    EXPECT_TRUE(reset_cell(doc, cell));
    EXPECT_FALSE(reset_cell(doc, cell));
    EXPECT_EQ(edit_at(doc, cell), nullptr);
    EXPECT_EQ(edit_at(doc, other)->value, 3);
}

TEST(Edits, NumbersAreReadInEveryNotation) {
    const std::pair<const char*, float> good[] = {{"-0.5", -0.5f}, {"−0,5", -0.5f}, {".25", 0.25f},
                                                  {" 1e3 ", 1000}, {"+2", 2},       {"7", 7}};
    for (const auto& [text, value] : good) EXPECT_EQ(number_typed(text), value) << text;
    for (const char* bad : {"", "-", "two", "1.2.3", "inf", "nan", "1e99", "−∞", "1x"})
        EXPECT_FALSE(number_typed(bad)) << bad;
    for (const float v : {0.1f, -3.25f, 1e-7f, 12345.678f, 0.0f}) EXPECT_EQ(number_typed(number_to_type(v)), v);
    EXPECT_EQ(number_to_type(-std::numeric_limits<float>::infinity()), "");
}

TEST(Edits, AGestureWithANumberIsOneUndoHoweverLongItRests) {
    Bench b;
    const attn::Document before = b.state.document;
    attn::Document doc = before;
    for (const float value : {0.1f, 0.2f, 0.3f}) {
        type_over(doc, {{Role::Embeddings}, 0, 0}, value);
        b.edit(doc, "drag#1");
        b.pass(5);
    }
    const attn::Document first = b.state.document;
    type_over(doc, {{Role::Embeddings}, 0, 0}, 0.4f);
    b.edit(doc, "drag#2");
    b.act(Undo{});
    EXPECT_EQ(b.state.document, first);
    b.act(Undo{});
    EXPECT_EQ(b.state.document, before);
}

TEST(Edits, AMaskIsPaintedOverThePatternThatWasInForce) {
    attn::Document doc = document_of("a b c", 1, "causal");
    const attn::Matrix causal = attn::Matrix::Ones(3, 3).triangularView<Eigen::Lower>();
    paint_mask(doc, causal, {0, 1, 1, 2}, true);
    EXPECT_EQ(doc.config.mask, "drawn");
    EXPECT_TRUE((doc.mask_pattern.array() == 1).all());
    EXPECT_TRUE(attn::run(doc));
    EXPECT_TRUE(flipped(causal, {0, 0, 0, 2}));   // partly hidden: a click shows all
    EXPECT_FALSE(flipped(causal, {2, 0, 2, 2}));  // all seen: a click hides all
}

/// Painting the mask removes its window setting, so that the document can still be computed.
TEST(Edits, APaintedMaskHasNoWindow) {
    attn::Document doc = document_of("a b c");
    doc.config.mask = "sliding_window";
    doc.config.window = 1;
    ASSERT_TRUE(attn::problems(doc).empty());
    paint_mask(doc, attn::Matrix::Ones(3, 3), {0, 1, 1, 2}, false);
    EXPECT_TRUE(attn::problems(doc).empty());
    EXPECT_EQ(doc.mask_pattern(0, 1), 0);
}

TEST(Edits, WithoutThemTheNumbersAreTheComputedOnes) {
    attn::Document doc = document_of("the tired cat");
    Bench b(doc);
    const attn::Matrix computed = attn::find(b.derived.run->trace, {Role::Weights})->value.matrix();
    type_over(doc, {{Role::Scores}, 0, 1}, 4);
    b.edit(doc);
    EXPECT_EQ(b.derived.unedited.trace(), nullptr);  // no mask uses it
    b.view().difference = true;
    b.act(GoToStop{
        stop_of(b.derived.timeline, b.derived.run->trace, attn::find_id(b.derived.run->trace, {Role::Weights})), 1});
    ASSERT_NE(b.derived.unedited.trace(), nullptr);
    EXPECT_EQ(attn::find(*b.derived.unedited.trace(), {Role::Weights})->value, computed);
    const attn::Matrix& now = attn::find(b.derived.run->trace, {Role::Weights})->value;
    EXPECT_EQ(*b.derived.edit_change.value, attn::Matrix(now - computed));
    doc.edits.clear();
    b.edit(doc);
    EXPECT_EQ(b.derived.unedited.trace(), nullptr);
    EXPECT_EQ(b.derived.edit_change.size(), 0);
}

/// Every refusal of every choice has a message of its own in both languages.
TEST(Reasons, AreShortInBothLanguages) {
    for (const attn::Form& form : attn::forms())
        for (const int heads : {1, 3})
            for (const char* position : {"none", "relative", "rope"}) {
                attn::Document doc = document_of("the tired cat");
                attn::choose_form(doc, form.id);
                doc.config.heads = heads;
                doc.config.position = position;
                Bench b(doc);
                for (const Refusal& refusal : b.derived.refused) {
                    EXPECT_LT(reason_text(refusal.why, Language::English).size(), 40u) << refusal.why.text();
                    EXPECT_NE(reason_text(refusal.why, Language::Chinese), tr(Str::why_not_here, Language::Chinese))
                        << refusal.why.text();
                }
            }
}

TEST(Refused, HeadsThatDoNotDivide) {
    Bench b(document_of("the tired cat"));
    EXPECT_NE(b.derived.refusal("heads", "3"), nullptr);
    EXPECT_EQ(b.derived.refusal("heads", "4"), nullptr);
    ASSERT_NE(b.derived.refusal("heads", "16"), nullptr);
}

/// A longer text drops settings for positions of the old length; a head that is off stays off.
TEST(TypeText, RemovesInterventionsThatNoLongerFit) {
    attn::Document doc;
    attn::take_model(doc, attn::shipped_model("language"));
    doc.text = "the river bank";
    doc.interventions = {{.at = attn::Site::Head, .layer = 1, .head = 2, .tokens = {}, .text = {}},
                         {.at = attn::Site::Residual, .by = attn::PutBy::Mean, .layer = 1, .tokens = {2}, .text = {}},
                         {.at = attn::Site::Residual, .by = attn::PutBy::Text, .layer = 1, .tokens = {}, .text = "the river was"}};
    ASSERT_TRUE(attn::problems(doc).empty()) << attn::problems(doc).front().text();
    attn::Document longer = doc, shorter = doc;
    type_text(longer, "the river bank was");
    EXPECT_EQ(longer.interventions, (std::vector{doc.interventions[0], doc.interventions[1]}));
    EXPECT_TRUE(attn::problems(longer).empty());
    type_text(shorter, "the river");
    EXPECT_EQ(shorter.interventions, std::vector{doc.interventions[0]});
    EXPECT_TRUE(attn::problems(shorter).empty());
}

/// Choices depend on the heads that are switched off: with fewer layers such a head would lose its layer.
TEST(SwitchedHead, CountsForRefusals) {
    Bench b;
    attn::Document doc;
    doc.config.form = "encoder";
    doc.text = "the tired cat";
    doc.config.layers = 2;
    b.edit(doc);
    EXPECT_FALSE(b.derived.refusal("layers", kOneLess));
    attn::Tag at;
    at.layer = 1;
    b.act(EditDocument{[at](attn::Document& d) { switch_head(d, at, 0); }});
    EXPECT_TRUE(b.derived.refusal("layers", kOneLess));
    b.act(EditDocument{[at](attn::Document& d) { switch_head(d, at, 0); }});
    EXPECT_FALSE(b.derived.refusal("layers", kOneLess));
}

}  // namespace
