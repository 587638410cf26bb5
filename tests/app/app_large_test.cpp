// Large matrices in use: zooming, panning, the lens, finding tokens.

#include "tests/app/app_fixture.h"

namespace app {
namespace {

constexpr int kTokens = 1024;

class LargeFrame : public AppFrame {
protected:
    void SetUp() override {
        AppFrame::SetUp();
        if (!app_) return;
        std::string text;
        for (int i = 0; i < kTokens; ++i) text += i % 200 == 119 ? "lighthouse " : i % 2 ? "cat " : "the ";
        attn::Document doc;
        doc.text = text;
        doc.weights = "random";
        doc.config.mask = "causal";
        app_->apply(becomes(doc));
        app_->finish();
        const attn::Trace& trace = app_->derived().run->trace;
        app_->apply(GoToStop{stop_of(app_->derived().timeline, trace, attn::find_id(trace, {attn::Role::Scores})), 1});
        settle();
    }
    void settle() {
        for (int i = 0; i < 50; ++i) {
            frame(1);
            if (!app_->gathers()) return;
            app_->finish();
        }
        ADD_FAILURE() << "the picture is never ready";
    }
    const ViewState& view() { return app_->state().view; }
    void wheel(Point at, float notches) {
        gui::inject_mouse_pos(at);
        frame(2);
        gui::inject_wheel(0, notches);
        frame(3);
    }
};

TEST_F(LargeFrame, TheWheelZoomsAtThePointerAndADragMoves) {
    const Rect map = rect_of(frame_with("cell_map"), "cell_map");
    for (int i = 0; i < 12; ++i) wheel(map.center(), 1);
    EXPECT_GT(view().map.zoom, 8);
    EXPECT_NEAR(view().map.row, 0.5f, 0.02f);
    const MapLook before = view().map;
    drag(map.center(), map.center() + Point{80, 40});
    EXPECT_EQ(view().map.zoom, before.zoom);
    EXPECT_LT(view().map.row, before.row);
    EXPECT_LT(view().map.col, before.col);
    EXPECT_FALSE(view().pinned) << "a drag is no click";
    press(gui::Key::Digit0);
    EXPECT_EQ(view().map, MapLook{});
}

TEST_F(LargeFrame, KeysAndButtonsZoomUntilNumbersAppear) {
    for (int i = 0; i < 30; ++i) press(gui::Key::Plus);
    const float closest = view().map.zoom;
    press(gui::Key::Plus);
    EXPECT_EQ(view().map.zoom, closest);
    press(gui::Key::Minus);
    EXPECT_LT(view().map.zoom, closest);
    press(gui::Key::Escape);
    EXPECT_EQ(view().map.zoom, 1);
    click("map_plus");
    EXPECT_GT(view().map.zoom, 1);
    click("map_minus");
    EXPECT_EQ(view().map.zoom, 1);
}

TEST_F(LargeFrame, ADoubleClickZoomsInAndOut) {
    const Point at = middle("cell_map");
    const auto twice = [&] {
        gui::inject_mouse_pos(at);
        frame();
        for (const bool down : {true, false, true, false}) {
            gui::inject_mouse_button(0, down);
            frame(2);
        }
    };
    twice();
    EXPECT_GT(view().map.zoom, 2);
    for (int i = 0; i < 60; ++i) frame(1);  // the next click does not count as a third one
    twice();
    EXPECT_EQ(view().map.zoom, 1);
}

TEST_F(LargeFrame, TheLensShowsWhereCellsAreTooSmall) {
    EXPECT_FALSE(shows("lens"));
    gui::inject_mouse_pos(middle("cell_map"));
    EXPECT_TRUE(shows("lens"));
    const FrameLog log = frame();
    const auto& focus = app_->derived().focus;
    ASSERT_TRUE(focus);
    const std::string number = std::to_string(focus->row + 1);
    EXPECT_TRUE(std::any_of(log.labels.begin(), log.labels.end(),
                            [&](const LabelRect& label) { return label.text.starts_with(number + " "); }));
    for (int i = 0; i < 30; ++i) wheel(middle("cell_map"), 1);
    EXPECT_FALSE(shows("lens")) << "numbers stand in the cells";
}

TEST_F(LargeFrame, AClickPinsTheCellUnderThePointer) {
    const Rect map = rect_of(frame_with("cell_map"), "cell_map");
    const Point at{map.x + map.w * 0.25f, map.y + map.h * 0.75f};
    drag(at, at);
    ASSERT_TRUE(view().pinned);
    EXPECT_NEAR(view().pinned->row, kTokens * 0.75, 3);
    EXPECT_NEAR(view().pinned->col, kTokens * 0.25, 3);
}

TEST_F(LargeFrame, ATokenIsFoundAndShown) {
    key_with_ctrl(gui::Key::F);
    frame(3);
    type("Lighthouse");
    EXPECT_EQ(app_->derived().found.count(), 5);
    EXPECT_TRUE(shows("find_0"));
    press(gui::Key::Enter);
    ASSERT_TRUE(view().pinned);
    EXPECT_EQ(view().pinned->row, 119);
    EXPECT_GT(view().map.zoom, 10);
    press(gui::Key::Enter);
    EXPECT_EQ(view().pinned->row, 319);
    EXPECT_EQ(view().search.at, 1);
    click("find_back");
    EXPECT_EQ(view().pinned->row, 119);
    click("find_2");
    EXPECT_EQ(view().pinned->row, 519);
    click("find_close");
    EXPECT_FALSE(view().search.open);
    EXPECT_EQ(app_->derived().found.count(), 0);
}

TEST_F(LargeFrame, EveryEnterContinuesImmediately) {
    key_with_ctrl(gui::Key::F);
    frame(3);
    gui::inject_text("Lighthouse");  // and Enter in the same frame
    for (int tap = 0; tap < 3; ++tap)
        for (const bool down : {true, false}) {
            gui::inject_key(gui::Key::Enter, down);
            frame(1);
        }
    ASSERT_TRUE(view().pinned);
    EXPECT_EQ(view().search.at, 2);
    EXPECT_EQ(view().pinned->row, 519);
    EXPECT_FALSE(shows("number")) << "Enter is the search's until its field has the keyboard again";
    for (const gui::Key key : {gui::Key::Enter, gui::Key::Escape})
        for (const bool down : {true, false}) {
            gui::inject_key(key, down);
            frame(1);
        }
    frame();
    EXPECT_FALSE(view().search.open) << "so is Escape";
}

TEST_F(LargeFrame, ARowIsFoundByItsNumber) {
    key_with_ctrl(gui::Key::G);
    frame(3);
    type("700");
    EXPECT_EQ(view().search.text, "700");
    EXPECT_TRUE(app_->derived().found.by_number);
    press(gui::Key::Enter);
    ASSERT_TRUE(view().pinned);
    EXPECT_EQ(view().pinned->row, 699);
    EXPECT_NEAR(view().map.row, 699.5f / kTokens, 0.001f);
    type("0");  // "7000": there is none
    press(gui::Key::Enter);
    EXPECT_EQ(view().pinned->row, 699);
    press(gui::Key::Escape);
    EXPECT_FALSE(view().search.open);
}

TEST_F(LargeFrame, PoolingIsASwitchOfKeyAndLegend) {
    press(gui::Key::X);
    EXPECT_EQ(view().pooling, Pooling::Largest);
    click("pooling");
    EXPECT_EQ(view().pooling, Pooling::Mean);
}

TEST_F(LargeFrame, AnotherTextIsShownWholeFirst) {
    press(gui::Key::Plus);
    EXPECT_GT(view().map.zoom, 1);
    attn::Document doc = app_->state().document;
    doc.text = "the cat";
    app_->apply(becomes(doc));
    EXPECT_EQ(view().map, MapLook{});
}

TEST_F(LargeFrame, PresentingShowsTheMapAsWell) {
    press(gui::Key::F5);
    settle();
    ASSERT_TRUE(view().present.on);
    EXPECT_TRUE(shows("cell_map"));
}

class LargeMask : public LargeFrame {
protected:
    void SetUp() override {
        LargeFrame::SetUp();
        if (!app_) return;
        const attn::Trace& trace = app_->derived().run->trace;
        app_->apply(GoToStop{stop_of(app_->derived().timeline, trace, attn::find_id(trace, {attn::Role::Masked})), 1});
        settle();
    }
    const attn::Matrix& painted() { return app_->state().document.mask_pattern; }
    void draw(Point from, Point to) {
        drag(from, to);
        app_->finish();
        settle();
    }
    Point at(float across, float down) {
        const Rect map = rect_of(frame_with("cell_map"), "cell_map");
        return {map.x + map.w * across, map.y + map.h * down};
    }
};

TEST_F(LargeMask, ARectangleIsPaintedOnTheMap) {
    draw(at(0.5f, 0.2f), at(0.7f, 0.4f));
    ASSERT_EQ(painted().rows(), kTokens);
    const attn::Matrix causal = painted();
    EXPECT_EQ(causal(kTokens * 3 / 10, kTokens * 6 / 10), 1) << "it was masked";
    EXPECT_EQ(causal(kTokens * 1 / 10, kTokens * 6 / 10), 0);
    EXPECT_FALSE(view().pinned);
    app_->apply(Undo{});
    EXPECT_EQ(painted().size(), 0);
}

TEST_F(LargeMask, AClickOnTheNamesSelectsTheWholeRow) {
    const Point row = at(0, 0.5f) - Point{20, 0};
    draw(row, row);
    ASSERT_EQ(painted().rows(), kTokens);
    const auto masked = [&](int r) {
        return (painted().row(r).array() == 0).all() || (painted().row(r).array() != 0).all();
    };
    int whole = 0;
    for (int r = kTokens / 2 - 4; r < kTokens / 2 + 4; ++r) whole += masked(r);
    EXPECT_EQ(whole, 1);
}

TEST_F(LargeMask, WithShiftADragMovesTheMapAndPaintsNothing) {
    for (int i = 0; i < 12; ++i) wheel(at(0.5f, 0.5f), 1);
    const MapLook before = view().map;
    gui::inject_key(gui::Key::Shift, true);
    draw(at(0.5f, 0.5f), at(0.6f, 0.6f));
    gui::inject_key(gui::Key::Shift, false);
    frame();
    EXPECT_EQ(painted().size(), 0);
    EXPECT_LT(view().map.row, before.row);
    EXPECT_EQ(view().map.zoom, before.zoom);
}

TEST_F(LargeFrame, NothingMovesWithoutInput) {
    settle();
    frame(5);
    EXPECT_FALSE(app_->wants_frame());
}

TEST(Find, TokensByTheirLettersAndRowsByTheirNumber) {
    AxisLabels labels;
    labels.tokens = {"The", "cat", "the", "42", "Cathedral"};
    labels.source_tokens = {"猫", "cat"};
    EXPECT_EQ(find_tokens(labels, "").count(), 0);
    EXPECT_EQ(find_tokens(labels, "the").tokens, (std::vector<int>{0, 2, 4}));
    EXPECT_EQ(find_tokens(labels, "CAT").tokens, (std::vector<int>{1, 4}));
    EXPECT_EQ(find_tokens(labels, "CAT").source, std::vector<int>{1});
    EXPECT_EQ(find_tokens(labels, "猫").source, std::vector<int>{0});
    EXPECT_FALSE(find_tokens(labels, "42").by_number) << "a token comes before a row";
    EXPECT_EQ(find_tokens(labels, "5").tokens, std::vector<int>{4});
    EXPECT_TRUE(find_tokens(labels, "5").by_number);
    EXPECT_EQ(find_tokens(labels, ":2").tokens, std::vector<int>{1});
    for (const char* wrong : {":0", ":6", ":-1", ":2x", ":99999999999999"})
        EXPECT_TRUE(find_tokens(labels, wrong).tokens.empty()) << wrong;
    EXPECT_EQ(find_tokens(labels, "dog").count(), 0);
}

}  // namespace
}  // namespace app
