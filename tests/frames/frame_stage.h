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
    void TearDown() override { close(); }

    /// The program anew, in a fresh context: nothing is left of what was drawn before.
    void reopen();
    /// The document, its step, the pin, the look; not the size.
    void show(const FrameCase& frame);
    /// A key, down and up, seen by frames of this size.
    void enter(const app::CellRef& cell);
    void press(app::gui::Key key, app::Size size);
    app::gfx::Image render(app::Size size);
    /// What is drawn inside `part` of the frame, drawn until nothing changes any more.
    Record record(app::Size size, app::Rect part);
    Record record(app::Size size) { return record(size, {0, 0, size.w, size.h}); }
    /// Labels of the frame, drawn until nothing changes any more.
    std::vector<app::LabelRect> labels(app::Size size);

    app::App& program() { return *app_; }
    const attn::Trace& trace() const { return app_->derived().run->trace; }

private:
    void close();

    std::optional<app::gfx::Offscreen> context_;  // before the program: everything made in it must go first
    std::unique_ptr<app::App> app_;
};

}  // namespace frames
