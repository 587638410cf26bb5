// From the flow into a matrix and back: the state in between.

#include <gtest/gtest.h>

#include "tests/app/state_fixture.h"

namespace {

using namespace app;
using app_test::Bench;
using attn::Role;

void show(Bench& b, Screen screen, bool still = false) {
    ViewState view = b.state.view;
    view.screen = screen;
    view.still = still;
    b.act(becomes(view));
}

TEST(FlowState, EnteringPinsTheCellAndEndsOnItsStage) {
    Bench b;
    show(b, Screen::Flow);
    const CellRef cell{{Role::Weights}, 2, 1};
    b.act(EnterMatrix{cell});
    EXPECT_EQ(b.state.view.screen, Screen::Flow);
    ASSERT_TRUE(b.state.view.passage);
    EXPECT_EQ(b.state.view.pinned, cell);
    EXPECT_EQ(b.state.view.playhead.tag, cell.tag);
    double last = 0;
    int frames = 0;
    while (b.state.view.passage && ++frames < 100) {
        b.act(Advance{0.05});
        if (!b.state.view.passage) break;
        EXPECT_GT(b.state.view.passage->passed, last);
        last = b.state.view.passage->passed;
    }
    EXPECT_EQ(b.state.view.screen, Screen::Stage);
    EXPECT_LT(frames, 100);
}

TEST(FlowState, LeavingReturnsToTheWholePicture) {
    Bench b;
    b.act(LeaveMatrix{});
    EXPECT_EQ(b.state.view.screen, Screen::Flow);
    ASSERT_TRUE(b.state.view.passage);
    for (int i = 0; i < 20; ++i) b.act(Advance{0.1});
    EXPECT_FALSE(b.state.view.passage);
    EXPECT_EQ(b.state.view.screen, Screen::Flow);
    b.act(LeaveMatrix{});  // it is not on the stage: nothing to leave
    EXPECT_FALSE(b.state.view.passage);
}

TEST(FlowState, WithoutMotionItIsImmediate) {
    Bench b;
    show(b, Screen::Flow, true);
    b.act(EnterMatrix{CellRef{{Role::Scores}, 0, 0}});
    EXPECT_EQ(b.state.view.screen, Screen::Stage);
    EXPECT_FALSE(b.state.view.passage);
    b.act(LeaveMatrix{});
    EXPECT_EQ(b.state.view.screen, Screen::Flow);
    EXPECT_FALSE(b.state.view.passage);
}

TEST(FlowState, MissingMatricesAreNotEntered) {
    Bench b;
    show(b, Screen::Flow);
    b.act(EnterMatrix{CellRef{{Role::Drawn}, 0, 0}});
    EXPECT_EQ(b.state.view.screen, Screen::Flow);
    EXPECT_FALSE(b.state.view.passage);
}

TEST(FlowState, AnotherScreenEndsTheTransition) {
    Bench b;
    show(b, Screen::Flow);
    b.act(EnterMatrix{CellRef{{Role::Weights}, 0, 0}});
    show(b, Screen::Compare);
    EXPECT_FALSE(b.state.view.passage);
    b.act(Advance{5});
    EXPECT_EQ(b.state.view.screen, Screen::Compare);
}

TEST(FlowState, ZoomingStaysOnThePicture) {
    Bench b;
    ViewState view = b.state.view;
    view.flow = {100, -3, 9};
    b.act(becomes(view));
    const FlowLook& look = b.state.view.flow;
    EXPECT_EQ(look.zoom, kMaxFlowZoom);
    EXPECT_FLOAT_EQ(look.x, 0.5f / kMaxFlowZoom);
    EXPECT_FLOAT_EQ(look.y, 1 - 0.5f / kMaxFlowZoom);
    view.flow = {0.2f, 0.9f, 0.9f};
    b.act(becomes(view));
    EXPECT_EQ(b.state.view.flow, FlowLook{});
}

/// The word chosen as the query is forgotten when the text changes.
TEST(FlowState, AnotherTextResetsTheQuery) {
    Bench b(app_test::document_of("the tired cat", 2));
    show(b, Screen::Flow);
    b.act(ChangeView{[](ViewState& v) { v.flow.follow(2); }});
    EXPECT_EQ(b.state.view.flow.followed, 2);
    EXPECT_TRUE(b.state.view.flow.moves()) << "the picture swings there";
    for (int i = 0; i < 10; ++i) b.act(Advance{0.1});
    EXPECT_FALSE(b.state.view.flow.moves());
    b.act(EditDocument{[](attn::Document& d) { d.config.mask = "causal"; }});
    EXPECT_EQ(b.state.view.flow.followed, 2) << "the same words";
    b.act(EditDocument{[](attn::Document& d) { d.text = "a bird sang"; }});
    EXPECT_EQ(b.state.view.flow.followed, -1);
}

void fan(Bench& b, bool on) {
    ViewState view = b.state.view;
    view.flow.fan = on;
    b.act(becomes(view));
}

TEST(FlowState, HeadsFanOutAndReturn) {
    Bench b(app_test::document_of("the tired cat", 4));
    show(b, Screen::Flow);
    fan(b, true);
    EXPECT_EQ(b.state.view.flow.fanned, 0);
    EXPECT_TRUE(b.state.view.flow.moves());
    double last = 0;
    int frames = 0;
    while (b.state.view.flow.moves() && ++frames < 100) {
        b.act(Advance{0.05});
        EXPECT_GT(b.state.view.flow.fanned, last);
        last = b.state.view.flow.fanned;
    }
    EXPECT_EQ(b.state.view.flow.fanned, 1);
    EXPECT_GT(frames, 3);
    fan(b, false);
    b.act(ChooseHead{2});
    for (int i = 0; i < 40; ++i) b.act(Advance{0.05});
    EXPECT_EQ(b.state.view.flow.fanned, 0);
    EXPECT_EQ(b.state.view.head, 2);
}

TEST(FlowState, WithoutMotionHeadsAreSideBySideAtOnce) {
    Bench b(app_test::document_of("the tired cat", 4));
    show(b, Screen::Flow, true);
    fan(b, true);
    EXPECT_EQ(b.state.view.flow.fanned, 1);
    EXPECT_FALSE(b.state.view.flow.moves());
    fan(b, false);
    EXPECT_EQ(b.state.view.flow.fanned, 0);
}

attn::Document stack(int layers, int heads) {
    attn::Document doc = app_test::document_of("the tired cat", heads);
    attn::choose_form(doc, "encoder");
    doc.config.heads = heads;
    doc.config.layers = layers;
    return doc;
}

int place_of_tag(const Bench& b, attn::Tag tag) {
    return flow_place_of(b.derived.places, b.derived.timeline, stop_of(b.derived.timeline, b.derived.run->trace, tag));
}

TEST(FlowState, TheCameraMovesToTheWholeAndIntoAnotherPlace) {
    Bench b(stack(3, 2));
    show(b, Screen::Flow);
    const int first = b.derived.place;
    b.act(LookAt{first, whole_of(b.derived.map, first)});
    ASSERT_TRUE(b.state.view.flow.moves());
    float last = 1;
    while (b.state.view.flow.moves()) {
        b.act(Advance{0.05});
        EXPECT_LT(b.state.view.flow.zoom, last);
        last = b.state.view.flow.zoom;
    }
    EXPECT_FLOAT_EQ(last, b.derived.map.least_zoom());
    const FlowCamera whole = b.state.view.flow;
    b.act(LookAt{2});
    EXPECT_EQ(b.derived.place, 2) << "the playhead goes along";
    EXPECT_EQ(b.state.view.flow.camera(), moved_to(b.derived.map, whole, first, 2)) << "and nothing moves yet";
    for (int i = 0; i < 40; ++i) b.act(Advance{0.05});
    EXPECT_FALSE(b.state.view.flow.moves());
    EXPECT_EQ(b.state.view.flow.camera(), FlowCamera{});
}

TEST(FlowState, WithoutMotionTheCameraIsImmediate) {
    Bench b(stack(3, 2));
    show(b, Screen::Flow, true);
    b.act(LookAt{1, whole_of(b.derived.map, 1)});
    EXPECT_FALSE(b.state.view.flow.moves());
    EXPECT_FLOAT_EQ(b.state.view.flow.zoom, b.derived.map.least_zoom());
    b.act(LookAt{1});
    EXPECT_EQ(b.state.view.flow.camera(), FlowCamera{});
}

TEST(FlowState, LeavingTheStageContinuesTheCamera) {
    Bench b(stack(3, 2));
    show(b, Screen::Flow);
    b.act(EnterMatrix{CellRef{{Role::Weights, 0, 1}, 1, 0}});
    for (int i = 0; i < 20; ++i) b.act(Advance{0.1});
    ASSERT_EQ(b.state.view.screen, Screen::Stage);
    EXPECT_TRUE(b.state.view.flow.entered);
    EXPECT_EQ(b.derived.place, place_of_tag(b, {Role::Weights, 0, 1}));
    b.act(LookAt{b.derived.place, whole_of(b.derived.map, b.derived.place)});
    EXPECT_EQ(b.state.view.screen, Screen::Flow);
    EXPECT_FALSE(b.state.view.flow.entered);
    b.act(Advance{0.1});
    EXPECT_EQ(b.state.view.flow.zoom, 1) << "first the way back";
    for (int i = 0; i < 40; ++i) b.act(Advance{0.1});
    EXPECT_FLOAT_EQ(b.state.view.flow.zoom, b.derived.map.least_zoom());
}

TEST(FlowState, TheMapIsBuiltOncePerRun) {
    Bench b(stack(3, 2));
    show(b, Screen::Flow);
    const int made = b.deriver.made().at("map");
    b.act(LookAt{0, whole_of(b.derived.map, 0)});
    for (int i = 0; i < 30; ++i) b.act(Advance{0.05});
    b.act(LookAt{2});
    for (int i = 0; i < 30; ++i) b.act(Advance{0.05});
    EXPECT_EQ(b.deriver.made().at("map"), made);
}

}  // namespace
