// Study, present, inspect: one switch, and nothing lost between them.

#include "app/views/uses.h"

#include "app_fixture.h"

namespace app {
namespace {

class Uses : public AppFrame {
protected:
    const ViewState& view() { return app_->state().view; }
    Use use() { return use_of(view()); }
};

TEST_F(Uses, OneSwitchForAllThree) {
    show("the tired cat", "none", {attn::Role::Scores});
    EXPECT_EQ(use(), Use::Inspect);
    key_with_ctrl(gui::Key::Digit1);
    frame();
    EXPECT_EQ(use(), Use::Study);
    EXPECT_TRUE(view().study.open());
    key_with_ctrl(gui::Key::Digit2);
    EXPECT_EQ(use(), Use::Present);
    EXPECT_TRUE(view().study.open()) << "the chapter is presented";
    key_with_ctrl(gui::Key::Digit1);
    EXPECT_EQ(use(), Use::Study);
    key_with_ctrl(gui::Key::Digit3);
    EXPECT_EQ(use(), Use::Inspect);
    EXPECT_FALSE(view().present.on);
}

TEST_F(Uses, StudyingGoesOnWhereItWasLeft) {
    show("the tired cat", "none", {attn::Role::Scores});
    key_with_ctrl(gui::Key::Digit1);
    app_->apply(StudyAction{TurnPage{2}});
    app_->finish();
    frame();
    const std::string lesson = view().study.lesson;
    const int page = view().study.page;
    EXPECT_EQ(page, 2);
    key_with_ctrl(gui::Key::Digit3);
    EXPECT_FALSE(view().study.open());
    key_with_ctrl(gui::Key::Digit1);
    EXPECT_EQ(view().study.lesson, lesson);
    EXPECT_EQ(view().study.page, page);
}

}  // namespace
}  // namespace app
