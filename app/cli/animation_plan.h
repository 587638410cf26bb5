#pragma once
// Which frames an animation of the whole walk has, decided before any is drawn.

#include <optional>
#include <vector>

#include "app/timeline/timeline.h"
#include "core/base/result.h"

namespace app {

/// One frame: a stop of the walk, the second of the walk, and how long it stays, in 1/100 s.
struct AnimationFrame {
    int stop = 0;
    double time = 0;
    int delay = 10;
};

/// Frames beyond which an animation is thinned out, and pixels (of all frames together) beyond which it is refused.
inline constexpr int kMaxAnimationFrames = 1500;
inline constexpr double kMaxAnimationPixels = 4e9;
/// Frames a second: as wished, and the fewest that still look like motion.
inline constexpr double kAnimationRate = 12;
inline constexpr double kMinAnimationRate = 4;

struct AnimationPlan {
    std::vector<AnimationFrame> frames;
    double rate = kAnimationRate;  ///< frames a second while something moves; lower where the walk is long
    double seconds = 0;
};

/// Every motion at an even rate, its last frame held while the stop rests. `width`, `height` in pixels. Errors: a walk
/// without stops, or one that is too long or too large; the message has the figures and says what to change.
/// `seconds`: as long as it is to be, faster or slower than the walk.
attn::Result<AnimationPlan> plan_animation(const Timeline& timeline, int width, int height, std::optional<double> seconds = {});

}  // namespace app
