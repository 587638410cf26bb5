// The whole program without its window: what a hand does to it, and what the world leaves lying about.

#include "app/app.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>

#include "app/gfx/offscreen.h"
#include "app/gfx/target.h"

namespace app {
namespace {

constexpr Size kSize{1280, 800};

class AppFrame : public testing::Test {
protected:
    void SetUp() override {
        auto context = gfx::open_offscreen();
        if (!context) GTEST_SKIP() << context.error().text();
        context_.emplace(std::move(*context));
        auto opened = App::open({});
        ASSERT_TRUE(opened.ok()) << opened.error().text();
        app_ = std::move(*opened);
        auto target = gfx::make_target(static_cast<int>(kSize.w), static_cast<int>(kSize.h));
        ASSERT_TRUE(target.ok());
        target_.emplace(std::move(*target));
        target_->bind();
    }

    /// A frame, or as many as it takes until nothing is pending.
    FrameLog frame(int count = 3) {
        FrameLog log;
        for (int i = 0; i < count; ++i) {
            log = {};
            app_->run_frame(kSize, 1.0 / 60, &log);
        }
        return log;
    }

    Rect rect_of(const FrameLog& log, std::string_view id) {
        for (const WidgetRect& widget : log.widgets)
            if (widget.id == id) return widget.rect;
        ADD_FAILURE() << "no " << id << " on the screen";
        return {};
    }

    void click(std::string_view id) {
        const Point at = rect_of(frame(), id).center();
        gui::inject_mouse_pos(at);
        frame();
        gui::inject_mouse_button(0, true);
        frame();
        gui::inject_mouse_button(0, false);
        frame();
    }

    void key_with_ctrl(gui::Key key) {
        gui::inject_key(gui::Key::Ctrl, true);
        gui::inject_key(key, true);
        frame();
        gui::inject_key(key, false);
        gui::inject_key(gui::Key::Ctrl, false);
        frame();
    }

    void show(std::string_view text, std::string_view mask, attn::Tag step) {
        attn::Document doc;
        doc.text = text;
        attn::choose_variant(doc, "raw");
        doc.config.mask = mask;
        app_->apply(EditDocument{doc, {}});
        const int stop = stop_of(app_->derived().timeline, app_->derived().run->trace,
                                 attn::find_id(app_->derived().run->trace, step));
        ASSERT_GE(stop, 0);
        app_->apply(GoToStop{stop, 1});
    }

    std::optional<gfx::Offscreen> context_;
    std::unique_ptr<App> app_;
    std::optional<gfx::Target> target_;

    void TearDown() override {
        target_.reset();
        app_.reset();
        context_.reset();
    }
};

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
