// Replaying the motion of a step, beginning with the clicked cell.

#include <gtest/gtest.h>

#include "tests/app/state_fixture.h"

namespace {

using namespace app;
using app_test::Bench;
using attn::Role;

TEST(Replay, PlaysTheStepOnceAndStops) {
    Bench b;
    const int stop = stop_of(b.derived.timeline, b.derived.run->trace, attn::Tag{Role::Scores});
    ASSERT_GE(stop, 0);
    b.act(GoToStop{stop, 1});
    b.act(Pin{CellRef{{Role::Scores}, 2, 1}});
    b.act(Replay{});
    EXPECT_EQ(b.state.view.playhead.progress, 0);
    EXPECT_TRUE(b.state.view.playing);
    int frames = 0;
    while (b.state.view.playing && ++frames < 1000) b.act(Advance{0.05});
    EXPECT_LT(frames, 1000);
    EXPECT_GT(frames, 20);
    EXPECT_EQ(b.derived.pose.stop, stop);
    EXPECT_EQ(b.state.view.playhead.progress, 1);
    EXPECT_EQ(b.state.view.pinned, (CellRef{{Role::Scores}, 2, 1}));
}

TEST(Replay, WithoutMotionNothingMoves) {
    Bench b;
    ViewState view = b.state.view;
    view.still = true;
    b.act(becomes(view));
    b.act(StepBy{2});
    b.act(Replay{});
    EXPECT_FALSE(b.state.view.playing);
    EXPECT_EQ(b.state.view.playhead.progress, 1);
}

}  // namespace
