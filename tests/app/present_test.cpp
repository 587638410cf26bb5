// Presenting: with only a clicker, the dark screen, the pen, and that leaving restores everything.

#include <gtest/gtest.h>

#include <algorithm>

#include "app/panels/notes.h"
#include "tests/app/app_fixture.h"
#include "tests/app/state_fixture.h"

namespace {

using namespace app;
using app_test::Bench;
using attn::Role;

TEST(Clicker, PlaysOneMotionAndStops) {
    Bench b;
    b.act(GoToStop{0, 1});
    b.act(PlayNext{});
    EXPECT_TRUE(b.state.view.playing);
    EXPECT_EQ(b.derived.pose.stop, 1);
    EXPECT_EQ(b.derived.pose.progress, 0);
    for (int i = 0; i < 200 && b.state.view.playing; ++i) b.act(Advance{0.1});
    EXPECT_FALSE(b.state.view.playing);
    EXPECT_EQ(b.derived.pose.stop, 1) << "it does not run on";
    EXPECT_EQ(b.derived.pose.progress, 1);
}

TEST(Clicker, SkipsARunningMotionToItsEnd) {
    Bench b;
    b.act(GoToStop{0, 1});
    b.act(PlayNext{});
    b.act(Advance{0.1});
    b.act(PlayNext{});
    EXPECT_FALSE(b.state.view.playing);
    EXPECT_EQ(b.derived.pose.stop, 1);
    EXPECT_EQ(b.derived.pose.progress, 1);
}

TEST(Clicker, StaysAtTheEnd) {
    Bench b;
    const auto last = static_cast<int>(b.derived.timeline.stops.size()) - 1;
    b.act(GoToStop{last, 1});
    b.act(PlayNext{});
    EXPECT_FALSE(b.state.view.playing);
    EXPECT_EQ(b.derived.pose.stop, last);
    EXPECT_EQ(b.derived.pose.progress, 1);
}

TEST(Clicker, ContinuousPlaybackAfterAStepRunsThrough) {
    Bench b;
    b.act(GoToStop{0, 1});
    b.act(PlayNext{});
    b.act(Play{true});
    for (int i = 0; i < 200; ++i) b.act(Advance{0.1});
    EXPECT_GT(b.derived.pose.stop, 1);
}

class Room : public AppFrame {
protected:
    const Presentation& now() const { return app_->state().view.present; }
};

TEST_F(Room, LeavingRestoresEverything) {
    show("the tired cat", "none", {Role::Scores});
    click("cell_1_1");
    end_motion();
    const ViewState before = app_->state().view;
    ASSERT_TRUE(before.pinned);
    press(gui::Key::F5);
    EXPECT_TRUE(now().on);
    EXPECT_TRUE(app_->state().view.full_screen);
    EXPECT_FALSE(shows("text")) << "no panels";
    press(gui::Key::S);
    press(gui::Key::Escape);
    EXPECT_FALSE(app_->state().view.quit);
    ViewState after = app_->state().view;
    after.pointed = before.pointed;
    EXPECT_EQ(after, before);
    EXPECT_TRUE(shows("text"));
}

TEST_F(Room, EscapeFirstEndsTheDarkScreen) {
    show("the tired cat", "none", {Role::Scores});
    press(gui::Key::F5);
    press(gui::Key::Period);
    EXPECT_TRUE(now().blank);
    const int stop = app_->derived().pose.stop;
    press(gui::Key::PageDown);
    EXPECT_FALSE(now().blank);
    EXPECT_EQ(app_->derived().pose.stop, stop) << "the click that lights the screen does nothing else";
    press(gui::Key::B);
    press(gui::Key::Escape);
    EXPECT_FALSE(now().blank);
    EXPECT_TRUE(now().on);
    press(gui::Key::Escape);
    EXPECT_FALSE(now().on);
    EXPECT_FALSE(app_->state().view.quit);
}

TEST_F(Room, AClickerIsEnoughForTheWalk) {
    show("the tired cat", "none", {Role::Embeddings});
    app_->apply(GoToStop{0, 1});
    press(gui::Key::F5);
    const auto stops = static_cast<int>(app_->derived().timeline.stops.size());
    for (int stop = 1; stop < stops; ++stop) {
        press(gui::Key::PageDown);
        EXPECT_EQ(app_->derived().pose.stop, stop);
        press(gui::Key::PageDown);  // to the end of its motion
        EXPECT_EQ(app_->derived().pose.progress, 1);
    }
    press(gui::Key::PageUp);
    EXPECT_EQ(app_->derived().pose.stop, stops - 2);
    EXPECT_EQ(app_->derived().pose.progress, 1);
}

TEST_F(Room, OtherKeysOfTheTableStillWork) {
    show("the tired cat", "none", {Role::Scores});
    press(gui::Key::F5);
    const bool shared = app_->state().view.shared_scale;
    press(gui::Key::C);
    EXPECT_NE(app_->state().view.shared_scale, shared);
    press(gui::Key::F10);
    EXPECT_EQ(app_->state().view.screen, Screen::Heads);
    press(gui::Key::F2);
    press(gui::Key::F1);
    EXPECT_EQ(app_->state().view.sheet, Sheet::Keys);
    press(gui::Key::Escape);
    EXPECT_EQ(app_->state().view.sheet, Sheet::None);
    EXPECT_TRUE(now().on) << "Escape closed the sheet, not the room";
    press(gui::Key::F5);
    EXPECT_FALSE(now().on);
}

TEST_F(Room, DeleteErasesThePenAndNoNumber) {
    show("the tired cat", "none", {Role::Embeddings});
    click("cell_0_0");
    press(gui::Key::Enter);
    type("0.5");
    press(gui::Key::Enter);
    ASSERT_FALSE(app_->state().document.edits.empty());
    press(gui::Key::F5);
    press(gui::Key::Delete);
    EXPECT_FALSE(app_->state().document.edits.empty());
}

/// Messages appear at the bottom, below the picture, one at a time, and disappear without a click.
TEST_F(Room, NotesCoverNoPictureAndDisappear) {
    show("the tired cat", "none", {Role::Scores});
    press(gui::Key::F5);
    app_->apply(ChangeView{[](ViewState& v) {
        v.notice = "a file could not be read";
        v.done = "copied";
    }});
    EXPECT_FALSE(app_->due_in());
    for (const std::string_view said : {"a file could not be read", "copied"}) {
        const FrameLog log = frame(1);
        const Rect note = rect_of(log, "note0");
        EXPECT_FALSE(has(log, "note1")) << "one at a time";
        EXPECT_TRUE(std::any_of(log.labels.begin(), log.labels.end(), [&](const LabelRect& l) { return l.text == said; })) << said;
        for (const WidgetRect& widget : log.widgets)
            if (widget.id.starts_with("cell_")) {
                EXPECT_FALSE(widget.rect.overlaps(note)) << widget.id;
            }
        ASSERT_TRUE(app_->due_in());
        EXPECT_NEAR(*app_->due_in(), kPresentedNote, 0.1);
        app_->build_frame(kSize, kPresentedNote - 1);
        EXPECT_TRUE(shows("note0"));
        app_->build_frame(kSize, 1);
    }
    EXPECT_FALSE(shows("note0"));
    EXPECT_FALSE(app_->due_in());
    EXPECT_TRUE(app_->state().view.notice.empty());
}

TEST_F(Room, ThePenDrawsAndPressesNothingElse) {
    show("the tired cat", "none", {Role::Scores});
    press(gui::Key::F5);
    const Point from = middle("cell_0_0"), to = middle("cell_2_2");
    press(gui::Key::P);
    drag(from, to);
    ASSERT_EQ(now().strokes.size(), 1u);
    EXPECT_GE(now().strokes.front().size(), 2u);
    EXPECT_FALSE(app_->state().view.pinned) << "the pen writes on the picture, it does not touch it";
    press(gui::Key::Backspace);
    EXPECT_TRUE(now().strokes.empty());
}

}  // namespace
