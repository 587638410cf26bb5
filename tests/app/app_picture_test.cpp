// A vision model in the window: the message without a picture, the regions, and the labels.

#include "app/screens/heads/heads.h"
#include "app/screens/prediction/prediction.h"
#include "app/shell/open_files.h"
#include "core/model/model.h"
#include "places.h"
#include "tests/app/app_fixture.h"

namespace app {
namespace {

class AppPicture : public AppFrame {
protected:
    const ViewState& view() { return app_->state().view; }
    const HeadsData& heads() { return app_->derived().part<HeadsData>(); }
    const PredictionData& next() { return app_->derived().part<PredictionData>(); }
    static std::filesystem::path folder(const char* name = "vit") { return std::filesystem::path(ATTN_SOURCE_DIR "/tests/data/checkpoints") / name; }

    void settle() {
        app_->finish();
        frame();
    }
    void open(bool with_picture, const char* name = "vit") {
        auto document = open_document(folder(name));
        ASSERT_TRUE(document) << document.error().text();
        if (with_picture) {
            auto picture = attn::find_picture((folder() / "picture.png").string(), {.folders = true});
            ASSERT_TRUE(picture);
            ASSERT_TRUE(take_picture(*document, *picture));
        }
        app_->apply(becomes(*document));
        settle();
    }
    void show_regions() {
        app_->apply(ChangeView{[](ViewState& v) {
            v.screen = Screen::Heads;
            v.part<HeadsChoice>().page = "regions";
        }});
        settle();
    }
    static bool says(const FrameLog& log, std::string_view words) {
        return std::any_of(log.labels.begin(), log.labels.end(), [&](const LabelRect& one) { return one.text.find(words) != std::string::npos; });
    }
};

TEST_F(AppPicture, WithoutAPictureAMessageSaysWhatToDo) {
    open(false);
    EXPECT_TRUE(app_->derived().run->trace.steps.empty());
    for (const Screen screen : {Screen::Stage, Screen::Flow, Screen::Heads, Screen::Prediction}) {
        app_->apply(ChangeView{[screen](ViewState& v) { v.screen = screen; }});
        settle();
        EXPECT_TRUE(says(frame(), "Drop a PNG or JPEG onto the window")) << static_cast<int>(screen);
    }
    open(true);
    EXPECT_EQ(app_->derived().run->trace.tokens.size(), 10u);
    EXPECT_FALSE(says(frame(), "Drop a PNG or JPEG onto the window"));
    EXPECT_TRUE(says(frame(), "picture.png · 11 × 7 pixels"));
}

/// Stage and flow show patches; every screen shows the picture from which they are cut, and the heads open on its regions.
TEST_F(AppPicture, IsSeenOnEveryScreen) {
    open(true);
    for (const Screen screen : {Screen::Stage, Screen::Flow, Screen::Prediction, Screen::Heads}) {
        app_->apply(ChangeView{[screen](ViewState& v) { v.screen = screen; }});
        settle();
        ASSERT_TRUE(app_->derived().picture) << static_cast<int>(screen);
        const Rect seen = rect_of(frame_with("picture_seen"), "picture_seen");
        // 3 × 3 patches of 12 × 12 pixels: as high as it is wide, and too high for an icon.
        EXPECT_NEAR(seen.w, seen.h, 1.0f);
        EXPECT_GE(seen.h, 24.0f);
    }
    EXPECT_EQ(heads().page, "regions");
    open(false);
    EXPECT_FALSE(app_->derived().picture);
}

TEST_F(AppPicture, AClickedPatchIsTheQueryOfTheRegions) {
    open(true);
    show_regions();
    ASSERT_TRUE(heads().picture);
    EXPECT_EQ(heads().picture->rows, 3);
    EXPECT_EQ(heads().picture->grey->rows(), 12);
    EXPECT_TRUE(says(frame(), "From [CLS], head 0 looks most at patch"));
    click("regions");  // in the middle: the patch "2,2", the sixth token
    settle();
    EXPECT_EQ(view().part<HeadsChoice>().queries, std::vector<int>{5});
    // The text has the numbers of the run.
    const attn::Matrix& weights = heads().weights_of(*heads().here(), 0);
    Eigen::Index best = 0;
    weights.row(5).tail(9).maxCoeff(&best);
    EXPECT_TRUE(says(frame(), "From 2,2, head 0 looks most at patch " + heads().here()->key_names[static_cast<std::size_t>(best) + 1]));
    // The pointer is on that patch: the inspector explains its weight.
    ASSERT_TRUE(view().pointed);
    EXPECT_EQ(view().pointed->row, 5);
    EXPECT_EQ(view().pointed->col, 5);
    click("regions_head_2");
    settle();
    EXPECT_EQ(heads().head, 1);
    click("regions_class");
    settle();
    EXPECT_TRUE(view().part<HeadsChoice>().queries.empty());
    EXPECT_TRUE(says(frame(), "From [CLS], head 1"));
}

/// Two of its tokens are shown outside the picture, and both have the model's labels.
TEST_F(AppPicture, ADistilledModelHasTwoQueryTokens) {
    open(true, "deit");
    show_regions();
    EXPECT_EQ(heads().picture->before, 2);
    click("regions");  // in the middle: the patch "2,2", now the seventh token
    settle();
    EXPECT_EQ(view().part<HeadsChoice>().queries, std::vector<int>{6});
    ASSERT_TRUE(view().pointed);
    EXPECT_EQ(view().pointed->col, 6);
    click("regions_distillation");
    settle();
    EXPECT_EQ(view().part<HeadsChoice>().queries, std::vector<int>{1});
    const attn::Matrix& weights = heads().weights_of(*heads().here(), 0);
    Eigen::Index best = 0;
    weights.row(1).tail(9).maxCoeff(&best);
    EXPECT_TRUE(says(frame(), "From [DIST], head 0 looks most at patch " + heads().here()->key_names[static_cast<std::size_t>(best) + 2]));
    const attn::Trace& trace = app_->derived().run->trace;
    EXPECT_EQ(say_of(*app_->derived().run, attn::find_step(trace, "logits")), Str::say_logit_mean);
    EXPECT_EQ(symbol_of(trace, attn::find_step(trace, "logits"), attn::Convention::Rows), "\\frac{1}{2} (l_c + l_d)");
    app_->apply(ChangeView{[](ViewState& v) { v.screen = Screen::Prediction; }});
    settle();
    EXPECT_TRUE(says(frame(), "A logit is the mean of two"));
    EXPECT_TRUE(says(frame(), "the distillation token, out of 3 labels"));
}

/// Number by number: a pixel's brightness is the model's input, also when it is typed over.
TEST_F(AppPicture, ThePictureIsDrawnFromTheRun) {
    open(true);
    show_regions();
    const float before = (*heads().picture->grey)(4, 4), beside = (*heads().picture->grey)(4, 5);
    attn::Document edited = app_->state().document;
    edited.edits.push_back({{attn::Role::Pixels}, 4, 0, 2});  // red of the first pixel of "2,2": (2 · 0.5 + 0.5) · 255 is above white
    app_->apply(becomes(edited));
    settle();
    EXPECT_NE((*heads().picture->grey)(4, 4), before);
    EXPECT_EQ((*heads().picture->grey)(4, 5), beside);
}

TEST_F(AppPicture, ATextHasNoSuchPage) {
    attn::Document document;
    document.text = "the cat";
    app_->apply(becomes(document));
    show_regions();
    EXPECT_FALSE(heads().picture);
    EXPECT_TRUE(says(frame(), "Regions belong to a picture"));
}

TEST_F(AppPicture, LabelsAreShownAndCannotBeAppended) {
    open(true);
    press(gui::Key::W);
    settle();
    ASSERT_EQ(view().screen, Screen::Prediction);
    EXPECT_TRUE(next().labels);
    ASSERT_EQ(next().words.size(), 3u);
    float sum = 0;
    for (const PredictedToken& word : next().words) sum += word.word.probability;
    EXPECT_NEAR(sum, 1, 1e-5f);
    const FrameLog log = frame();
    for (const std::string_view label : {"tabby cat", "猫头鹰", "bus"}) EXPECT_TRUE(says(log, label)) << label;
    EXPECT_FALSE(shows("take_prediction"));
    click("prediction_word1");
    settle();
    EXPECT_EQ(app_->derived().run->trace.tokens.size(), 10u);
    press(gui::Key::W);
    settle();
    EXPECT_EQ(next().lens.layers, 2);
    EXPECT_EQ(next().lens.rows, 1);
}

}  // namespace
}  // namespace app
