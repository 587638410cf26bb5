// Which frames an animation has: a pure function of the timeline.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/cli/animation_plan.h"
#include "core/document/document.h"

namespace {

app::Timeline timeline_of(int stops, double motion = 2, double rest = 0.9) {
    app::Timeline timeline;
    double time = 0;
    for (int i = 0; i < stops; ++i) {
        timeline.stops.push_back({i, app::Stage::Scores, time, motion, rest});
        time = timeline.stops.back().end();
    }
    return timeline;
}

TEST(CliAnimation, LastsAsLongAsTheWalk) {
    const auto plan = app::plan_animation(timeline_of(7), 320, 200);
    ASSERT_TRUE(plan.ok());
    const int hundredths = std::accumulate(plan->frames.begin(), plan->frames.end(), 0,
                                           [](int sum, const app::AnimationFrame& f) { return sum + f.delay; });
    EXPECT_EQ(hundredths, 7 * 290);
    EXPECT_EQ(plan->rate, app::kAnimationRate);
}

TEST(CliAnimation, EveryStopIsShownFinished) {
    const app::Timeline timeline = timeline_of(3);
    const auto plan = app::plan_animation(timeline, 320, 200);
    ASSERT_TRUE(plan.ok());
    for (int stop = 0; stop < 3; ++stop)
        EXPECT_TRUE(std::any_of(plan->frames.begin(), plan->frames.end(), [&](const app::AnimationFrame& f) {
            return f.stop == stop && std::abs(f.time - timeline.stops[static_cast<std::size_t>(stop)].start - 2) < 1e-9 && f.delay >= 90;
        }));
    for (std::size_t i = 1; i < plan->frames.size(); ++i) {
        const auto& before = plan->frames[i - 1];
        const auto& now = plan->frames[i];
        EXPECT_GT(now.time, before.time);
        EXPECT_GE(now.delay, 2);
    }
}

/// An animated figure takes 12 seconds, whatever the length of the walk, and ends where the walk ends.
TEST(CliAnimation, TakesTheGivenSeconds) {
    app::Timeline timeline = timeline_of(7);
    timeline.stops.back().rest = app::kStepSeconds + app::kArcsSeconds;
    const auto plan = app::plan_animation(timeline, 320, 200, 12.0);
    ASSERT_TRUE(plan.ok());
    const int hundredths = std::accumulate(plan->frames.begin(), plan->frames.end(), 0, [](int sum, const auto& f) { return sum + f.delay; });
    EXPECT_NEAR(hundredths, 1200, 2);
    const double arcs = timeline.stops.back().start + 2 + app::kStepSeconds;
    EXPECT_NEAR(plan->frames.back().time, arcs + app::kArcsAppearSeconds, 1e-9);
    EXPECT_GT(std::count_if(plan->frames.begin(), plan->frames.end(), [&](const auto& f) { return f.time > arcs; }), 2) << "the arcs come";
}

TEST(CliAnimation, Row56_LongWalksAreThinnedOutThenRefused) {
    const auto thinned = app::plan_animation(timeline_of(100), 320, 200);
    ASSERT_TRUE(thinned.ok());
    EXPECT_LT(thinned->rate, app::kAnimationRate);
    EXPECT_LE(static_cast<int>(thinned->frames.size()), app::kMaxAnimationFrames);
    EXPECT_FALSE(app::plan_animation(timeline_of(10000), 320, 200).ok());
    const auto large = app::plan_animation(timeline_of(10), 16000, 9000);
    ASSERT_FALSE(large.ok());
    EXPECT_NE(large.error().message.find("billion pixels"), std::string::npos);
    EXPECT_FALSE(app::plan_animation({}, 320, 200).ok());
    EXPECT_TRUE(app::plan_animation(timeline_of(3), 1, 1).ok());
}

}  // namespace
