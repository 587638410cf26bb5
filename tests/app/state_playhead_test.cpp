// Actions in, state out: the playhead, and the passing of time.

#include <gtest/gtest.h>

#include "tests/app/state_fixture.h"

namespace {

using namespace app;
using app_test::Bench;
using app_test::document_of;
using attn::Role;

TEST(Update, ThePlayheadSurvivesEdits) {
    Bench b;
    b.view().playhead = {{Role::Weights}, 0.25};
    b.edit(document_of("早上好"));
    const attn::Trace& trace = b.derived.run->trace;
    EXPECT_EQ(trace[b.derived.pose.step].tag.role, Role::Weights);
    EXPECT_DOUBLE_EQ(b.view().playhead.progress, 0.25);
    // One more step back does not move it either.
    b.edit(document_of("早上好", 1, "causal"));
    EXPECT_EQ(b.derived.run->trace[b.derived.pose.step].tag.role, Role::Weights);
}

TEST(Update, StepsBothWaysAndStopAtTheEnds) {
    Bench b;
    b.act(GoToStop{0, 1});
    b.act(StepBy{-1});
    EXPECT_EQ(b.derived.pose.stop, 0);
    for (int i = 1; i <= b.last_stop(); ++i) {
        b.act(StepBy{1});
        EXPECT_EQ(b.derived.pose.stop, i);
        EXPECT_DOUBLE_EQ(b.derived.pose.progress, 1);
    }
    b.act(StepBy{1});
    EXPECT_EQ(b.derived.pose.stop, b.last_stop());
    b.act(StepBy{-b.last_stop()});
    EXPECT_EQ(b.derived.pose.stop, 0);
}

TEST(Update, SteppingPauses) {
    Bench b;
    b.act(Play{true});
    b.act(StepBy{1});
    EXPECT_FALSE(b.view().playing);
}

TEST(Update, PlayAtTheEndStartsOver) {
    Bench b;
    b.act(GoToStop{b.last_stop(), 1});
    b.act(Play{true});
    EXPECT_TRUE(b.view().playing);
    EXPECT_EQ(b.derived.pose.stop, 0);
    EXPECT_DOUBLE_EQ(b.derived.time, 0);
}

TEST(Update, PlayInTheMiddleContinues) {
    Bench b;
    b.act(GoToStop{1, 0.5});
    b.act(Play{true});
    EXPECT_EQ(b.derived.pose.stop, 1);
    EXPECT_DOUBLE_EQ(b.view().playhead.progress, 0.5);
    b.act(Play{false});
    EXPECT_FALSE(b.view().playing);
}

TEST(Update, TimePassesWhilePlayingOnly) {
    Bench b;
    b.act(GoToStop{0, 0});
    b.pass(0.05);
    EXPECT_DOUBLE_EQ(b.derived.time, 0);
    b.act(Play{true});
    b.pass(0.05);
    EXPECT_NEAR(b.derived.time, 0.05, 1 / kProgressSteps);
    b.view().speed = 2;
    b.pass(0.05);
    EXPECT_NEAR(b.derived.time, 0.15, 2 / kProgressSteps);
}

// A suspended machine, a changed clock, one frame a second: the animation continues where it stopped.
TEST(Update, AdvanceClampsALongPause) {
    Bench b;
    b.act(GoToStop{0, 0});
    b.act(Play{true});
    b.pass(1e6);
    EXPECT_LE(b.derived.time, 0.1 + 2 / kProgressSteps);  // the progress comes in chunks
    EXPECT_TRUE(b.view().playing);
}

TEST(Update, PlayingVisitsEveryStopAndEndsByItself) {
    Bench b(document_of("早上好", 1, "causal"));
    b.act(GoToStop{0, 0});
    b.act(Play{true});
    std::vector<int> seen{0};
    double time = 0;
    for (int frames = 0; b.view().playing && frames < 100'000; ++frames) {
        b.pass(1.0 / 60);
        if (b.view().playing) {  // at the very end the pause is over, and the time is that of the finished motion
            EXPECT_GE(b.derived.time, time - 1e-9);
            time = b.derived.time;
        }
        if (b.derived.pose.stop != seen.back()) seen.push_back(b.derived.pose.stop);
    }
    EXPECT_FALSE(b.view().playing);
    ASSERT_EQ(seen.size(), b.derived.timeline.stops.size());
    EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
    EXPECT_NEAR(time, b.derived.timeline.length(), 0.1);
}

TEST(Update, StillShowsEveryStepFinished) {
    Bench b;
    b.view().still = true;
    b.act(GoToStop{0, 1});
    b.act(Play{true});
    std::vector<int> seen{0};
    for (int frames = 0; b.view().playing && frames < 100'000; ++frames) {
        b.pass(1.0 / 60);
        EXPECT_DOUBLE_EQ(b.view().playhead.progress, 1);
        if (b.derived.pose.stop != seen.back()) seen.push_back(b.derived.pose.stop);
    }
    EXPECT_EQ(seen.size(), b.derived.timeline.stops.size());
}

TEST(Update, SeekGoesToATimeWithinTheTimeline) {
    Bench b;
    const double length = b.derived.timeline.length();
    for (const double time : {-1.0, 0.0, 0.7, length / 2, length - 1e-6, length, length + 9}) {
        b.act(Seek{time});
        const Pose pose = pose_at(b.derived.timeline, time);
        EXPECT_EQ(b.derived.pose.stop, pose.stop) << time;
        EXPECT_NEAR(b.derived.pose.progress, pose.progress, 1 / kProgressSteps) << time;
    }
}

TEST(Update, PlayingAndSeekingGiveTheSameMoment) {
    Bench sought, played;
    const Timeline& timeline = sought.derived.timeline;
    for (const double progress : {0.15, 0.5, 0.9, 1.0 / 3})
        for (const std::size_t stop : {std::size_t{0}, timeline.stops.size() / 2, timeline.stops.size() - 1}) {
            sought.act(Seek{time_of(timeline, static_cast<int>(stop), progress)});
            const double time = sought.derived.time;
            for (const double frame : {1.0 / 60, 1.0 / 144, 0.0371}) {
                played.act(Seek{std::max(0.0, time - 0.4)});
                played.act(Play{true});
                for (int i = 0; played.derived.time < time && i < 1000; ++i)
                    played.pass(std::min(frame, std::max(time - played.derived.time, 1e-9)));
                played.act(Play{false});
                EXPECT_EQ(played.state.view.playhead, sought.state.view.playhead)
                    << "stop " << stop << " at " << progress << ", frames of " << frame << " s";
            }
        }
}

/// Step by step: playback ends with the motion, and the next time it continues with the next step.
TEST(StepPace, WaitsAfterEachStep) {
    Bench b;
    b.act(ChangeView{[](ViewState& v) { v.pace = WalkPace::Step; }});
    b.act(GoToStop{0, 1});
    for (int stop = 1; stop <= 3; ++stop) {
        b.act(Play{true});
        EXPECT_EQ(b.derived.pose.stop, stop);
        EXPECT_EQ(b.derived.pose.progress, 0);
        for (int frame = 0; frame < 200 && b.view().playing; ++frame) b.pass(0.1);
        EXPECT_FALSE(b.view().playing);
        EXPECT_EQ(b.derived.pose.stop, stop);
        EXPECT_EQ(b.derived.pose.progress, 1);
    }
}

TEST(ExplainedCell, FollowsThePinnedPair) {
    Bench b;
    b.act(Pin{b.cell(attn::Role::Weights, attn::kNoHead, 3, 1)});
    const auto explained_at = [&](attn::Role role) {
        b.act(GoToStop{stop_of(b.derived.timeline, b.derived.run->trace, attn::Tag{role}), 0.4});
        return *b.derived.explained;
    };
    EXPECT_EQ(explained_at(attn::Role::Scores).row, 3);
    EXPECT_EQ(explained_at(attn::Role::Scores).col, 1);
    EXPECT_EQ(explained_at(attn::Role::Queries).row, 3);
    EXPECT_EQ(explained_at(attn::Role::Keys).row, 1);
    EXPECT_NE(b.derived.caption.text().find("“tired”"), std::string::npos);
}

}  // namespace
