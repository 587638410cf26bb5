#include "app/cli/animation_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace app {
namespace {

attn::Error refusal(std::string message) { return {std::move(message), "", "", 0}; }

/// How the walk is divided into frames: `rate` frames per second of the animation, which covers `faster` seconds of the
/// walk.
struct Pace {
    double rate = kAnimationRate, faster = 1;
    int frames(double seconds) const { return std::max(1, static_cast<int>(std::lround(seconds / faster * rate))); }
};

/// A stretch of the walk that moves, then holds; in seconds from the walk's start.
struct Stretch {
    int stop = 0;
    double start = 0, motion = 0, end = 0;
};

/// One stretch per stop. A walk that ends with its story rests at the last step, then the arcs appear.
std::vector<Stretch> stretches_of(const Timeline& timeline) {
    std::vector<Stretch> out;
    for (std::size_t i = 0; i < timeline.stops.size(); ++i) {
        const Stop& stop = timeline.stops[i];
        out.push_back({static_cast<int>(i), stop.start, stop.motion, stop.end()});
        if (i + 1 < timeline.stops.size() || stop.rest < kStepSeconds + kArcsSeconds) continue;
        const double arcs = stop.start + stop.motion + kStepSeconds;
        out.back().end = arcs;
        out.push_back({static_cast<int>(i), arcs, kArcsAppearSeconds, stop.end()});
    }
    return out;
}

int count_frames(const std::vector<Stretch>& stretches, const Pace& pace) {
    int count = 0;
    for (const Stretch& stretch : stretches) count += pace.frames(stretch.motion) + 1;
    return count;
}

double motion_seconds(const Timeline& timeline) {
    double seconds = 0;
    for (const Stop& stop : timeline.stops) seconds += stop.motion;
    return seconds;
}

/// Delays are differences of rounded times, so that rounding errors do not accumulate.
void add_stretch(std::vector<AnimationFrame>& frames, const Stretch& stretch, const Pace& pace) {
    const int moving = pace.frames(stretch.motion);
    const auto time = [&](int frame) { return stretch.start + stretch.motion * frame / moving; };
    const auto hundredths = [&](double seconds) { return static_cast<int>(std::lround(seconds / pace.faster * 100)); };
    for (int frame = 0; frame < moving; ++frame)
        frames.push_back({stretch.stop, time(frame), hundredths(time(frame + 1)) - hundredths(time(frame))});
    frames.push_back({stretch.stop, time(moving), std::max(2, hundredths(stretch.end) - hundredths(time(moving)))});
}

}  // namespace

attn::Result<AnimationPlan> plan_animation(const Timeline& timeline, int width, int height, std::optional<double> seconds) {
    if (timeline.stops.empty()) return refusal("the text has no tokens: there is nothing to animate");
    AnimationPlan plan;
    plan.seconds = seconds.value_or(timeline.length());
    const std::vector<Stretch> stretches = stretches_of(timeline);
    Pace pace{plan.rate, timeline.length() / std::max(plan.seconds, 0.01)};
    if (count_frames(stretches, pace) > kMaxAnimationFrames) {
        const double still = static_cast<double>(stretches.size()) * 2;
        pace.rate = plan.rate = (kMaxAnimationFrames - still) / std::max(motion_seconds(timeline) / pace.faster, 1.0);
    }
    const int count = count_frames(stretches, pace);
    if (plan.rate < kMinAnimationRate)
        return refusal(fmt::format("the walk takes {:.0f} s and {} steps: too long for one animation; take --walk",
                                   plan.seconds, timeline.stops.size()));
    const double pixels = static_cast<double>(count) * width * height;
    if (pixels > kMaxAnimationPixels)
        return refusal(
            fmt::format("{} frames of {}x{} are {:.1f} billion pixels, more than the {:.0f} allowed; take a "
                        "smaller --size or --scale",
                        count, width, height, pixels / 1e9, kMaxAnimationPixels / 1e9));
    plan.frames.reserve(static_cast<std::size_t>(count));
    for (const Stretch& stretch : stretches) add_stretch(plan.frames, stretch, pace);
    return plan;
}

}  // namespace app
