#include "app/cli/animation_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace app {
namespace {

attn::Error refusal(std::string message) { return {std::move(message), "", "", 0}; }

/// Frames of one stop at a rate: those of the motion, and the one that stays.
int frames_of(const Stop& stop, double rate) {
    return std::max(1, static_cast<int>(std::lround(stop.motion * rate))) + 1;
}

int count_frames(const Timeline& timeline, double rate) {
    int count = 0;
    for (const Stop& stop : timeline.stops) count += frames_of(stop, rate);
    return count;
}

double motion_seconds(const Timeline& timeline) {
    double seconds = 0;
    for (const Stop& stop : timeline.stops) seconds += stop.motion;
    return seconds;
}

int hundredths(double seconds) { return static_cast<int>(std::lround(seconds * 100)); }

/// Delays are differences of rounded times, so that rounding never adds up.
void add_stop(std::vector<AnimationFrame>& frames, const Timeline& timeline, int index, double rate) {
    const Stop& stop = timeline.stops[static_cast<std::size_t>(index)];
    const int moving = frames_of(stop, rate) - 1;
    const auto time = [&](int frame) { return stop.start + stop.motion * frame / moving; };
    for (int frame = 0; frame < moving; ++frame)
        frames.push_back(
            {index, static_cast<double>(frame) / moving, hundredths(time(frame + 1)) - hundredths(time(frame))});
    frames.push_back({index, 1, std::max(2, hundredths(stop.end()) - hundredths(time(moving)))});
}

}  // namespace

attn::Result<AnimationPlan> plan_animation(const Timeline& timeline, int width, int height) {
    if (timeline.stops.empty()) return refusal("the text has no tokens: there is nothing to animate");
    AnimationPlan plan;
    plan.seconds = timeline.length();
    if (count_frames(timeline, plan.rate) > kMaxAnimationFrames) {
        const double still = static_cast<double>(timeline.stops.size()) * 2;
        plan.rate = (kMaxAnimationFrames - still) / std::max(motion_seconds(timeline), 1.0);
    }
    const int count = count_frames(timeline, plan.rate);
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
    for (int i = 0; i < static_cast<int>(timeline.stops.size()); ++i) add_stop(plan.frames, timeline, i, plan.rate);
    return plan;
}

}  // namespace app
