// The whole program without its window: what a hand does to it, and what the world leaves lying about.

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>

#include "app_fixture.h"

namespace app {
namespace {

/// Two keys of one frame: what the second changes does not take back what the first did.
TEST_F(AppFrame, TwoKeysOfOneFrameBothCount) {
    const ViewState before = app_->state().view;
    gui::inject_key(gui::Key::F7, true);
    gui::inject_key(gui::Key::F6, true);
    frame(1);
    EXPECT_NE(app_->state().view.language, before.language);
    EXPECT_NE(app_->state().view.theme, before.theme);
    gui::inject_key(gui::Key::F7, false);
    gui::inject_key(gui::Key::F6, false);
}

TEST_F(AppFrame, AClickOnAMaskedCellFlipsItAndUndoTakesItBack) {
    show("the tired cat", "causal", {attn::Role::Masked});
    const attn::Document before = app_->state().document;
    click("cell_0_2");
    const attn::Document& after = app_->state().document;
    ASSERT_EQ(after.config.mask, "drawn");
    ASSERT_EQ(after.mask_pattern.rows(), 3);
    EXPECT_EQ(after.mask_pattern(0, 2), 1);  // was hidden by the causal mask
    EXPECT_EQ(after.mask_pattern(0, 1), 0);
    EXPECT_EQ(after.mask_pattern(2, 0), 1);
    const attn::Step* weights = attn::find(app_->derived().run->trace, {attn::Role::Weights});
    ASSERT_NE(weights, nullptr);
    EXPECT_GT(weights->value(0, 2), 0);
    key_with_ctrl(gui::Key::Z);
    EXPECT_EQ(app_->state().document, before);
}

TEST_F(AppFrame, ThePointerAsksAndAClickPins) {
    show("the tired cat", "none", {attn::Role::Scores});
    const Point at = rect_of(frame(), "cell_2_1").center();
    gui::inject_mouse_pos(at);
    frame();
    ASSERT_TRUE(app_->derived().focus);
    EXPECT_EQ(app_->derived().focus->row, 2);
    EXPECT_EQ(app_->derived().focus->col, 1);
    click("cell_2_1");
    gui::inject_mouse_pos({1, 1});
    frame();
    ASSERT_TRUE(app_->state().view.pinned);
    EXPECT_EQ(*app_->state().view.pinned, (CellRef{{attn::Role::Scores}, 2, 1}));
    EXPECT_TRUE(app_->derived().focus_pinned);
    const Inspection& in = app_->derived().inspection;
    ASSERT_FALSE(in.chain.empty());
    EXPECT_FLOAT_EQ(in.chain.front().value, app_->derived().run->trace[app_->derived().focus->step].value(2, 1));
}

/// What was typed is computed already: Escape leaves the field, not the sentence.
TEST_F(AppFrame, EscapeLeavesTheTextAsItIs) {
    show("the cat", "none", {attn::Role::Scores});
    click("text");
    press(gui::Key::End);
    type(" sat");
    ASSERT_EQ(app_->state().document.text, "the cat sat");
    press(gui::Key::Escape);
    EXPECT_EQ(app_->state().document.text, "the cat sat");
    EXPECT_FALSE(gui::typing());
    key_with_ctrl(gui::Key::Z);
    EXPECT_EQ(app_->state().document.text, "the cat");
}

/// A masked weight is no weight of 0.00: beside another run and among the heads it is hatched as on the stage.
TEST_F(AppFrame, MaskedWeightsHaveNoNumberOnAnyScreen) {
    show("the tired cat", "causal", {attn::Role::Weights});
    const auto text_in = [](const FrameLog& log, Rect cell) {
        for (const LabelRect& label : log.labels)
            if (cell.contains(label.rect.center())) return label.text;
        return std::string();
    };
    const std::pair<Screen, std::string> kShown[] = {{Screen::Heads, "preview"}, {Screen::Compare, "left"}, {Screen::Compare, "right"}};
    for (const auto& [screen, id] : kShown) {
        app_->state().view.screen = screen;
        app_->state().view.heads.page = "grid";
        app_->state().view.comparison.choice = "cosine";
        const FrameLog log = frame(30);
        EXPECT_EQ(text_in(log, rect_of(log, id + "_0_0")), "1.00") << id;
        EXPECT_EQ(text_in(log, rect_of(log, id + "_0_2")), "") << id;
    }
}

TEST_F(AppFrame, Row46_AnySizeIsSurvived) {
    for (const Size size : {Size{1, 1}, Size{3, 900}, Size{900, 3}, Size{200, 150}, Size{0, 0}, Size{4000, 40}}) {
        app_->run_frame(size, 1.0 / 60);
        app_->run_frame(size, 1.0 / 60);
    }
    EXPECT_FALSE(frame().widgets.empty());
}

TEST_F(AppFrame, Row50_AClockThatJumpsTearsNothing) {
    show("the tired cat", "none", {attn::Role::Scores});
    app_->apply(GoToStop{0, 0});
    app_->apply(Play{true});
    for (const double seconds : {1e9, -5.0, std::numeric_limits<double>::quiet_NaN(), 0.0})
        app_->run_frame(kSize, seconds);
    EXPECT_GE(app_->derived().time, 0);
    EXPECT_LT(app_->derived().time, 0.5);  // one longest frame at most
    EXPECT_TRUE(app_->state().view.playing);
}

/// Version 1.86 of the library dies of such a file if it reads it.
TEST(Leftovers, Row57_AnIniFileIsNeitherReadNorWritten) {
    namespace fs = std::filesystem;
    const fs::path folder = fs::path(testing::TempDir()) / ("ini-" + std::to_string(::getpid())),
                   before = fs::current_path();
    fs::create_directories(folder);
    fs::current_path(folder);
    const std::string hostile = "[Window][attenscope]\nSize=-1,99999999\n\n[Table][0x12345678,2000000000]\n";
    std::ofstream("imgui.ini") << hostile;
    {
        auto context = gfx::open_offscreen();
        if (context) {
            auto app = App::open({});
            ASSERT_TRUE(app.ok());
            EXPECT_TRUE(render_frame(**app, kSize).ok());
        }
    }
    std::ostringstream now;
    now << std::ifstream("imgui.ini").rdbuf();
    EXPECT_EQ(now.str(), hostile);
    fs::current_path(before);
    fs::remove_all(folder);
}

}  // namespace
}  // namespace app
