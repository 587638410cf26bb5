// The backward pass by keyboard: starting it, stepping through it and leaving it.

#include "app/frame/view.h"
#include "tests/app/app_fixture.h"

namespace app {
namespace {

using attn::Role;

class AppGradient : public AppFrame {
protected:
    const ViewState& view() { return app_->state().view; }
    const attn::Document& document() { return app_->state().document; }
    attn::Tag shown() { return app_->derived().run->trace[app_->derived().pose.step].tag; }
};

TEST_F(AppGradient, AKeyRequestsThePinnedNumbersGradientAndLeavesIt) {
    show("the tired cat", "none", {Role::Scores});
    app_->apply(Pin{CellRef{{Role::Scores}, 1, 2}});
    frame();
    press(gui::Key::G);
    ASSERT_TRUE(document().gradient);
    EXPECT_EQ(*document().gradient, (attn::GradientOf{false, {Role::Scores}, 1, 2}));
    EXPECT_EQ(shown(), attn::Tag{Role::Scores}.of_pass(1));
    EXPECT_TRUE(view().playing);
    for (int i = 0; i < 1500 && view().playing; ++i) app_->build_frame(kSize, 0.05);
    EXPECT_EQ(app_->derived().pose.stop, static_cast<int>(app_->derived().timeline.stops.size()) - 1);
    EXPECT_EQ(shown().role, Role::Embeddings) << "the way back ends at the tokens";
    press(gui::Key::G);
    EXPECT_FALSE(document().gradient);
    EXPECT_EQ(shown(), attn::Tag{Role::Embeddings});
}

TEST_F(AppGradient, EscapeAndUndoLeaveItAndALinkOpensIt) {
    show("the tired cat", "none", {Role::Scores});
    app_->apply(Pin{CellRef{{Role::Scores}, 0, 1}});
    click("drawer_cell");  // the inspector is folded to its handle
    click("gradient");
    ASSERT_TRUE(document().gradient);
    press(gui::Key::Escape);
    EXPECT_FALSE(document().gradient);
    app_->apply(Pin{CellRef{{Role::Scores}, 0, 1}});
    frame();
    press(gui::Key::G);
    ASSERT_TRUE(document().gradient);
    key_with_ctrl(gui::Key::Z);
    EXPECT_FALSE(document().gradient);
}

TEST_F(AppGradient, GradientsCannotBeTypedOver) {
    show("the tired cat", "none", {Role::Scores});
    app_->apply(Pin{CellRef{{Role::Scores}, 1, 2}});
    frame();
    press(gui::Key::G);
    app_->apply(Play{false});
    app_->apply(Pin{CellRef{attn::Tag{Role::Embeddings}.of_pass(1), 0, 0}});
    frame();
    press(gui::Key::Enter);
    EXPECT_FALSE(shows("number"));
    EXPECT_FALSE(shows("type_over"));
}

}  // namespace
}  // namespace app
