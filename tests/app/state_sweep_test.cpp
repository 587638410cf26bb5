// The page of interventions: each part of the model replaced in turn, on the checkpoint whose circuit was set by hand.
#include "app/screens/prediction/sweep.h"

#include <gtest/gtest.h>

#include <cmath>

#include "app/state/edits.h"
#include "core/analysis/patching.h"
#include "core/document/take.h"
#include "core/model/model.h"
#include "places.h"
#include "tests/app/state_fixture.h"

namespace app {
namespace {

using app_test::Bench;

constexpr std::string_view kText = "green winter cloud table stone bread river horse seven window night apple green winter cloud table stone bread river horse seven";
/// "seven" and "horse" change places at first, so that another word follows.
constexpr std::string_view kOther = "green winter cloud table stone bread river window seven horse night apple green winter cloud table stone bread river horse seven";

class SweptParts : public testing::Test {
protected:
    void SetUp() override {
        const auto model = attn::find_model(ATTN_SOURCE_DIR "/tests/data/planted", {.folders = true});
        ASSERT_TRUE(model) << model.error().text();
        attn::Document document;
        attn::take_model(document, *model);
        document.text = kText;
        b_.edit(document);
        b_.act(ChangeView{[](ViewState& v) {
            v.screen = Screen::Prediction;
            v.part<PredictionLook>().page = "interventions";
            v.part<PredictionLook>().against = kNoOther;
        }});
        finish();
    }
    template <class Change>
    void choose(Change change) {
        b_.act(ChangeView{[change](ViewState& v) { change(v.part<PredictionLook>()); }});
        finish();
    }
    void patch_from(std::string_view text, std::string_view places) {
        choose([text, places](PredictionLook& look) {
            look.sweep.by = "text";
            look.sweep.from = text;
            look.sweep.places = places;
        });
    }
    void finish() { b_.deriver.finish(b_.state, b_.derived); }
    const PredictionData& words() { return b_.derived.part<PredictionData>(); }
    const SweepData& data() { return b_.derived.part<SweepData>(); }
    int made() { return b_.deriver.made().at("prediction"); }
    int id_of(std::string_view word) {
        const auto row = b_.state.document.model->row_of(std::string(word));
        return row ? *row : -1;
    }
    const SweepMap::Cell& cell(attn::Site at, int layer, int head = attn::kNoHead) {
        for (const SweepMap::Cell& one : data().map.cells)
            if (one.put.at == at && one.put.layer == layer && (head == attn::kNoHead || one.put.head == head)) return one;
        ADD_FAILURE() << "no such place";
        return data().map.cells.front();
    }
    /// The logit of a run of its own with this replacement.
    double logit_with(const attn::Intervention& put, int target, std::optional<int> against) {
        const auto run = attn::run(attn::with_intervention(b_.state.document, put));
        EXPECT_TRUE(run);
        return attn::logit_of(run->trace, {.row = words().row, .target = target, .against = against});
    }

    Bench b_;
};

/// The numbers of `attenscope ablate`: without either head of the circuit the prediction is gone, without any other it stays.
TEST_F(SweptParts, EitherHeadOfTheCircuitTakesThePredictionAlong) {
    ASSERT_EQ(data().refused, SweepRefusal::None) << data().error;
    const SweepMap& map = data().map;
    EXPECT_EQ(words().target.text, "window");
    EXPECT_NEAR(map.here, 18.393, 1e-3);
    EXPECT_NEAR(cell(attn::Site::Head, 1, 2).value, -18.431, 1e-3);
    EXPECT_NEAR(cell(attn::Site::Head, 0, 1).value, -18.149, 1e-3);
    for (const SweepMap::Cell& one : map.cells) {
        EXPECT_NEAR(one.value, logit_with(one.put, words().target.id, {}) - map.here, 1e-5);
        const bool circuit = (one.put.layer == 1 && one.put.head == 2) || (one.put.layer == 0 && one.put.head == 1);
        if (one.put.at == attn::Site::Head && !circuit) {
            EXPECT_LT(std::abs(one.value), 1);
        }
    }
    EXPECT_EQ(map.heads, 4);
    ASSERT_TRUE(data().shown);
    EXPECT_EQ(map.cells[*data().shown].put.head, 2) << "nothing was chosen, so it is the head that matters most";
    ASSERT_TRUE(b_.derived.shown_head);
    EXPECT_EQ(b_.derived.shown_head->head, 2);
    EXPECT_EQ(b_.derived.shown_head->at.layer, 1);
}

/// Another word among the likely ones is read from the same runs; a replacement that was already swept, a change that
/// was undone, and a page that was left and shown again are not computed again.
TEST_F(SweptParts, NothingIsComputedThatWasComputedBefore) {
    const double before = cell(attn::Site::Head, 1, 2).value;
    const auto runs = [&] { return made(); };
    int now = runs();
    const auto other = words().words[1].word.id;
    choose([other](PredictionLook& look) { look.against = other; });
    EXPECT_EQ(runs(), now + 1) << "the words, not the runs";
    EXPECT_NEAR(cell(attn::Site::Head, 1, 2).value, logit_with(cell(attn::Site::Head, 1, 2).put, words().target.id, other) - data().map.here, 1e-5);
    choose([](PredictionLook& look) { look.against = kNoOther; });
    EXPECT_EQ(cell(attn::Site::Head, 1, 2).value, before);
    now = runs();
    choose([](PredictionLook& look) { look.sweep.by = "mean"; });
    EXPECT_EQ(runs(), now + 1);
    EXPECT_NE(cell(attn::Site::Head, 1, 2).value, before);
    choose([](PredictionLook& look) { look.sweep.by = "zero"; });
    EXPECT_EQ(runs(), now + 1) << "the first map is still there";
    EXPECT_EQ(cell(attn::Site::Head, 1, 2).value, before);
    choose([](PredictionLook& look) { look.page = "words"; });
    choose([](PredictionLook& look) { look.page = "interventions"; });
    EXPECT_EQ(runs(), now + 3) << "the words of two pages, no runs";
    attn::Tag at;
    at.layer = 1;
    b_.act(EditDocument{[at](attn::Document& d) { switch_head(d, at, 2); }});
    finish();
    EXPECT_NEAR(cell(attn::Site::Head, 1, 2).value, 0, 1e-6) << "it is off already";
    now = runs();
    b_.act(Undo{});
    finish();
    EXPECT_EQ(cell(attn::Site::Head, 1, 2).value, before);
    EXPECT_EQ(runs(), now + 1) << "the words of the run; the map is still there";
}

/// Forced by a rule, only heads are in the map; the head that looks at the token before anyway does not change.
TEST_F(SweptParts, ARuleForcesEachHeadsPattern) {
    choose([](PredictionLook& look) { look.sweep.by = "previous"; });
    ASSERT_EQ(data().refused, SweepRefusal::None) << data().error;
    const SweepMap& map = data().map;
    EXPECT_EQ(map.columns(), 4);
    EXPECT_TRUE(map.beside.empty());
    ASSERT_EQ(map.cells.size(), 8U);
    for (const SweepMap::Cell& one : map.cells) {
        EXPECT_EQ(one.put.at, attn::Site::Pattern);
        EXPECT_EQ(one.put.by, attn::PutBy::Previous);
        EXPECT_NEAR(one.value, logit_with(one.put, words().target.id, {}) - map.here, 1e-5);
    }
    EXPECT_NEAR(cell(attn::Site::Pattern, 0, 1).value, 0, 0.2);
    EXPECT_LT(cell(attn::Site::Pattern, 1, 2).value, -10);
    ASSERT_TRUE(b_.derived.shown_head);
    EXPECT_EQ(b_.derived.shown_head->head, 2) << "the head that matters most is shown elsewhere, too";
    // As a change of the document it is undone like any other.
    const attn::Document before = b_.state.document;
    b_.act(EditDocument{[put = cell(attn::Site::Pattern, 1, 2).put](attn::Document& d) { d.interventions.push_back(put); }});
    finish();
    EXPECT_NEAR(cell(attn::Site::Pattern, 1, 2).value, 0, 1e-6) << "it is forced already";
    b_.act(Undo{});
    finish();
    EXPECT_EQ(b_.state.document, before);
}

/// A sweep that is stopped keeps what it has, and goes on from there.
TEST_F(SweptParts, IsStoppedAndGoesOn) {
    choose([](PredictionLook& look) {
        look.sweep.by = "mean";
        look.sweep.stopped = true;
    });
    EXPECT_FALSE(data().computing);
    EXPECT_EQ(data().done, 0U);
    choose([](PredictionLook& look) { look.sweep.stopped = false; });
    EXPECT_EQ(data().done, data().runs);
    EXPECT_GT(data().runs, 8U);

    const attn::Run& run = *b_.derived.run;
    Sweep sweep{.of = SweepRequest{.document = b_.state.document, .row = words().row, .text = {}}, .words = {words().target.id}};
    std::stop_source stop;
    sweep = go_on_sweeping(run, sweep, stop.get_token(), [&](const Sweep& part) {
        EXPECT_FALSE(part.finished());
        stop.request_stop();
    });
    EXPECT_FALSE(sweep.finished());
    EXPECT_TRUE(sweep.logits.empty());
    const Sweep whole = go_on_sweeping(run, sweep, {});
    ASSERT_TRUE(whole.finished());
    Sweep half = whole;
    half.logits.resize(3);
    EXPECT_FALSE(half.finished());
    EXPECT_EQ(go_on_sweeping(run, half, stop.get_token()).logits.size(), 3U);
    EXPECT_EQ(go_on_sweeping(run, half, {}).logits, whole.logits);
}

/// The numbers of `attenscope patch`: what differs is at the token "window" up to the first layer, and later at the end,
/// where only the induction head brings it.
TEST_F(SweptParts, AnotherTextIsRecoveredWhereItDiffers) {
    patch_from(kOther, "residual");
    choose([target = id_of("window"), against = id_of("horse")](PredictionLook& look) {
        look.target = target;
        look.against = against;
    });
    ASSERT_EQ(data().refused, SweepRefusal::None) << data().error;
    const SweepMap& map = data().map;
    EXPECT_TRUE(map.residual);
    EXPECT_EQ(map.rows.size(), 21U);
    EXPECT_EQ(map.depths, 3);
    for (const SweepMap::Cell& one : map.cells)
        EXPECT_NEAR(one.value, attn::recovered(logit_with(one.put, id_of("window"), id_of("horse")), map.here, map.there), 1e-5);
    const auto at = [&](int token, int depth) {
        for (const SweepMap::Cell& one : map.cells)
            if (one.put.tokens.front() == token && one.put.layer == depth) return one.value;
        return std::nan("");
    };
    EXPECT_NEAR(at(20, 2), 1, 1e-4) << "the last vector decides all";
    EXPECT_NEAR(at(9, 2), 0, 1e-4) << "nothing reads it any more";
    EXPECT_EQ(data().of_other_text.size(), 21U);
    ASSERT_EQ(data().drawn.rows.size(), 21U);
    EXPECT_EQ(data().drawn.rows[5], "bread");
    EXPECT_EQ(data().drawn.rows[7], "horse ← window") << "where the texts differ, both";
    EXPECT_EQ(data().drawn.columns.size(), 3U);
    EXPECT_EQ(data().drawn.cells.size(), map.cells.size());
    patch_from(kOther, "parts");
    for (const SweepMap::Cell& one : data().map.cells) {
        const double expected = one.put.layer == 1 && one.put.head == 2 ? 1.0 : 0.0;
        if (one.put.at == attn::Site::Head) {
            EXPECT_NEAR(one.value, expected, 0.05);
        }
    }
}

TEST_F(SweptParts, WhatCannotBeReplacedIsSaid) {
    patch_from(kText, "residual");
    EXPECT_EQ(data().refused, SweepRefusal::SameText);
    EXPECT_FALSE(data().shown);
    patch_from("green winter", "residual");
    EXPECT_EQ(data().refused, SweepRefusal::OtherLength);
    EXPECT_EQ(data().tokens, 21);
    EXPECT_EQ(data().other_tokens, 2);
    attn::Document recurrent;
    attn::take_model(recurrent, attn::shipped_model("alignment"));
    recurrent.source = "the black cat saw the red house .";
    recurrent.text = "fr le chien noir";
    b_.edit(recurrent);
    finish();
    EXPECT_EQ(data().refused, SweepRefusal::NoBlocks);
}

/// An encoder reads the other text, so its tokens are patched, too; cross-attention has rows of its own.
TEST_F(SweptParts, AnEncoderAndDecoderHasAllItsAttentions) {
    attn::Document document;
    attn::take_model(document, attn::shipped_model("translation"));
    document.source = "the small girl saw a black cat .";
    b_.edit(document);
    choose([](PredictionLook& look) { look.sweep.by = "zero"; });
    ASSERT_EQ(data().refused, SweepRefusal::None) << data().error;
    const auto rows = [&](attn::Part part) { return std::ranges::count_if(data().map.rows, [part](const auto& row) { return row.part == part; }); };
    EXPECT_EQ(rows(attn::Part::Encoder), 1);
    EXPECT_EQ(rows(attn::Part::Main), 1);
    EXPECT_EQ(rows(attn::Part::Cross), 1);
    EXPECT_EQ(data().map.rows.front().part, attn::Part::Encoder);
    patch_from("the small boy saw a black cat .", "residual");
    ASSERT_EQ(data().refused, SweepRefusal::None) << data().error;
    EXPECT_GT(rows(attn::Part::Encoder), 7);
    EXPECT_GT(data().map.largest, 0.5);
}

}  // namespace
}  // namespace app
