// The compare screen in use: heads that attend elsewhere are ranked beside the panels, and a click shows one.

#include "app/screens/compare/comparison.h"
#include "core/document/take.h"
#include "core/model/model.h"
#include "places.h"
#include "tests/app/app_fixture.h"

namespace app {
namespace {

class AppCompare : public AppFrame {
protected:
    const Compared& compared() { return app_->derived().part<ComparisonData>().compared; }
    /// The other model is read, then its run is computed, then the two are compared.
    void settle() {
        for (int i = 0; i < 4; ++i) {
            app_->finish();
            frame();
        }
    }
    void compare(std::string_view text, std::string_view other) {
        attn::Document doc;
        attn::take_model(doc, attn::shipped_model("language"));
        doc.text = text;
        app_->apply(becomes(doc));
        app_->finish();
        ViewState view = app_->state().view;
        view.screen = Screen::Compare;
        view.part<Comparison>().kind = "text";
        view.part<Comparison>().text = other;
        app_->apply(becomes(view));
        app_->finish();
        frame();
    }
};

TEST_F(AppCompare, AClickShowsTheHeadThatDiffersMost) {
    compare("the river is wide", "the bank is");
    ASSERT_TRUE(compared().changes);
    const auto& heads = compared().changes->heads;
    ASSERT_EQ(heads.size(), 16U);
    EXPECT_TRUE(shows("change_4_4"));
    for (const std::size_t nth : {std::size_t{1}, std::size_t{0}}) {
        click("changed_head" + std::to_string(nth + 1));
        app_->finish();
        frame();
        const attn::Tag& shown = app_->derived().run->trace[compared().left].tag;
        EXPECT_EQ(shown.layer, heads[nth].tag.layer);
        EXPECT_EQ(shown.head, heads[nth].tag.head);
    }
    click("change_2_3");
    app_->finish();
    frame();
    EXPECT_EQ(app_->derived().run->trace[compared().left].tag.layer, 1);
    EXPECT_EQ(app_->derived().run->trace[compared().left].tag.head, 2);
}

/// Below each other, a column is in one line in all three maps, although the figures of the difference are longer.
TEST_F(AppCompare, StackedMapsHaveTheirColumnsInLine) {
    constexpr Size kProjector{1024, 768};
    constexpr int kWords = 10;
    const auto frame_of = [&](std::string_view kind) {
        attn::Document doc;
        doc.text = "the cat sat on the mat and the dog ran";
        doc.config.mask = "causal";
        app_->apply(becomes(doc));
        ViewState view = app_->state().view;
        view.screen = Screen::Compare;
        view.present.on = true;
        view.part<Comparison>().kind = kind;
        app_->apply(becomes(view));
        app_->finish();
        FrameLog log;
        for (int i = 0; i < 3; ++i) {
            log = {};
            app_->build_frame(kProjector, 1.0 / 60, &log);
        }
        return log;
    };
    for (const std::string_view kind : {"score", "order"}) {
        const FrameLog log = frame_of(kind);
        ASSERT_GT(rect_of(log, "difference_0_0").y, rect_of(log, "left_0_0").y) << kind << ": they are not stacked";
        for (int col = 0; col < kWords; ++col) {
            const Rect above = rect_of(log, "left_0_" + std::to_string(col)), middle = rect_of(log, "difference_0_" + std::to_string(col));
            EXPECT_EQ(middle.x, above.x) << kind << " " << col;
            EXPECT_EQ(middle.w, above.w) << kind << " " << col;
            if (kind == "score") { EXPECT_EQ(rect_of(log, "right_0_" + std::to_string(col)).x, above.x) << col; }
        }
        int names = 0;
        for (const LabelRect& label : log.labels) names += label.text == "mat" && label.rect.x > rect_of(log, "left_0_0").x;
        EXPECT_EQ(names, kind == "score" ? 1 : 3) << kind << ": names are written once where they are the same";
    }
}

/// A second model is named by its folder: the heads of both are compared, and the heading says which models they are.
TEST_F(AppCompare, TwoModelsAreComparedHeadByHead) {
    attn::Document doc;
    attn::take_model(doc, attn::shipped_model("language"));
    doc.text = "the river is wide";
    app_->apply(becomes(doc));
    ViewState view = app_->state().view;
    view.screen = Screen::Compare;
    view.part<Comparison>().kind = "model";
    app_->apply(becomes(view));
    settle();
    EXPECT_FALSE(compared().changes);
    click("compare_model");
    type("language@0");
    settle();
    EXPECT_EQ(app_->state().view.part<Comparison>().model, "language@0");
    ASSERT_TRUE(compared().changes);
    EXPECT_EQ(compared().changes->heads.size(), 16U);
    EXPECT_GT(compared().changes->heads[0].distance, 0.05);
    EXPECT_EQ(compared().changes->missing, 0);
    EXPECT_TRUE(shows("changed_head1"));
    EXPECT_TRUE(shows("change_4_4"));
    // A model of another shape: its heads without a counterpart are counted.
    view = app_->state().view;
    view.part<Comparison>().model = ATTN_SOURCE_DIR "/tests/data/planted";
    app_->apply(becomes(view));
    settle();
    ASSERT_TRUE(compared().changes);
    EXPECT_EQ(compared().changes->heads.size(), 8U);
    EXPECT_EQ(compared().changes->missing, 8);
    // A folder that is not there, or is no model, is said.
    const auto data = [&]() -> const ComparisonData& { return app_->derived().part<ComparisonData>(); };
    for (const char* folder : {"/nowhere/tuned", ATTN_SOURCE_DIR "/tests/data/pictures"}) {
        view.part<Comparison>().model = folder;
        app_->apply(becomes(view));
        settle();
        EXPECT_FALSE(compared().changes);
        ASSERT_TRUE(data().model_error);
        EXPECT_EQ(data().model_missing, std::string_view(folder).starts_with("/nowhere"));
        EXPECT_FALSE(data().opening);
    }
}

}  // namespace
}  // namespace app
