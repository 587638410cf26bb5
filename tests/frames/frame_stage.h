#pragma once
// The program offscreen, put into the state of a case and drawn: whole, or as far as its labels need.

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <vector>

#include "app/gfx/offscreen.h"
#include "app/shell/app.h"
#include "tests/frames/frame_case.h"
#include "tests/frames/record.h"

namespace frames {

class FrameStage : public ::testing::Test {
protected:
    void SetUp() override;

    /// True if a test may continue in the program of the last one, reset to its first state: what was drawn before leaves no
    /// trace (SameFrameTest), and more than half of the time of a new program is for its glyphs.
    virtual bool goes_on() const { return false; }
    /// A new program in a new context: nothing is left of what was drawn before.
    void reopen();
    /// The document, its step, the pin, the look; not the size.
    void show(const FrameCase& frame);
    /// A key, down and up, seen by frames of this size.
    void enter(const app::CellRef& cell);
    void press(app::gui::Key key, app::Size size);
    app::gfx::Image render(app::Size size);
    /// What is drawn inside `part` of the frame, after drawing until nothing changes any more.
    Record record(app::Size size, app::Rect part);
    Record record(app::Size size) { return record(size, {0, 0, size.w, size.h}); }
    /// The labels of the frame, after drawing until nothing changes any more.
    std::vector<app::LabelRect> labels(app::Size size);

    static app::App& program() { return *open_.app; }
    static const attn::Trace& trace() { return program().derived().run->trace; }

private:
    struct Open {
        std::optional<app::gfx::Offscreen> context;  // before the program: everything created in it must be destroyed first
        std::unique_ptr<app::App> app;

        void close();
    };
    /// Closes what the last test left open, while everything that the program needs still exists.
    struct AtTheEnd : ::testing::Environment {
        void TearDown() override { open_.close(); }
    };
    static Open open_;
    static ::testing::Environment* const at_the_end_;
};

}  // namespace frames
