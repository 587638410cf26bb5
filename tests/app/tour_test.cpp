// The tour of the window, and the card that offers it at the first start.

#include "app/frame/commands.h"
#include "tests/app/app_fixture.h"

namespace app {
namespace {

class Tour : public AppFrame {
protected:
    const ViewState& view() { return app_->state().view; }
    void begin() {
        show("the tired cat", "none", {attn::Role::Scores});
        gui::inject_key(gui::Key::Shift, true);
        press(gui::Key::F1);
        gui::inject_key(gui::Key::Shift, false);
        frame();
    }
};

TEST_F(Tour, SixPlacesAndThenTheWindow) {
    begin();
    EXPECT_EQ(view().sheet, Sheet::Tour);
    for (int stop = 0; stop < kTourStops; ++stop) {
        EXPECT_EQ(view().sheet, Sheet::Tour);
        EXPECT_EQ(view().tour, stop);
        click("tour_next");
    }
    EXPECT_EQ(view().sheet, Sheet::None);
}

TEST_F(Tour, GoesBackByKeyAndEndsByEscape) {
    begin();
    press(gui::Key::Right);
    press(gui::Key::Right);
    EXPECT_EQ(view().tour, 2);
    press(gui::Key::Left);
    EXPECT_EQ(view().tour, 1);
    const int stop = app_->derived().pose.stop;
    press(gui::Key::Escape);
    EXPECT_EQ(view().sheet, Sheet::None);
    EXPECT_EQ(app_->derived().pose.stop, stop) << "the arrows were the tour's";
}

TEST_F(Tour, AClickBesideItDoesNotEndIt) {
    begin();
    gui::inject_mouse_pos({kSize.w / 2, kSize.h - 3});
    frame();
    gui::inject_mouse_button(0, true);
    frame();
    gui::inject_mouse_button(0, false);
    frame();
    EXPECT_EQ(view().sheet, Sheet::Tour);
    EXPECT_EQ(view().tour, 0);
}

TEST_F(Tour, EnterAndSpaceContinue) {
    begin();
    press(gui::Key::Enter);
    EXPECT_EQ(view().tour, 1);
    press(gui::Key::Space);
    EXPECT_EQ(view().tour, 2);
    EXPECT_FALSE(view().playing) << "the key was the tour's";
}

TEST_F(Tour, IsOfferedUntilTheFirstAction) {
    show("the tired cat", "none", {attn::Role::Scores});
    app_->state().view.offers_tour = true;
    frame();
    EXPECT_TRUE(shows("tour_show"));
    press(gui::Key::Right);
    frame();
    EXPECT_FALSE(shows("tour_show"));
    app_->state().view.offers_tour = true;
    frame();
    click("tour_later");
    frame();
    EXPECT_FALSE(shows("tour_show"));
    app_->state().view.offers_tour = true;
    frame();
    click("tour_show");
    EXPECT_EQ(view().sheet, Sheet::Tour);
    EXPECT_FALSE(view().offers_tour);
}

TEST_F(Tour, LeadsToTheFirstChapterInstead) {
    show("the tired cat", "none", {attn::Role::Scores});
    app_->state().view.offers_tour = true;
    frame();
    click("tour_learn");
    frame();
    EXPECT_EQ(view().course.chapter, app_->state().chapters->chapters.front().id);
    EXPECT_FALSE(view().offers_tour);
    EXPECT_FALSE(shows("tour_learn"));
}

}  // namespace
}  // namespace app
