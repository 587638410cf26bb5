// Tokens as columns: pointing, typing over and painting act on the cell that is seen there.

#include <algorithm>

#include "tests/app/app_hand_fixture.h"

namespace app {
namespace {

using attn::Role;

class AppColumns : public AppHand {
protected:
    /// Switches to tokens as columns, by the key.
    void show_columns(std::string_view text, std::string_view mask, attn::Tag step) {
        show(text, mask, step);
        press(gui::Key::T);
        ASSERT_EQ(app_->state().view.convention, attn::Convention::Columns);
    }
};

TEST_F(AppColumns, TheKeyAndTheMenuTurnIt) {
    show_columns("the tired cat", "none", {Role::Scores});
    click("menu");
    click("menu.13");
    EXPECT_EQ(app_->state().view.convention, attn::Convention::Rows);
    click("menu");
    click("menu.13");
    EXPECT_EQ(app_->state().view.convention, attn::Convention::Columns);
}

/// To the right of a cell is the cell of the next row; a click there selects it.
TEST_F(AppColumns, ACellIsWhereItIsSeen) {
    show_columns("the tired cat", "none", {Role::Scores});
    const FrameLog log = frame();
    const Rect a = rect_of(log, "cell_0_0"), right = rect_of(log, "cell_1_0"), down = rect_of(log, "cell_0_1");
    EXPECT_GT(right.x, a.x);
    EXPECT_EQ(right.y, a.y);
    EXPECT_GT(down.y, a.y);
    EXPECT_EQ(down.x, a.x);
    click("cell_2_1");
    EXPECT_EQ(app_->state().view.pinned, (CellRef{{Role::Scores}, 2, 1}));
    gui::inject_key(gui::Key::Alt, true);
    press(gui::Key::Down);
    gui::inject_key(gui::Key::Alt, false);
    frame();
    EXPECT_EQ(app_->state().view.pinned, (CellRef{{Role::Scores}, 2, 2}));
}

TEST_F(AppColumns, TabGoesToTheNextOneSeen) {
    show_columns("the tired cat", "none", {Role::Scores});
    type_over_two("cell_2_0");  // the last of the first line
    ASSERT_EQ(doc().edits.size(), 2u);
    EXPECT_EQ(doc().edits[1], (attn::Edit{{Role::Scores}, 0, 1, 2}));
}

TEST_F(AppColumns, TheMaskIsPaintedWhereItIsSeen) {
    show_columns("the tired cat sat down", "causal", {Role::Masked});
    paint_rectangle();
}

/// Now the keys are left of the cells, and the queries above them.
TEST_F(AppColumns, ANameSelectsItsRowOrColumn) {
    show_columns("the tired cat", "causal", {Role::Masked});
    const FrameLog log = frame();
    const Rect above = rect_of(log, "cell_2_0"), left = rect_of(log, "cell_0_2");
    click_at({above.center().x, above.y - 12});  // the last query sees everything; a click hides everything
    ASSERT_EQ(doc().config.mask, "drawn");
    EXPECT_TRUE((doc().mask_pattern.row(2).array() == 0).all());
    EXPECT_EQ(doc().mask_pattern(1, 0), 1);
    click_at({left.x - 30, left.center().y});  // no query sees the last key; a click shows it to all
    EXPECT_TRUE((doc().mask_pattern.col(2).array() == 1).all());
}

TEST_F(AppColumns, ComparedMatricesAreTransposedAsWell) {
    show_columns("the tired cat", "none", {Role::Scores});
    press(gui::Key::F3);
    gui::inject_mouse_pos(middle("right_1_2"));
    const FrameLog log = frame();
    EXPECT_GT(rect_of(log, "left_1_0").x, rect_of(log, "left_0_0").x);
    EXPECT_GT(rect_of(log, "left_0_1").y, rect_of(log, "left_0_0").y);
    EXPECT_TRUE(std::any_of(log.labels.begin(), log.labels.end(), [](const LabelRect& label) {
        return label.text.find("tired → cat") != std::string::npos;
    }));
}

}  // namespace
}  // namespace app
