// Time is an argument: pose_at is pure and monotone, and time_of is its inverse.

#include "app/timeline/timeline.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <limits>

#include "app/state/examples.h"
#include "core/document/document.h"

namespace {

using namespace app;
using attn::Role;

struct Case {
    std::string name;
    attn::Trace trace;
    Timeline timeline;
};

std::vector<Case> make_cases() {
    std::vector<Case> cases;
    for (const Example& example : example_documents()) {
        const auto run = attn::run(example.document);
        const int heads = example.document.config.heads;
        for (int head = 0; head < heads; ++head) {
            Timeline timeline = make_timeline(run->trace, heads > 1 ? head : attn::kNoHead);
            cases.push_back({std::string(example.id), run->trace, std::move(timeline)});
        }
    }
    return cases;
}

class TimelineTest : public ::testing::Test {
protected:
    const std::vector<Case> cases_ = make_cases();
};

TEST_F(TimelineTest, StopsFollowEachOtherWithoutGaps) {
    for (const auto& [name, trace, timeline] : cases_) {
        ASSERT_FALSE(timeline.stops.empty()) << name;
        double time = 0;
        attn::StepId last = attn::kNoStep;
        for (const Stop& stop : timeline.stops) {
            EXPECT_DOUBLE_EQ(stop.start, time) << name;
            EXPECT_GT(stop.motion, 0) << name;
            EXPECT_GT(stop.rest, 0) << name;
            EXPECT_GT(stop.step, last) << name;
            last = stop.step;
            time = stop.end();
        }
        EXPECT_DOUBLE_EQ(timeline.length(), time);
    }
}

TEST_F(TimelineTest, SectionsHaveEveryStopOnceInOrder) {
    for (const auto& [name, trace, timeline] : cases_) {
        int next = 0;
        for (std::size_t s = 0; s < timeline.sections.size(); ++s) {
            const Section& section = timeline.sections[s];
            EXPECT_EQ(section.first, next) << name;
            ASSERT_GE(section.last, section.first) << name;
            for (int i = section.first; i <= section.last; ++i) {
                EXPECT_EQ(timeline.stops[static_cast<std::size_t>(i)].stage, section.stage) << name;
                EXPECT_EQ(section_of(timeline, i), static_cast<int>(s)) << name;
            }
            if (s > 0) {
                const Section& before = timeline.sections[s - 1];
                EXPECT_FALSE(before.stage == section.stage && before.same_place(section)) << name;
            }
            next = section.last + 1;
        }
        EXPECT_EQ(next, static_cast<int>(timeline.stops.size())) << name;
    }
}

/// Two layers of scores and weights, then the output of the model.
attn::Trace two_layers() {
    attn::Trace trace;
    for (int layer = 0; layer < 2; ++layer)
        for (const Role role : {Role::Queries, Role::Scores, Role::Weights}) {
            attn::Step step;
            step.tag = {role, attn::kNoHead, layer};
            trace.steps.push_back(step);
        }
    attn::Step last;
    last.tag = {Role::Output};
    trace.steps.push_back(last);
    return trace;
}

TEST(Sections, RepeatForEveryLayer) {
    const Timeline timeline = make_timeline(two_layers(), attn::kNoHead);
    ASSERT_EQ(timeline.sections.size(), 7u);
    EXPECT_EQ(timeline.sections[1].stage, timeline.sections[4].stage);
    EXPECT_FALSE(timeline.sections[1].same_place(timeline.sections[4]));
    // The formula's part leads to the next section that has it, and from the last to the first again.
    EXPECT_EQ(section_with(timeline, "scores", 0), 1);
    EXPECT_EQ(section_with(timeline, "scores", 1), 1);
    EXPECT_EQ(section_with(timeline, "scores", 2), 4);
    EXPECT_EQ(section_with(timeline, "scores", 6), 1);
    EXPECT_EQ(section_with(timeline, "mask", 0), -1);
}

TEST(Sections, PreferStopsOfTheSameLayer) {
    const attn::Trace trace = two_layers();
    const Timeline timeline = make_timeline(trace, attn::kNoHead);
    EXPECT_EQ(stop_of(timeline, trace, attn::Tag{Role::Scores, 5, 1}), 4);
    EXPECT_EQ(stop_of(timeline, trace, attn::Tag{Role::Scores, attn::kNoHead, 0}), 1);
}

TEST(GroupedHeads, SharedKeysAreShownWithEveryHeadOfTheGroup) {
    attn::Document doc;
    doc.text = "the tired cat";
    doc.weights = "random";
    doc.config.heads = 4;
    doc.config.kv_heads = 2;
    const auto run = attn::run(doc);
    ASSERT_TRUE(run);
    for (int head = 0; head < 4; ++head) {
        const Timeline timeline = make_timeline(run->trace, head);
        const int group = head / 2;
        for (const Role role : {Role::Keys, Role::Values})
            for (int g = 0; g < 2; ++g) {
                const attn::StepId step = attn::find_id(run->trace, {role, g});
                const int stop = stop_of(timeline, run->trace, step);
                const bool shown = stop >= 0 && timeline.stops[static_cast<std::size_t>(stop)].step == step;
                EXPECT_EQ(shown, g == group) << head << " " << g;
            }
        for (const Stop& stop : timeline.stops)
            if (run->trace[stop.step].tag.role == Role::HeadOutput) {
                EXPECT_EQ(run->trace[stop.step].tag.head, head);
            }
    }
}

TEST_F(TimelineTest, OneHeadAndNoOperands) {
    for (const auto& [name, trace, timeline] : cases_) {
        int head = attn::kNoHead;
        for (const Stop& stop : timeline.stops) {
            const attn::Tag tag = trace[stop.step].tag;
            EXPECT_NE(tag.role, Role::QueryWeight) << name;
            EXPECT_NE(tag.role, Role::MaskPattern) << name;
            if (tag.head == attn::kNoHead) continue;
            if (head == attn::kNoHead) head = tag.head;
            EXPECT_EQ(tag.head, head) << name;
        }
    }
}

TEST_F(TimelineTest, PoseAtTheStartTheEndAndEveryBoundary) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    constexpr double kJustBefore = 1e-9;
    for (const auto& [name, trace, timeline] : cases_) {
        const int last = static_cast<int>(timeline.stops.size()) - 1;
        for (const double early : {0.0, -1.0, -kInfinity}) {
            EXPECT_EQ(pose_at(timeline, early).stop, 0);
            EXPECT_EQ(pose_at(timeline, early).progress, 0);
        }
        for (const double late : {timeline.length(), timeline.length() + 1, kInfinity}) {
            EXPECT_EQ(pose_at(timeline, late).stop, last);
            EXPECT_EQ(pose_at(timeline, late).progress, 1);
        }
        for (int i = 0; i <= last; ++i) {
            const Stop& stop = timeline.stops[static_cast<std::size_t>(i)];
            EXPECT_EQ(pose_at(timeline, stop.start).stop, i) << name;
            EXPECT_EQ(pose_at(timeline, stop.start).progress, 0) << name;
            EXPECT_EQ(pose_at(timeline, stop.start).step, stop.step) << name;
            EXPECT_NEAR(pose_at(timeline, stop.start + stop.motion).progress, 1, 1e-12) << name;
            EXPECT_EQ(pose_at(timeline, stop.end() - kJustBefore).stop, i) << name;
            EXPECT_EQ(pose_at(timeline, stop.end() - kJustBefore).progress, 1) << name;
        }
    }
}

TEST_F(TimelineTest, BackwardsEqualsForwards) {
    for (const auto& [name, trace, timeline] : cases_) {
        constexpr int kSamples = 997;
        std::vector<Pose> forwards, backwards;
        const auto pose = [&](int i) { return pose_at(timeline, timeline.length() * i / kSamples); };
        for (int i = 0; i <= kSamples; ++i) forwards.push_back(pose(i));
        for (int i = kSamples; i >= 0; --i) backwards.push_back(pose(i));
        std::reverse(backwards.begin(), backwards.end());
        EXPECT_TRUE(std::equal(forwards.begin(), forwards.end(), backwards.begin(), [](const Pose& a, const Pose& b) {
            return a.stop == b.stop && a.step == b.step && a.progress == b.progress;
        })) << name;
    }
}

rc::Gen<double> share() {
    return rc::gen::map(rc::gen::inRange(0, 1'000'001), [](int n) { return n / 1e6; });
}

TEST_F(TimelineTest, TimeOfIsTheInverseOfPoseAt) {
    EXPECT_TRUE(rc::check([this] {
        const Case& c = cases_[*rc::gen::inRange(std::size_t{0}, cases_.size())];
        const int stop = *rc::gen::inRange(0, static_cast<int>(c.timeline.stops.size()));
        const double progress = *share();
        const Pose pose = pose_at(c.timeline, time_of(c.timeline, stop, progress));
        RC_ASSERT(pose.stop == stop);
        RC_ASSERT(std::abs(pose.progress - progress) < 1e-9);
    }));
}

TEST_F(TimelineTest, TimeRoundTripsWithinAMotion) {
    EXPECT_TRUE(rc::check([this] {
        const Case& c = cases_[*rc::gen::inRange(std::size_t{0}, cases_.size())];
        const double time = *share() * c.timeline.length();
        const Pose pose = pose_at(c.timeline, time);
        const Stop& stop = c.timeline.stops[static_cast<std::size_t>(pose.stop)];
        const double back = time_of(c.timeline, pose.stop, pose.progress);
        RC_ASSERT(std::abs(back - std::min(time, stop.start + stop.motion)) < 1e-9);
    }));
}

TEST_F(TimelineTest, TheStoryIsMonotone) {
    EXPECT_TRUE(rc::check([this] {
        const Case& c = cases_[*rc::gen::inRange(std::size_t{0}, cases_.size())];
        const double a = *share() * c.timeline.length(), b = *share() * c.timeline.length();
        const Pose first = pose_at(c.timeline, std::min(a, b)), second = pose_at(c.timeline, std::max(a, b));
        RC_ASSERT(std::pair(first.stop, first.progress) <= std::pair(second.stop, second.progress));
    }));
}

TEST_F(TimelineTest, StopOfAStepOfAnotherHeadIsTheOneOfItsRole) {
    attn::Document doc;
    doc.text = "the tired cat";
    doc.config.heads = 2;
    const auto run = attn::run(doc);
    const Timeline timeline = make_timeline(run->trace, 0);
    const int mine = stop_of(timeline, run->trace, attn::find_id(run->trace, {Role::Weights, 0}));
    EXPECT_GE(mine, 0);
    EXPECT_EQ(stop_of(timeline, run->trace, attn::find_id(run->trace, {Role::Weights, 1})), mine);
    EXPECT_EQ(stop_of(timeline, run->trace, attn::kNoStep), -1);
    EXPECT_EQ(stop_of(timeline, run->trace, attn::find_id(run->trace, {Role::QueryWeight})), -1);
}

TEST_F(TimelineTest, AnEmptyTimelineWorks) {
    const Timeline none = make_timeline({}, attn::kNoHead);
    EXPECT_EQ(none.length(), 0);
    EXPECT_EQ(pose_at(none, 1).step, attn::kNoStep);
    EXPECT_EQ(time_of(none, 3, 0.5), 0);
    EXPECT_TRUE(none.sections.empty());
    EXPECT_EQ(section_of(none, 0), -1);
    EXPECT_EQ(section_with(none, "scores", 0), -1);
}

TEST_F(TimelineTest, EveryRoleHasAStage) {
    for (int r = 0; r < attn::kRoleCount; ++r) {
        const int stage = static_cast<int>(stage_of(static_cast<Role>(r)));
        EXPECT_TRUE(stage >= 0 && stage < kStageCount);
    }
}

TEST(Ease, RestsAtBothEndsAndIsSymmetric) {
    EXPECT_EQ(ease(0), 0);
    EXPECT_EQ(ease(1), 1);
    EXPECT_EQ(ease(-3), 0);
    EXPECT_EQ(ease(7), 1);
    EXPECT_DOUBLE_EQ(ease(0.5), 0.5);
    EXPECT_LT(ease(0.01), 1e-4);
    for (int i = 0; i < 1000; ++i) {
        EXPECT_LE(ease(i / 1000.0), ease((i + 1) / 1000.0));
        EXPECT_NEAR(ease(i / 1000.0) + ease(1 - i / 1000.0), 1, 1e-12);
    }
}

TEST(Phase, IsTheShareOfAnInterval) {
    EXPECT_EQ(phase(0, 1, 2), 0);
    EXPECT_DOUBLE_EQ(phase(1.5, 1, 2), 0.5);
    EXPECT_EQ(phase(3, 1, 2), 1);
}

}  // namespace
