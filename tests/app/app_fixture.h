#pragma once
// The whole program without its window, operated as a user does: pointer, keys, frames.

#include "app/shell/app.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>

#include "app/gfx/offscreen.h"
#include "app/gfx/target.h"

namespace app {

inline constexpr Size kSize{1280, 800};

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

    /// Draws a few frames and returns the last one's draw lists: these tests check positions and behaviour; pixels are
    /// checked by the golden pictures and the tests of the window.
    FrameLog frame(int count = 3) {
        FrameLog log;
        for (int i = 0; i < count; ++i) {
            log = {};
            app_->build_frame(kSize, 1.0 / 60, &log);
        }
        return log;
    }

    /// Draws frames until a control appears: what a worker computes may take seconds on a busy machine.
    FrameLog frame_with(std::string_view id) {
        const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
        for (;;) {
            FrameLog log = frame();
            if (has(log, id) || std::chrono::steady_clock::now() > until) return log;
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
    }

    static bool has(const FrameLog& log, std::string_view id) {
        return std::any_of(log.widgets.begin(), log.widgets.end(), [&](const WidgetRect& w) { return w.id == id; });
    }

    Rect rect_of(const FrameLog& log, std::string_view id) {
        for (const WidgetRect& widget : log.widgets)
            if (widget.id == id) return widget.rect;
        ADD_FAILURE() << "no " << id << " on the screen";
        return {};
    }

    void click(std::string_view id) { click_at(rect_of(frame_with(id), id).center()); }
    void click_at(Point at) {
        gui::inject_mouse_pos(at);
        frame();
        gui::inject_mouse_button(0, true);
        frame();
        gui::inject_mouse_button(0, false);
        frame();
    }

    void press(gui::Key key) {
        gui::inject_key(key, true);
        frame(2);
        gui::inject_key(key, false);
        frame(2);
    }

    void type(std::string_view text) {
        gui::inject_text(text);
        frame(2);
    }

    /// Presses at one point and releases at another.
    void drag(Point from, Point to) {
        gui::inject_mouse_pos(from);
        frame();
        gui::inject_mouse_button(0, true);
        frame(2);
        gui::inject_mouse_pos(to);
        frame(2);
        gui::inject_mouse_button(0, false);
        frame(2);
    }

    /// Draws frames until the motion that a click started is over.
    void end_motion() {
        app_->apply(Play{false});
        app_->apply(GoToStop{app_->derived().pose.stop, 1});
    }

    bool shows(std::string_view id) { return has(frame(), id); }

    /// Opens the groups of the settings, one after the other, until the control is visible.
    void scroll_to(std::string_view id) {
        constexpr int kGroups = 12;
        for (int i = 0; i < kGroups && !shows(id); ++i) {
            const std::string group = "settings_group." + std::to_string(i);
            if (!shows(group)) continue;
            click(group);
            if (!shows(id) && in_sight_below(id)) return;
        }
    }

    /// Turns the wheel over the settings.
    bool in_sight_below(std::string_view id) {
        gui::inject_mouse_pos({kSize.w * 0.05f, kSize.h * 0.8f});
        for (int i = 0; i < 6 && !shows(id); ++i) {
            gui::inject_wheel(0, -1);
            frame(2);
        }
        return shows(id);
    }

    Point middle(std::string_view id) { return rect_of(frame(), id).center(); }

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
        attn::choose_form(doc, "raw");
        doc.config.mask = mask;
        app_->apply(becomes(doc));
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

}  // namespace app
