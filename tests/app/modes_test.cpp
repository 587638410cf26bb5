// Study, present, inspect: one switch, and nothing is lost between them.

#include "app/panels/modes.h"

#include "app/state/course.h"
#include "tests/app/app_fixture.h"

namespace app {
namespace {

class Modes : public AppFrame {
protected:
    const ViewState& view() { return app_->state().view; }
    Mode mode() { return mode_of(view()); }
};

TEST_F(Modes, OneSwitchForAllThree) {
    show("the tired cat", "none", {attn::Role::Scores});
    EXPECT_EQ(mode(), Mode::Inspect);
    key_with_ctrl(gui::Key::Digit1);
    frame();
    EXPECT_EQ(mode(), Mode::Study);
    EXPECT_TRUE(view().course.open());
    key_with_ctrl(gui::Key::Digit2);
    EXPECT_EQ(mode(), Mode::Present);
    EXPECT_TRUE(view().course.open()) << "the chapter is presented";
    key_with_ctrl(gui::Key::Digit1);
    EXPECT_EQ(mode(), Mode::Study);
    key_with_ctrl(gui::Key::Digit3);
    EXPECT_EQ(mode(), Mode::Inspect);
    EXPECT_FALSE(view().present.on);
}

TEST_F(Modes, StudyingResumesWhereItWasLeft) {
    show("the tired cat", "none", {attn::Role::Scores});
    key_with_ctrl(gui::Key::Digit1);
    app_->apply(CourseAction{TurnPage{2}});
    app_->finish();
    frame();
    const std::string chapter = view().course.chapter;
    const int page = view().course.page;
    EXPECT_EQ(page, 2);
    key_with_ctrl(gui::Key::Digit3);
    EXPECT_FALSE(view().course.open());
    key_with_ctrl(gui::Key::Digit1);
    EXPECT_EQ(view().course.chapter, chapter);
    EXPECT_EQ(view().course.page, page);
}

}  // namespace
}  // namespace app
