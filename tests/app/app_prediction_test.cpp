// The screen of predictions in use: a key opens it, a key and a click append a token to the text, undo removes it.

#include <filesystem>
#include <fstream>

#include "app/screens/heads/look.h"
#include "app/screens/prediction/prediction.h"
#include "app/screens/prediction/sweep.h"
#include "core/document/take.h"
#include "core/model/model.h"
#include "places.h"
#include "tests/app/app_fixture.h"

namespace app {
namespace {

class AppPrediction : public AppFrame {
protected:
    const ViewState& view() { return app_->state().view; }
    const attn::Document& document() { return app_->state().document; }
    const PredictionData& data() { return app_->derived().part<PredictionData>(); }

    void open(std::string_view text) {
        attn::Document doc;
        attn::take_model(doc, attn::shipped_model("language"));
        doc.text = text;
        app_->apply(becomes(doc));
        app_->finish();
        press(gui::Key::W);
        app_->finish();
        frame();
    }
    void settle() {
        app_->finish();
        frame();
    }
};

TEST_F(AppPrediction, AKeyAppendsThePredictedToken) {
    open("the river");
    ASSERT_EQ(view().screen, Screen::Prediction);
    EXPECT_TRUE(shows("take_prediction"));
    press(gui::Key::A);
    settle();
    EXPECT_EQ(app_->derived().run->trace.tokens.size(), 3U);
    EXPECT_EQ(data().written, 1);
    EXPECT_TRUE(app_->state().history.can_undo());
}

TEST_F(AppPrediction, AClickAppendsATokenAndUndoRemovesIt) {
    open("the river");
    const std::string longer = "the river" + data().words[1].word.text;
    click("prediction_word2");
    settle();
    EXPECT_EQ(document().text, longer);
    EXPECT_EQ(data().written, 1);
    click("take_prediction");
    settle();
    EXPECT_EQ(data().written, 2);
    app_->apply(Undo{});
    settle();
    EXPECT_EQ(document().text, longer);
    app_->apply(Undo{});
    settle();
    EXPECT_EQ(document().text, "the river");
}

TEST_F(AppPrediction, ATokenIsSelectedAndTheLensIsTheNextPage) {
    open("the river is");
    click("prediction_token0");
    settle();
    EXPECT_EQ(view().part<PredictionLook>().place, 0);
    EXPECT_EQ(data().row, 0);
    click("prediction_token2");
    settle();
    EXPECT_EQ(view().part<PredictionLook>().place, -1) << "behind the text";
    press(gui::Key::W);
    settle();
    EXPECT_EQ(view().part<PredictionLook>().page, "lens");
    EXPECT_TRUE(shows("lens_4_2"));
    click("lens_word2");
    settle();
    EXPECT_EQ(view().part<PredictionLook>().target, data().lens.at(4, data().lens_row)[1].id);
    press(gui::Key::W);
    EXPECT_EQ(view().part<PredictionLook>().page, "parts");
    press(gui::Key::W);
    settle();
    EXPECT_EQ(view().part<PredictionLook>().page, "stream");
    EXPECT_TRUE(shows("stream_0"));
    EXPECT_TRUE(shows("stream_8")) << "four layers of two";
    EXPECT_EQ(data().stream_row, 2);
    click("prediction_token0");
    settle();
    EXPECT_EQ(data().stream_row, 0);
    press(gui::Key::W);
    EXPECT_EQ(view().part<PredictionLook>().page, "interventions");
    press(gui::Key::W);
    EXPECT_EQ(view().part<PredictionLook>().page, "words");
}

/// In a model that fills in tokens, a click masks a token, and the model predicts it.
TEST_F(AppPrediction, AMaskIsFilledIn) {
    const std::filesystem::path from = ATTN_SOURCE_DIR "/tests/data/checkpoints/bert";
    const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "attenscope_next_bert";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directory(folder);
    for (const char* file : {"config.json", "model.safetensors"}) std::filesystem::copy_file(from / file, folder / file);
    std::ofstream(folder / "vocab.txt") << "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\ncat\nsat\non\nmat\n##s\n";
    const auto model = attn::find_model(folder.string(), {.folders = true});
    ASSERT_TRUE(model);
    attn::Document doc;
    attn::take_model(doc, *model);
    doc.text = "the cat sat";
    app_->apply(becomes(doc));
    app_->finish();
    press(gui::Key::W);
    settle();
    EXPECT_EQ(data().row, -1);
    EXPECT_FALSE(shows("take_prediction"));
    click("prediction_token2");
    settle();
    EXPECT_EQ(data().row, 2);
    click("prediction_token2");
    settle();
    EXPECT_EQ(document().text, "the [MASK] sat");
    EXPECT_TRUE(data().masked);
    const std::string word = data().taken.word.text;
    press(gui::Key::A);
    settle();
    EXPECT_EQ(app_->derived().run->trace.tokens[2], word);
    std::filesystem::remove_all(folder);
}

/// A click on a position of a recurrent decoder shows its prediction there, and the predicted word replaces the current one.
TEST_F(AppPrediction, AWordOfARecurrentDecoderIsReplaced) {
    attn::Document doc;
    attn::take_model(doc, attn::shipped_model("alignment"));
    doc.source = "the black cat saw the red house .";
    doc.text = "fr le chien noir";
    app_->apply(becomes(doc));
    app_->finish();
    press(gui::Key::W);
    settle();
    ASSERT_EQ(view().screen, Screen::Prediction);
    EXPECT_EQ(data().row, 3);
    click("prediction_token2");
    settle();
    EXPECT_EQ(data().row, 2);
    ASSERT_TRUE(data().actual);
    EXPECT_EQ(data().actual->word.text, "chien");
    EXPECT_EQ(data().taken.word.text, "chat") << "what the second text says";
    click("take_prediction");
    settle();
    EXPECT_EQ(app_->derived().run->trace.tokens, (std::vector<std::string>{"fr", "le", "chat", "noir"}));
    app_->apply(Undo{});
    settle();
    EXPECT_EQ(document().text, "fr le chien noir");
}

/// Opening a smaller model while the parts of the first one's logit are shown: no part of the old run is read from the new one.
TEST_F(AppPrediction, PartsOfAnotherModelAreNotReused) {
    open("the river");
    press(gui::Key::W);
    press(gui::Key::W);
    settle();
    click("part_4_2");
    settle();
    ASSERT_TRUE(shows("switch_part"));
    attn::Document smaller;
    attn::take_model(smaller, attn::shipped_model("induction"));
    smaller.text = "k q b z k q b";
    app_->apply(becomes(smaller));
    for (int i = 0; i < 5; ++i) {
        const FrameLog log = frame(1);
        if (data().generation != app_->derived().generation) {
            EXPECT_FALSE(has(log, "switch_part"));
        }
    }
    settle();
    EXPECT_EQ(data().generation, app_->derived().generation);
    ASSERT_TRUE(data().parts) << data().no_parts;
    EXPECT_EQ(data().parts->rows.size(), 2U);
}

/// An analysis: the head that contributes most to the token, switching it off, what changed, and switching it on again, by
/// mouse and by keys.
TEST_F(AppPrediction, AHeadIsFoundSwitchedOffAndSwitchedOnAgain) {
    open("the river");
    press(gui::Key::W);
    press(gui::Key::W);
    settle();
    ASSERT_EQ(view().part<PredictionLook>().page, "parts");
    ASSERT_TRUE(data().parts) << data().no_parts;
    press(gui::Key::O);  // no head is at the playhead: the one with the largest contribution is shown, and selected
    settle();
    ASSERT_EQ(document().interventions.size(), 1U);
    press(gui::Key::O);
    settle();
    ASSERT_TRUE(document().interventions.empty());
    click("part_2_1");
    settle();
    EXPECT_EQ(view().head, 0);
    EXPECT_EQ(view().playhead.tag.layer, 1);
    EXPECT_EQ(view().playhead.tag.role, attn::Role::Weights);
    click("switch_part");
    settle();
    ASSERT_EQ(document().interventions.size(), 1U);
    EXPECT_EQ(document().interventions.front().layer, 1);
    EXPECT_TRUE(data().divergence);
    EXPECT_TRUE(shows("intervention1"));
    press(gui::Key::O);
    settle();
    EXPECT_TRUE(document().interventions.empty());
    app_->apply(Undo{});
    settle();
    EXPECT_EQ(document().interventions.size(), 1U);
    click("intervention1");
    settle();
    EXPECT_TRUE(document().interventions.empty());
    click("show_part");
    settle();
    EXPECT_EQ(view().screen, Screen::Heads);
    EXPECT_EQ(view().part<HeadsChoice>().at.layer, 1);
    press(gui::Key::O);
    settle();
    EXPECT_EQ(document().interventions.size(), 1U);
}

/// Each part is replaced in turn; a click on a cell selects it, and a button makes the replacement part of the document.
TEST_F(AppPrediction, WhatReplacingEachPartChangesIsAMap) {
    open("the river");
    for (int i = 0; i < 4; ++i) press(gui::Key::W);
    settle();
    ASSERT_EQ(view().part<PredictionLook>().page, "interventions");
    const auto sweep = [&]() -> const SweepData& { return app_->derived().part<SweepData>(); };
    EXPECT_EQ(sweep().map.rows.size(), 4U);
    EXPECT_EQ(sweep().map.columns(), 6) << "four heads, all heads, FFN";
    EXPECT_FALSE(shows("sweep_stop")) << "all is computed";
    click("sweep_2_1");
    settle();
    EXPECT_EQ(view().head, 0);
    EXPECT_EQ(view().playhead.tag.layer, 1);
    click("sweep_put");
    settle();
    ASSERT_EQ(document().interventions.size(), 1U);
    EXPECT_EQ(document().interventions.front(), (attn::Intervention{.layer = 1, .head = 0, .tokens = {}, .text = {}}));
    EXPECT_TRUE(shows("intervention1"));
    press(gui::Key::O);  // the same head by its key
    settle();
    EXPECT_TRUE(document().interventions.empty());
    click("sweep_3_6");  // a part that is no head
    settle();
    EXPECT_EQ(view().head, 0);
    click("sweep_by.1");
    settle();
    click("sweep_3_6");
    settle();
    click("sweep_put");
    settle();
    ASSERT_EQ(document().interventions.size(), 1U);
    EXPECT_EQ(document().interventions.front(), (attn::Intervention{.at = attn::Site::FeedForward, .by = attn::PutBy::Mean, .layer = 2, .tokens = {}, .text = {}}));
    click("sweep_put");
    settle();
    EXPECT_TRUE(document().interventions.empty());
    click("sweep_bar1");
    settle();
    EXPECT_EQ(sweep().shown, sweep().map.largest_first.front());
}

/// A token that is not among the likeliest is typed, for the target and for what it is compared with.
TEST_F(AppPrediction, AnyTokenCanBeTheTarget) {
    open("the river");
    for (int i = 0; i < 2; ++i) press(gui::Key::W);
    settle();
    ASSERT_EQ(view().part<PredictionLook>().page, "parts");
    const auto data = [&]() -> const PredictionData& { return app_->derived().part<PredictionData>(); };
    const std::string likeliest = data().target.text;
    for (const std::string word : {" teacher", " bank"}) ASSERT_NE(likeliest, word);
    click("part_target_typed");
    type("teacher");
    settle();
    EXPECT_EQ(data().target.text, " teacher");
    ASSERT_TRUE(data().parts) << data().no_parts;
    EXPECT_NEAR(data().parts->made.sum(), data().parts->made.logit, 1e-3);
    click("part_against_typed");
    type("bank");
    settle();
    ASSERT_TRUE(data().against);
    EXPECT_EQ(data().against->text, " bank");
    // What the model does not have is said on Enter.
    click("part_target_typed");
    type("xylophone");
    press(gui::Key::Enter);
    settle();
    EXPECT_EQ(data().target.text, " teacher");
    EXPECT_NE(view().done.find("xylophone"), std::string::npos);
}

/// Another text is typed, and the map shows where it decides; the runs can be stopped and continued.
TEST_F(AppPrediction, AnotherTextIsPatchedInAndTheRunsCanBeStopped) {
    open("the river");
    for (int i = 0; i < 4; ++i) press(gui::Key::W);
    settle();
    const auto sweep = [&]() -> const SweepData& { return app_->derived().part<SweepData>(); };
    click("sweep_by.2");
    settle();
    EXPECT_EQ(view().part<PredictionLook>().sweep.from, "the river");
    EXPECT_EQ(sweep().refused, SweepRefusal::SameText);
    click("sweep_from");
    press(gui::Key::End);
    type(" is");
    settle();
    EXPECT_EQ(sweep().refused, SweepRefusal::OtherLength);
    ViewState changed = view();
    changed.part<PredictionLook>().sweep.stopped = true;
    changed.part<PredictionLook>().sweep.from = "the bank";
    app_->apply(becomes(changed));
    settle();
    EXPECT_EQ(sweep().done, 0U);
    EXPECT_FALSE(sweep().computing);
    click("sweep_go_on");
    settle();
    EXPECT_EQ(sweep().done, 10U) << "five depths of two tokens";
    EXPECT_TRUE(shows("sweep_2_5"));
    click("sweep_2_5");
    settle();
    click("sweep_put");
    settle();
    ASSERT_EQ(document().interventions.size(), 1U);
    EXPECT_EQ(document().interventions.front().text, "the bank");
    EXPECT_EQ(document().interventions.front().tokens, std::vector{1});
    click("sweep_where.1");
    settle();
    EXPECT_EQ(sweep().map.columns(), 6);
}

}  // namespace
}  // namespace app
