#pragma once
// Draws the user interface without a window: one offscreen context, one frame at a time.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/gfx/offscreen.h"
#include "app/gfx/target.h"
#include "app/ui/widgets.h"

namespace app {

class UiStage : public ::testing::Test {
protected:
    static constexpr Size kSize{640, 480};

    void SetUp() override {
        auto context = gfx::open_offscreen();
        if (!context) GTEST_SKIP() << context.error().message;
        context_.emplace(std::move(*context));
        auto backend = gui::Backend::open(nullptr);
        ASSERT_TRUE(backend) << backend.error().message;
        backend_ = std::move(*backend);
        auto target = gfx::make_target(static_cast<int>(kSize.w), static_cast<int>(kSize.h));
        ASSERT_TRUE(target) << target.error().message;
        target_.emplace(std::move(*target));
        open_fonts(find_fonts());
    }

    void TearDown() override {
        fonts_.reset();
        backend_.reset();
        target_.reset();
        context_.reset();
    }

    void open_fonts(const FontFiles& files) { fonts_ = std::make_unique<Fonts>(files); }

    using Draw = std::function<void(Ui&)>;
    /// Draws frames until the atlas has all glyphs (at least one).
    void frame(const Draw& draw) {
        for (int i = 0; i < 4; ++i) {
            fonts_->refresh(theme_);
            one_frame(draw);
            if (!fonts_->pending()) break;
        }
    }
    void frames(int count, const Draw& draw) {
        for (int i = 0; i < count; ++i) frame(draw);
    }

    /// What the last frame showed.
    gfx::Image seen() const { return target_->read(); }

    Rect rect_of(std::string_view id) const {
        const auto found = std::find_if(log_.begin(), log_.end(), [id](const WidgetRect& w) { return w.id == id; });
        EXPECT_NE(found, log_.end()) << id;
        return found == log_.end() ? Rect{} : found->rect;
    }

    void click(std::string_view id, const Draw& draw) { click(rect_of(id).center(), draw); }
    void click(Point at, const Draw& draw) {
        gui::inject_mouse_pos(at);
        frames(2, draw);
        gui::inject_mouse_button(0, true);
        frames(2, draw);
        gui::inject_mouse_button(0, false);
        frames(2, draw);
    }
    void press(gui::Key key, const Draw& draw) {
        gui::inject_key(key, true);
        frames(2, draw);
        gui::inject_key(key, false);
        frames(2, draw);
    }

    Theme theme_ = themes().front();
    Focus focus_;
    std::vector<WidgetRect> log_;
    std::vector<LabelRect> labels_;
    std::unique_ptr<Fonts> fonts_;

private:
    void one_frame(const Draw& draw) {
        backend_->begin_frame(kSize, 1.0 / 60.0);
        log_.clear();
        labels_.clear();
        {
            Painter painter(gui::begin_host("host", {0, 0, kSize.w, kSize.h}), theme_, *fonts_, &labels_);
            begin_focus(focus_);
            Ui ui(painter, focus_, &log_);
            draw(ui);
        }
        gui::end_host();
        target_->clear(gfx::rgb(0xffffff));
        backend_->end_frame();
    }

    std::optional<gfx::Offscreen> context_;
    std::unique_ptr<gui::Backend> backend_;
    std::optional<gfx::Target> target_;
};

}  // namespace app
